// How are two files of fingerprints matched within a plan's memory?
#pragma once

#include <cstdint>
#include <string>

#include "io/fps/source.h"
#include "match/match_plan.h"
#include "neardup/context.h"
#include "neardup/match.h"
#include "neardup/pair.h"

namespace neardup::matching {

struct MatchJob {
  const io::FingerprintSource& base;
  const io::FingerprintSource& queries;
  const MatchOptions& options;
};

struct MatchOutcome {
  std::string description;   // of the first index
  std::uint64_t chunks = 0;  // in which the base was read, all its readings together
  std::uint64_t index_bytes = 0;
  double build_seconds = 0, search_seconds = 0;
  SearchStats search{};  // queries and matches are left to the caller
};

// Sends pairs (row of the queries, row of the base, distance) in any order.
MatchOutcome search_files(const MatchJob&, const MatchPlan&, PairSink&, const Context&);

}  // namespace neardup::matching
