// Which fingerprints of one list or file are within a Hamming distance of those of another?
//
//   auto seen = neardup::fingerprints(crawl, {}, context), fresh = neardup::fingerprints(pages, {}, context);
//   neardup::PairList found;
//   neardup::find_matches(seen.view(), fresh.view(), {.search = {.distance = 3}}, found, context);
//
// Batch search (Manku et al. 2007, section 3.3; Sood & Loguinov 2011, section 6.3): the base may be larger than memory
// and is then processed once, in chunks.
#pragma once

#include <cstdint>
#include <string>

#include "neardup/context.h"
#include "neardup/fingerprint.h"
#include "neardup/hamming.h"
#include "neardup/pair.h"
#include "neardup/report.h"

namespace neardup {

struct MatchOptions {
  HammingOptions index{};  // its distance and memory_bytes are ignored: see `search` and the context
  SearchOptions search{};
};

struct MatchReport {
  std::string method, description;
  std::uint64_t base = 0, base_without = 0;  // fingerprints; rows without one
  std::uint64_t queries = 0, queries_without = 0;
  std::uint64_t chunks = 0;  // number of parts in which the base was read
  std::uint64_t index_bytes = 0, peak_memory_bytes = 0;
  double build_seconds = 0;
  SearchStats search{};
  double seconds = 0;
};

// Sends pairs (row of the queries, row of the base, distance) in ascending order, once all are found. Probabilistic
// kinds need the volatility of the queries. The spans must not change until the call returns; pairs that do not fit in
// memory are spilled to temporary files. Throws Error{usage} for spans of different sizes, Error{limit} for 2^32 rows
// or too little memory.
MatchReport find_matches(const FingerprintsView& base, const FingerprintsView& queries, const MatchOptions&, PairSink&,
                         const Context&);
// A readable description of what would be built, without searching.
std::string explain_match(const FingerprintsView& base, const FingerprintsView& queries, const MatchOptions&,
                          const Context&);

struct MatchFiles {
  std::string base, queries;  // .fps or text (.hex, also compressed); "-" is standard input, for one of them
  std::string output = "-";   // a .tsv file, or "-" for standard output
  std::string stats{};        // a file for the report as JSON; empty: none
  Overwrite overwrite = Overwrite::refuse;
};

// Writes `left right score` under that header: query, base, distance, sorted by their places in the files.
MatchReport match_files(const MatchFiles&, const MatchOptions&, const Context&);
std::string explain_match(const MatchFiles&, const MatchOptions&, const Context&);
std::string to_json(const MatchReport&);

}  // namespace neardup
