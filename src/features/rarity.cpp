#include "features/rarity.h"

#include <algorithm>
#include <bit>

namespace neardup::features {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr unsigned kLnBits = 44;
constexpr std::uint64_t kLn2 = 0xB17217F7D1CF79AB;  // 2^64 ln 2

}  // namespace

// Bit by bit: squaring a number doubles its logarithm, so that the next binary digit of log2 is whether the square of
// a number between 1 and 2 reaches 2. Cutting squares off to 64 bits makes the result too small by less than 2^-60.
std::uint64_t fixed_ln(std::uint64_t n) {
  const auto exponent = static_cast<unsigned>(std::bit_width(n)) - 1;
  std::uint64_t mantissa = n << (63 - exponent);  // 2^63 is 1
  std::uint64_t log2 = exponent;
  for (unsigned bit = 0; bit < kLnBits; ++bit) {
    const Wide square = Wide{mantissa} * mantissa >> 63;
    const auto digit = static_cast<unsigned>(square >> 64);
    mantissa = static_cast<std::uint64_t>(square >> digit);
    log2 = log2 << 1 | digit;
  }
  return static_cast<std::uint64_t>(Wide{log2} * kLn2 >> 64);
}

std::uint32_t rarity(std::uint64_t documents, std::uint64_t frequency) {
  const std::uint64_t above = fixed_ln(2 * documents + 2), below = fixed_ln(2 * frequency + 1);
  if (above <= below) return 1;
  constexpr unsigned kDropped = kLnBits - kRarityBits;
  const std::uint64_t rounded = (above - below + (std::uint64_t{1} << (kDropped - 1))) >> kDropped;
  return static_cast<std::uint32_t>(std::max<std::uint64_t>(1, rounded));
}

}  // namespace neardup::features
