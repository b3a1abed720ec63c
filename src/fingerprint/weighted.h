// What is the simhash of features that weigh more than they occur?
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "neardup/sketch.h"

namespace neardup {

struct WeightedFeature {
  Feature feature = 0;
  std::uint64_t weight = 0;
  friend bool operator==(const WeightedFeature&, const WeightedFeature&) = default;
};

// The weights of one document sum up to less than this: the sums of either projection then fit 64 bits, and their
// squares, times 4096 as volatility needs them, 128.
inline constexpr unsigned kWeightBits = 43;

// Makes one of equal features, whose weights are added, and brings them into ascending order; then halves all weights,
// rounding down, as often as it takes to keep to the bound. The weights given sum up to less than 2^64.
void settle(std::vector<WeightedFeature>&);

// Of features that have been settled. The same as for a list in which every feature is repeated as often as it weighs.
SimhashSums simhash_sums(std::span<const WeightedFeature>, Projection);
Volatility volatility(const SimhashSums&, std::span<const WeightedFeature>, Projection);

}  // namespace neardup
