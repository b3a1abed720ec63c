// How many bands of how many rows find a pair at the threshold with the wanted probability?
//
// Two sets with Jaccard similarity s agree in all rows of one band with probability s^r, and in at least one of b bands
// with probability 1 - (1 - s^r)^b. More rows make a band more selective (fewer useless candidates) and need more bands
// for the same recall. So: for each r the fewest bands that reach the target at the threshold, and of these the largest
// r whose b * r hashes still fit the budget. The budget is what a sketch may cost, not a tuned constant: it bounds the
// work per feature.
#pragma once

#include <cstddef>

#include "neardup/definition.h"
#include "neardup/sketch.h"

namespace neardup {

inline constexpr std::size_t kHashBudget = 112;  // seven 16-lane vectors
inline constexpr std::size_t kMostBands = 1024;  // below this similarity bands no longer select anything

// The lowest Jaccard similarity a pair can have that meets the definition (jaccard, dice or cosine).
double lowest_jaccard(const Definition&);

// Throws Error{usage} when no plan with kMostBands bands reaches the target.
Bands plan_bands(double jaccard, double target_recall);

}  // namespace neardup
