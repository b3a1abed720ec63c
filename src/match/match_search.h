// How are two lists of fingerprints matched within a plan's memory?
#pragma once

#include "match/match_plan.h"
#include "neardup/context.h"
#include "neardup/match.h"
#include "neardup/pair.h"

namespace neardup::matching {

// Sends pairs (row of the queries, row of the base, distance) in any order. The number of matches, the time of the
// whole and the memory are left to the caller.
MatchReport search_as_planned(const MatchSides&, const MatchOptions&, const MatchPlan&, PairSink&, const Context&);

}  // namespace neardup::matching
