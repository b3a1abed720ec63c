// Which side of a match is indexed, and in how many parts is the other read, so that memory suffices?
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "hamming/kinds.h"
#include "io/fps/source.h"
#include "neardup/context.h"
#include "neardup/error.h"
#include "neardup/match.h"
#include "neardup/pair.h"
#include "search/pair_store.h"

namespace neardup::matching {

struct MatchSides {
  const io::FingerprintSource& base;
  const io::FingerprintSource& queries;
};

struct MatchPlan {
  enum class Indexed {
    base,     // whole, or part after part; every part is searched for all queries
    queries,  // whole, or part after part; the base passes by once for each part (Manku et al. 2007, section 3.3)
  };
  Indexed indexed = Indexed::base;
  std::uint64_t part_rows = 0;    // of the indexed side, in memory at once
  std::size_t chunk_rows = 0;     // of the other side, which passes by
  std::uint64_t chunk_bytes = 0;  // what its chunks take
  std::uint64_t index_bytes = 0;  // what an index may take
  std::uint64_t row_bytes = 0;    // what a row of a part takes besides, while its index is built
};

// What an index of these options takes.
hamming::MemoryNeed need_of(const MatchOptions&);

// Throws Error{limit}, naming the least memory that suffices.
MatchPlan plan_match(const MatchSides&, const MatchOptions&, const Context&);

// The same with smaller parts, after an index did not fit into what the plan gave it. Throws Error{limit} with
// `problem` when parts cannot be smaller.
MatchPlan smaller(const MatchPlan&, const MatchSides&, const MatchOptions&, const Error& problem);

// A sentence for people.
std::string describe(const MatchPlan&, const MatchSides&);

// Matches as planned. Sends pairs (row of the queries, row of the base, distance) in any order. The number of matches,
// the time of the whole and the memory are left to the caller.
MatchReport search_as_planned(const MatchSides&, const MatchOptions&, const MatchPlan&, PairSink&, const Context&);

// The search behind every form of matching; a plan of the caller's lets tests have parts and chunks of any size.
struct FoundMatches {
  MatchReport report{};  // but for its time and memory
  std::unique_ptr<search::PairStore> pairs;
};

// Throws Error{usage} for sides that cannot be matched as the options ask.
FoundMatches search_matches(const MatchSides&, const MatchOptions&, const std::optional<MatchPlan>&, const Context&);

std::string explain(const MatchSides&, const MatchOptions&, const Context&);

// match_files() by a plan.
MatchReport match_as_planned(const MatchFiles&, const MatchOptions&, const std::optional<MatchPlan>&, const Context&);

}  // namespace neardup::matching
