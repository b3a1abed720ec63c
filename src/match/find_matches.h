// The search behind every form of matching, and with a plan of the caller's, so that tests can have parts and chunks of
// any size.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "match/match_plan.h"
#include "neardup/context.h"
#include "neardup/match.h"
#include "search/pair_store.h"

namespace neardup::matching {

struct FoundMatches {
  MatchReport report;  // but for its time and memory
  std::unique_ptr<search::PairStore> pairs;
};

// Throws Error{usage} for sides that cannot be matched as the options ask.
FoundMatches search_matches(const MatchSides&, const MatchOptions&, const std::optional<MatchPlan>&, const Context&);

std::string explain(const MatchSides&, const MatchOptions&, const Context&);

// match_files() by a plan.
MatchReport match_as_planned(const MatchFiles&, const MatchOptions&, const std::optional<MatchPlan>&, const Context&);

}  // namespace neardup::matching
