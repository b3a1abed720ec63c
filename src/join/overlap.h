// How many tokens do two sets share, when fewer than so many do not matter?
#pragma once

#include <cstdint>
#include <span>

#include "join/ordered_sets.h"

namespace neardup::joins {

// `known` plus the number of tokens that two ascending sequences share, or 0 as soon as it is certain that this stays
// below `needed` (at least 1).
inline std::uint32_t overlap_at_least(std::span<const Rank> x, std::span<const Rank> y, std::uint32_t known,
                                      std::uint32_t needed) {
  const Rank *a = x.data(), *b = y.data();
  const Rank *const a_end = a + x.size(), *const b_end = b + y.size();
  std::uint32_t overlap = known;
  // Tokens of each side that may still find no partner. As long as none of the two is below zero and tokens are
  // missing, neither side is at its end.
  std::int64_t a_spare = static_cast<std::int64_t>(known + x.size()) - needed;
  std::int64_t b_spare = static_cast<std::int64_t>(known + y.size()) - needed;
  if (a_spare < 0 || b_spare < 0) return 0;
  while (overlap < needed) {
    if (*a == *b) {
      ++overlap, ++a, ++b;
    } else if (*a < *b) {
      if (--a_spare < 0) return 0;
      ++a;
    } else {
      if (--b_spare < 0) return 0;
      ++b;
    }
  }
  while (a != a_end && b != b_end) {
    const Rank left = *a, right = *b;
    overlap += left == right ? 1 : 0;
    a += left <= right ? 1 : 0;
    b += right <= left ? 1 : 0;
  }
  return overlap;
}

}  // namespace neardup::joins
