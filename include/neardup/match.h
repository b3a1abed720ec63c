// Which fingerprints of one file are near which of another?
//
// Batch search (Manku et al. 2007, section 3.3; Sood & Loguinov 2011, section 6.3): the base may be larger than memory
// and is then read once, in chunks.
#pragma once

#include <cstdint>
#include <string>

#include "neardup/context.h"
#include "neardup/files.h"
#include "neardup/hamming.h"
#include "neardup/report.h"

namespace neardup {

struct MatchOptions {
  std::string base, queries;    // .fps or text (.hex, also compressed); "-" is standard input, for one of them
  std::string method = "fast";  // HammingOptions::kind, and so on
  std::string design = "plan";
  std::string code = "huffman";
  unsigned header_bits = 0;
  SearchOptions search{};
  std::string output = "-";  // a .tsv file, or "-" for standard output
  std::string stats{};       // a JSON file; empty: none
  Overwrite overwrite = Overwrite::refuse;
};

struct MatchReport {
  std::string method, description;
  std::uint64_t base = 0, base_without = 0;  // fingerprints; documents that have none
  std::uint64_t queries = 0, queries_without = 0;
  std::uint64_t chunks = 0;  // parts in which the base was read
  std::uint64_t index_bytes = 0, peak_bytes = 0;
  double build_seconds = 0;
  SearchStats search{};
  double seconds = 0;
};

// Writes `left right score` under that header: query, base, distance, sorted by their places in the files.
MatchReport match(const MatchOptions&, const Context&);
// What would be built for these files, without searching.
std::string explain_match(const MatchOptions&, const Context&);
std::string to_json(const MatchReport&);

}  // namespace neardup
