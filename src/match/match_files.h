// match() with a plan of the caller's, so that tests can have parts and chunks of any size.
#pragma once

#include <optional>

#include "match/match_plan.h"
#include "neardup/context.h"
#include "neardup/match.h"

namespace neardup::matching {

MatchReport match_as_planned(const MatchOptions&, const std::optional<MatchPlan>&, const Context&);

}  // namespace neardup::matching
