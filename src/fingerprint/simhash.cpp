#include <fmt/format.h>

#include <array>
#include <cstdint>

#include "base/choices.h"
#include "fingerprint/gaussian.h"
#include "neardup/error.h"
#include "neardup/sketch.h"

namespace neardup {
namespace {

constexpr std::array kProjections{
    Choice<Projection>{"signs", Projection::signs, "+1 or -1"},
    Choice<Projection>{"gaussian", Projection::gaussian, "a normal random value"},
};

// Counts, for each of 64 bit positions, how many of the words added have that bit: bit-sliced, so that one addition
// serves all 64 counters. Plane k holds bit k of every counter.
class BitCounters {
 public:
  // Adds eight words: seven full adders reduce them to carries of weight eight, which ripple upwards.
  void add8(const std::uint64_t* w) {
    std::uint64_t two_a, two_b, four_a, four_b, eight;
    add(planes_[0], w[0], w[1], two_a);
    add(planes_[0], w[2], w[3], two_b);
    add(planes_[1], two_a, two_b, four_a);
    add(planes_[0], w[4], w[5], two_a);
    add(planes_[0], w[6], w[7], two_b);
    add(planes_[1], two_a, two_b, four_b);
    add(planes_[2], four_a, four_b, eight);
    ripple(eight, 3);
    added(8);
  }
  void add1(std::uint64_t word) {
    ripple(word, 0);
    added(1);
  }
  std::array<std::uint64_t, 64> totals() {
    flush();
    return totals_;
  }

 private:
  static constexpr std::size_t kPlanes = 16;

  static void add(std::uint64_t& sum, std::uint64_t a, std::uint64_t b, std::uint64_t& carry) {
    const std::uint64_t half = sum ^ a;
    carry = (sum & a) | (half & b);
    sum = half ^ b;
  }
  void ripple(std::uint64_t carry, std::size_t plane) {
    for (; carry != 0; ++plane) {
      const std::uint64_t next = planes_[plane] & carry;
      planes_[plane] ^= carry;
      carry = next;
    }
  }
  // Empties the planes before any counter could need one more.
  void added(std::uint32_t words) {
    pending_ += words;
    if (pending_ + 8 >= (1u << kPlanes)) flush();
  }
  void flush() {
    for (std::size_t bit = 0; bit < 64; ++bit) {
      std::uint64_t count = 0;
      for (std::size_t k = 0; k < kPlanes; ++k) count |= (planes_[k] >> bit & 1) << k;
      totals_[bit] += count;
    }
    planes_.fill(0);
    pending_ = 0;
  }

  std::array<std::uint64_t, kPlanes> planes_{};
  std::uint32_t pending_ = 0;
  std::array<std::uint64_t, 64> totals_{};
};

}  // namespace

SimhashSums simhash_sums(std::span<const Feature> occurrences, Projection projection) {
  if (projection == Projection::gaussian) return gaussian_sums(occurrences);
  BitCounters counters;
  std::size_t i = 0;
  for (; i + 8 <= occurrences.size(); i += 8) counters.add8(occurrences.data() + i);
  for (; i < occurrences.size(); ++i) counters.add1(occurrences[i]);
  const std::array<std::uint64_t, 64> ones = counters.totals();
  SimhashSums sums{};
  for (std::size_t bit = 0; bit < 64; ++bit) {
    sums[bit] = 2 * static_cast<std::int64_t>(ones[bit]) - static_cast<std::int64_t>(occurrences.size());
  }
  return sums;
}

Fingerprint simhash(const SimhashSums& sums) {
  Fingerprint result;
  for (std::size_t bit = 0; bit < 64; ++bit) result.bits |= static_cast<std::uint64_t>(sums[bit] >= 0) << bit;
  return result;
}

Projection parse_projection(std::string_view text) {
  return base::parse_choice<Projection>("projection", text, kProjections);
}
std::string to_string(Projection projection) { return base::choice_name<Projection>(projection, kProjections); }
std::span<const Choice<Projection>> projection_choices() { return kProjections; }

std::string to_hex(const std::optional<Fingerprint>& fingerprint) {
  return fingerprint ? fmt::format("{:016x}", fingerprint->bits) : "-";
}

}  // namespace neardup
