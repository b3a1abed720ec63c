// How are products that exceed 64 bits compared without rounding?
//
// Sizes are below 2^40 and the parts of a threshold at most 10^18 (below 2^60), so linear bounds fit 128 bits and
// quadratic ones (cosine) 256.
#pragma once

#include <compare>
#include <cstdint>

namespace neardup::similarity {

using Wide = unsigned __int128;

// n / d rounded up. Precondition: d > 0, and the quotient fits 64 bits.
constexpr std::uint64_t ceil_div(Wide n, std::uint64_t d) {
  if (n <= UINT64_MAX - d) return (static_cast<std::uint64_t>(n) + d - 1) / d;  // a 64-bit division is far cheaper
  return static_cast<std::uint64_t>((n + d - 1) / d);
}

// n / d rounded down, or the largest value when that does not fit. Precondition: d > 0.
constexpr std::uint64_t floor_div_saturated(Wide n, std::uint64_t d) {
  const Wide quotient = n / d;
  return quotient > UINT64_MAX ? UINT64_MAX : static_cast<std::uint64_t>(quotient);
}

// The exact product of two 128-bit numbers; ordered like the numbers themselves.
struct Product {
  Wide high, low;
  friend constexpr auto operator<=>(const Product&, const Product&) = default;
};

constexpr Product multiply(Wide a, Wide b) {
  constexpr Wide kMask = UINT64_MAX;
  const Wide a0 = a & kMask, a1 = a >> 64, b0 = b & kMask, b1 = b >> 64;
  const Wide low = a0 * b0, left = a1 * b0, right = a0 * b1;
  const Wide middle = (low >> 64) + (left & kMask) + (right & kMask);  // below 3 * 2^64: cannot overflow
  return {a1 * b1 + (left >> 64) + (right >> 64) + (middle >> 64), (middle << 64) | (low & kMask)};
}

}  // namespace neardup::similarity
