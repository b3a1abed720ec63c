// match() with a plan of the caller's, so that tests can have parts and chunks of any size.
#pragma once

#include <optional>

#include "dedup/match_plan.h"
#include "neardup/context.h"
#include "neardup/match.h"

namespace neardup::dedup {

MatchReport match_as_planned(const MatchOptions&, const std::optional<MatchPlan>&, Context&);

}  // namespace neardup::dedup
