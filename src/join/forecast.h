// What will a join take, and how much will it find?
#pragma once

#include <optional>

#include "join/ordered_sets.h"
#include "neardup/join.h"

namespace neardup::joins {

// Joins a thousand sets or a few more, evenly spread over all sizes, and scales up what that had to compare. Nothing
// for joins that end before a warning could be read. It counts and does not measure, so that the same sets are always
// promised the same; the time is that of an ordinary machine.
std::optional<JoinForecast> forecast(const OrderedSets&, const JoinOptions&, const Context&);

}  // namespace neardup::joins
