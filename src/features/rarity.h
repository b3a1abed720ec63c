// How much does a feature weigh that occurs in few, or in many, of the documents?
//
// All in integers, so that every machine gets the same weights. docs/algorithms/text.md has the formula.
#pragma once

#include <cstdint>

namespace neardup::features {

// In rarity(), 1 is this many units.
inline constexpr unsigned kRarityBits = 16;

// 2^44 ln(n), at most 2 too small; n >= 1.
std::uint64_t fixed_ln(std::uint64_t n);

// max(1, round(2^16 ln((documents + 1) / (frequency + 1/2)))) for a feature that `frequency` of `documents` have.
// Both are below 2^62.
std::uint32_t rarity(std::uint64_t documents, std::uint64_t frequency);

}  // namespace neardup::features
