// What will a join take, and how much will it find?
#pragma once

#include <optional>

#include "join/ordered_sets.h"
#include "neardup/join.h"

namespace neardup::joins {

// Joins a thousand sets or as many as take a measurable time, evenly spread over all sizes, and scales up. Nothing for
// joins that are over before anybody could read a warning.
std::optional<JoinForecast> forecast(const OrderedSets&, const JoinOptions&, const Context&);

}  // namespace neardup::joins
