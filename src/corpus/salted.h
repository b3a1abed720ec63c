// How are sets kept apart that may have features in common?
//
// Every feature of a set gets the same number added, modulo 2^64. Sets with the same number have as much in common as
// before. Sets with different numbers have nothing in common, but for coincidences of 64-bit hashes, so that no search
// meets them.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "neardup/features.h"

namespace neardup::corpus {

// Each feature once, ascending, as the set is. The result is in `buffer`.
inline std::span<const Feature> salted_set(std::span<const Feature> set, std::uint64_t salt,
                                           std::vector<Feature>& buffer) {
  buffer.clear();
  // Those that overflow come first.
  const auto overflow = std::lower_bound(set.begin(), set.end(), Feature{0} - salt);
  const auto wraps = salt == 0 ? set.end() : overflow;
  for (auto at = wraps; at != set.end(); ++at) buffer.push_back(*at + salt);
  for (auto at = set.begin(); at != wraps; ++at) buffer.push_back(*at + salt);
  return buffer;
}

// The same in any order, with repeats.
inline std::span<const Feature> salted_occurrences(std::span<const Feature> features, std::uint64_t salt,
                                                   std::vector<Feature>& buffer) {
  buffer.clear();
  for (const Feature feature : features) buffer.push_back(feature + salt);
  return buffer;
}

}  // namespace neardup::corpus
