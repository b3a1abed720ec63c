// Can two sequences of tokens be distinguished by a few probes?
#pragma once

#include <cstdint>
#include <span>

#include "join/ordered_sets.h"

namespace neardup::joins {

// A lower bound of the Hamming distance of two ascending sequences: the number of tokens that are in one of them only.
// A result above `max_distance` says no more than that the distance is above it, too.
//
// Idea (Xiao et al. 2008, Algorithms 3 and 4): the middle token of y cuts both sequences in two, and the tokens left of
// the cut can only meet each other. So the differences of the lengths on both sides add up, and each side can be cut
// again, `depth` times in all (MAXDEPTH). The cut in x is looked for only where it must lie unless the distance is
// exceeded.
//
// Costs up to 2^depth binary searches; 0 compares the lengths and no more.
std::int64_t distance_bound(std::span<const Rank> x, std::span<const Rank> y, std::int64_t max_distance,
                            unsigned depth);

}  // namespace neardup::joins
