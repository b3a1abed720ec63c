#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "neardup/features.h"

namespace neardup {
namespace {

constexpr unsigned kMaxBits = 12;
constexpr std::size_t kTiny = 24;
constexpr std::size_t kHuge = 1u << 20;  // beyond this a second copy costs too much memory
constexpr std::uint32_t kInsertion = 16;

void insertion_sort(Feature* first, Feature* last) {
  for (Feature* at = first + 1; at < last; ++at) {
    const Feature value = *at;
    Feature* hole = at;
    for (; hole != first && hole[-1] > value; --hole) *hole = hole[-1];
    *hole = value;
  }
}

// Puts the features into `sorted`, almost every one into its final place: there are two to four times as many buckets
// as features, as long as the counters fit the first-level cache. Crowded buckets (repeats, or hashes that are not
// uniform) are sorted by comparison, so that the worst case is n log n.
void bucket_sort(const std::vector<Feature>& features, Feature* sorted) {
  const std::size_t n = features.size();
  const unsigned bits = std::min<unsigned>(static_cast<unsigned>(std::bit_width(n)) + 1, kMaxBits);
  const unsigned shift = 64 - bits;
  const std::size_t buckets = std::size_t{1} << bits;
  std::array<std::uint32_t, std::size_t{1} << kMaxBits> ends;
  std::fill_n(ends.begin(), buckets, 0);
  for (const Feature f : features) ++ends[f >> shift];
  std::uint32_t begin = 0, fullest = 0;
  for (std::size_t b = 0; b < buckets; ++b) {
    const std::uint32_t count = ends[b];
    fullest = std::max(fullest, count);
    ends[b] = begin;
    begin += count;
  }
  for (const Feature f : features) sorted[ends[f >> shift]++] = f;
  if (fullest <= kInsertion) return insertion_sort(sorted, sorted + n);
  begin = 0;
  for (std::size_t b = 0; b < buckets; ++b) {
    if (ends[b] - begin <= kInsertion) {
      insertion_sort(sorted + begin, sorted + ends[b]);
    } else {
      std::sort(sorted + begin, sorted + ends[b]);
    }
    begin = ends[b];
  }
}

}  // namespace

void sort_unique(std::vector<Feature>& features, std::vector<Feature>& scratch) {
  const std::size_t n = features.size();
  if (n <= kTiny) {
    insertion_sort(features.data(), features.data() + n);
  } else if (n > kHuge) {
    std::sort(features.begin(), features.end());
  } else {
    if (scratch.size() < n) scratch.resize(n);
    bucket_sort(features, scratch.data());
    std::copy_n(scratch.data(), n, features.data());
  }
  features.erase(std::unique(features.begin(), features.end()), features.end());
}

}  // namespace neardup
