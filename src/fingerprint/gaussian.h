// What does each feature add to a simhash when it projects onto normally distributed values instead of signs?
#pragma once

#include <cstdint>
#include <span>

#include "neardup/sketch.h"

namespace neardup {

// Value j of a feature is taken from a table of quantiles by 9 bits of a splitmix64 stream that starts at the feature:
// word j / 7, bits 9 (j mod 7) and up; the highest of them is the sign.
SimhashSums gaussian_sums(std::span<const Feature> occurrences);
// The same for one feature of any weight, added to what is there.
void add_gaussian(Feature, std::int64_t weight, SimhashSums& sums);

}  // namespace neardup
