// Which leading bits of a query may differ in a match, up to a limit of improbability?
//
// Of a match within `distance` bits, the chance that it differs in exactly the set S of header bits is
//   odds(S) R(distance - |S|) / Z
// where odds(S) is the product of the odds of its bits, R(m) the sum of odds over the sets of at most m bits outside
// the header, and Z that over the sets of at most `distance` bits anywhere. Its negative logarithm is the cost of S.
// The sets up to a limit of cost come in no particular order, which needs no heap.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "hamming/flip_model.h"

namespace neardup::hamming {

class ProbableFlips {
 public:
  // The header is the `header_bits` leading bits (1 to 32). Keeps a reference to the chances.
  ProbableFlips(const FlipChances& chances, unsigned header_bits, unsigned distance)
      : chances_(chances), header_bits_(header_bits), distance_(distance) {}

  // offsets[m]: what the cost of a set of m bits has besides that of its bits, m from 0 to `distance`.
  void offsets(const Volatility& query, FlipCost* offsets) const {
    if (distance_ <= 3) {
      few_offsets(query, offsets);
    } else {
      many_offsets(query, offsets);
    }
  }

  // Calls emit(header mask) for the empty set and then for every set that costs at most `limit`, up to `most` sets.
  template <class Emit>
  void each(const Volatility& query, FlipCost limit, std::size_t most, Emit&& emit) const {
    emit(std::uint32_t{0});
    if (distance_ == 0) return;
    Sets<Emit> sets(distance_, most, emit);
    FlipCost offset[65];
    offsets(query, offset);
    for (unsigned m = 1; m <= distance_; ++m) sets.limits[m] = limit - offset[m];
    collect(query, sets);
    sets.extend(0, 0, 0, 1);
  }

  // What a set costs, by offsets() of the same query.
  [[nodiscard]] FlipCost cost(const Volatility& query, std::uint64_t differing, const FlipCost* offsets) const {
    const std::uint64_t flips = differing >> (64 - header_bits_);
    FlipCost cost = offsets[std::popcount(flips)];
    for (std::uint64_t rest = flips; rest != 0; rest &= rest - 1) {
      cost += chances_.cost[query.level[64 - header_bits_ + static_cast<unsigned>(std::countr_zero(rest))]];
    }
    return cost;
  }

 private:
  template <class Emit>
  struct Sets {
    Sets(unsigned most_bits, std::size_t most_sets, Emit& receiver)
        : distance(most_bits), left(most_sets), emit(receiver) {}
    unsigned distance;
    std::size_t left;  // sets that may still come
    Emit& emit;
    FlipCost limits[65];  // by size of set: most cost of its bits
    FlipCost costs[33];   // of the bits cheap enough to be flipped alone, cheapest first, and an end
    std::uint32_t flips[32];

    // All sets that add to `mask`, which costs `cost`, bits from place `first` on; they have `size` bits then.
    void extend(unsigned first, std::uint32_t mask, FlipCost cost, unsigned size) {
      const FlipCost most = limits[size] - cost;
      for (unsigned i = first; costs[i] <= most; ++i) {
        if (left-- == 0) {
          left = 0;
          return;
        }
        emit(mask ^ flips[i]);
        if (size < distance && costs[i + 1] <= limits[size + 1] - cost - costs[i]) {
          extend(i + 1, mask ^ flips[i], cost + costs[i], size + 1);
        }
      }
    }
  };

  template <class Emit>
  void collect(const Volatility& query, Sets<Emit>& sets) const {
    const std::uint8_t* levels = query.level.data() + 64 - header_bits_;
    std::uint32_t candidates[32];
    unsigned count = 0;
    for (unsigned bit = 0; bit < header_bits_; ++bit) {
      candidates[count] = std::uint32_t{levels[bit]} << 8 | bit;
      count += chances_.cost[levels[bit]] <= sets.limits[1] ? 1 : 0;
    }
    for (unsigned i = 1; i < count; ++i) {
      const std::uint32_t candidate = candidates[i];
      unsigned at = i;
      for (; at > 0 && candidates[at - 1] > candidate; --at) candidates[at] = candidates[at - 1];
      candidates[at] = candidate;
    }
    for (unsigned i = 0; i < count; ++i) {
      sets.costs[i] = chances_.cost[candidates[i] >> 8];
      sets.flips[i] = 1u << (candidates[i] & 255);
    }
    sets.costs[count] = INT32_MAX;
  }

  static FlipCost logarithm(float x) { return static_cast<FlipCost>(std::log(x) * static_cast<float>(kCostUnit)); }

  void few_offsets(const Volatility& query, FlipCost* offsets) const {
    const unsigned rest_bits = 64 - header_bits_;
    const std::uint64_t rest = sum_of_powers(query.level.data(), rest_bits);
    const std::uint64_t header = sum_of_powers(query.level.data() + rest_bits, header_bits_);
    float outside[4], anywhere[4];
    sums_of_products(rest, outside);
    sums_of_products(rest + header, anywhere);
    const FlipCost all = logarithm(anywhere[distance_]);
    for (unsigned m = 0; m < distance_; ++m) offsets[m] = all - logarithm(outside[distance_ - m]);
    offsets[distance_] = all;
  }

  // Two sums side by side: each addition waits for the one before.
  [[nodiscard]] std::uint64_t sum_of_powers(const std::uint8_t* levels, unsigned bits) const {
    std::uint64_t even = 0, odd = 0;
    unsigned bit = 0;
    for (; bit + 2 <= bits; bit += 2) {
      even += chances_.powers[levels[bit]];
      odd += chances_.powers[levels[bit + 1]];
    }
    return even + odd + (bit < bits ? chances_.powers[levels[bit]] : 0);
  }

  // sums[m]: of the products of odds over all sets of at most m bits, from power sums (Newton's identities).
  static void sums_of_products(std::uint64_t powers, float* sums) {
    constexpr std::uint64_t kField = (1u << 21) - 1;
    constexpr float kUnit = 1.0f / 32768;
    const float p1 = static_cast<float>(powers & kField) * kUnit;
    const float p2 = static_cast<float>(powers >> 21 & kField) * kUnit;
    const float p3 = static_cast<float>(powers >> 42) * kUnit;
    sums[0] = 1;
    sums[1] = 1 + p1;
    sums[2] = sums[1] + std::max(0.0f, (p1 * p1 - p2) / 2);
    sums[3] = sums[2] + std::max(0.0f, (p1 * p1 * p1 - 3 * p1 * p2 + 2 * p3) / 6);
  }

  // The same for any distance, bit by bit.
  void many_offsets(const Volatility& query, FlipCost* offsets) const {
    double exactly[65] = {1}, outside[65];
    const auto add = [&](unsigned bit) {
      const double chance = chances_.chance[query.level[bit]], odds = chance / (1 - chance);
      for (unsigned m = distance_; m > 0; --m) exactly[m] += exactly[m - 1] * odds;
    };
    for (unsigned bit = 0; bit < 64 - header_bits_; ++bit) add(bit);
    std::copy_n(exactly, distance_ + 1, outside);
    for (unsigned bit = 64 - header_bits_; bit < 64; ++bit) add(bit);
    double all = 0, sum = 0;
    for (unsigned m = 0; m <= distance_; ++m) all += exactly[m];
    for (unsigned m = 0; m <= distance_; ++m) {
      sum += outside[m];
      offsets[distance_ - m] = static_cast<FlipCost>((std::log(all) - std::log(sum)) * kCostUnit);
    }
  }

  const FlipChances& chances_;
  unsigned header_bits_, distance_;
};

}  // namespace neardup::hamming
