// What does a term add to a document's score?
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "clean/bm25_postings.h"

namespace neardup::clean {

// A score in units of 2^-30: sums are exact, whatever their order.
using Units = std::int64_t;
inline constexpr double kUnitsPerOne = 1 << 30;
inline constexpr double kLargestK1 = 1000;  // keeps what a term adds below 2^45 units

// A count beyond this is taken as this, which signed lanes can hold.
inline constexpr std::uint32_t kMostCount = (1u << 31) - 1;

// weight * count / (count + norm), rounded. Never nothing, so that a document that has a word of the query has a score.
inline Units contribution(double weight, std::uint32_t count, double norm) {
  constexpr double kRounder = 0x1.8p52;  // nothing behind the point survives its addition
  const auto times = static_cast<double>(static_cast<std::int32_t>(count));
  double value = weight * times / (times + norm);
  value = value < 1.0 ? 1.0 : value;
  return std::bit_cast<Units>(value + kRounder) - std::bit_cast<Units>(kRounder);
}

// The same for postings first to last (excluded) of a block; the others are left as they are.
inline void contributions(double weight, const BlockValues& rows, const BlockValues& counts, const double* norms,
                          unsigned first, unsigned last, std::array<Units, kBlock>& out) {
  std::array<double, kBlock> norm;  // gathered first: the other loop then runs in vector registers
  for (unsigned i = first; i < last; ++i) norm[i] = norms[rows[i]];
  for (unsigned i = first; i < last; ++i) out[i] = contribution(weight, counts[i], norm[i]);
}

}  // namespace neardup::clean
