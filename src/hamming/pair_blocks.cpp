#include "hamming/pair_blocks.h"

#include <algorithm>
#include <utility>

#include "simd/dispatch.h"

namespace neardup::hamming {

void EntryPairs::add_copies(Entry entry) {
  const std::uint64_t first = rows_.first(entry);
  const auto copies = rows_.copies(entry);
  for (std::size_t i = 0; i < copies.size() && !enough(); ++i) {
    found_.add(first, copies[i], 0);
    for (std::size_t j = i + 1; j < copies.size(); ++j) found_.add(copies[i], copies[j], 0);
  }
}

void EntryPairs::send() {
  const auto add = [&](Row a, Row b, unsigned distance) { found_.add(std::min(a, b), std::max(a, b), distance); };
  for (std::size_t i = 0; i < count_; ++i) {
    const auto& [left, right, distance] = waiting_[i];
    const Row first = rows_.first(right);
    const auto copies = rows_.copies(right);
    rows_.each(left, [&](Row row) {
      if (enough()) return;
      add(row, first, distance);
      for (const Row other : copies) add(row, other, distance);
    });
  }
  count_ = 0;
}

std::vector<std::uint64_t> pair_blocks(std::uint64_t varying, unsigned distance) {
  constexpr int kMostBits = 11;
  std::vector<std::uint64_t> blocks(distance + 1);
  for (std::size_t next = 0; varying != 0; varying &= varying - 1, next = (next + 1) % blocks.size()) {
    if (std::popcount(blocks[next]) < kMostBits) blocks[next] |= varying & (~varying + 1);
  }
  return blocks;
}

void PairBlocks::compare(std::span<const std::uint64_t> codes, std::span<const Entry> entries) {
  const auto size = static_cast<std::uint32_t>(entries.size());
  pairs_.count_compared(std::uint64_t{size} * (size - 1) / 2);
  hits_.resize(std::max<std::size_t>(hits_.size(), std::size_t{4} * size));
  neardup_pair_place place{0, 0};
  while (place.group == 0 && !pairs_.enough()) {
    const std::size_t hits =
        simd::kernels().near_pairs(codes.data(), &size, 1, &rule_, &place, hits_.data(), hits_.size());
    for (std::size_t h = 0; h < hits; ++h) {
      const std::uint32_t a = hits_[h].scan, b = hits_[h].posting;
      const std::uint64_t different = codes[a] ^ codes[b];
      const auto differs = [&](std::uint64_t mask) { return (different & mask) != 0; };
      if (!std::all_of(elsewhere_.begin(), elsewhere_.end(), differs)) continue;
      pairs_.add(entries[a], entries[b], static_cast<unsigned>(std::popcount(different)));
    }
  }
}

void PairBlocks::join(std::span<const std::uint64_t> codes, std::span<const Entry> entries) {
  const std::size_t size = entries.size();
  if (size < 2) return;
  std::uint64_t varying = 0;
  for (std::size_t i = 1; i < size; ++i) varying |= codes[i] ^ codes[0];
  // Blocks of three bits and more thin out by more than they multiply.
  if (size <= kFew || static_cast<unsigned>(std::popcount(varying)) < 3 * (rule_.most + 1)) {
    compare(codes, entries);
    return;
  }
  CodeItems sorted;
  sorted.resize(size);
  const std::size_t known = elsewhere_.size();
  for (const std::uint64_t block : pair_blocks(varying, rule_.most)) {
    std::vector<std::uint32_t> keys(size), places((std::size_t{1} << std::popcount(block)) + 1);
    for (std::size_t i = 0; i < size; ++i) ++places[keys[i] = gathered(codes[i], block)];
    std::uint32_t sum = 0;
    for (auto& place : places) sum += std::exchange(place, sum);
    for (std::size_t i = 0; i < size; ++i) {
      const std::uint32_t place = places[keys[i]]++;
      sorted.codes[place] = codes[i];
      sorted.entries[place] = entries[i];
    }
    std::uint32_t first = 0;
    for (std::size_t k = 0; k + 1 < places.size() && !pairs_.enough(); ++k) {
      const std::uint32_t last = places[k];
      join(std::span(sorted.codes).subspan(first, last - first + CodeItems::kPastEnd),
           std::span(sorted.entries).subspan(first, last - first));
      first = last;
    }
    elsewhere_.push_back(block);
  }
  elsewhere_.resize(known);
}

}  // namespace neardup::hamming
