// Every similar pair of a collection, or of two, with its exact score.
//
//   auto pages = neardup::Collection::open({"pages.jsonl"}, {}, context);
//   auto report = neardup::list_pairs(pages, nullptr, {}, {.path = "pairs.csv"}, context);
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "neardup/collection.h"
#include "neardup/context.h"
#include "neardup/definition.h"
#include "neardup/ignore.h"
#include "neardup/join.h"
#include "neardup/pair.h"
#include "neardup/report.h"

namespace neardup {

enum class PairOrder {
  input,  // by (left, right)
  score,  // best first; pairs with equal scores by (left, right)
};

struct PairsOptions {
  Definition definition{};
  std::string algorithm = "auto";  // a name from pair_algorithms(measure)
  unsigned suffix_depth = 2;       // JoinOptions::suffix_depth
  unsigned gram_length = 0;        // JoinOptions::gram_length
  std::uint64_t max_pairs = 0;     // stop after this many; 0: list all
  std::uint64_t top = 0;           // only this many best matches of each left record; 0: all
  // Every record is in at most one pair: pairs are taken best first, ties by (left, right), unless one of their records
  // is already in a pair. Greedy: the sum of the scores need not be the highest possible. Applied after `top`.
  bool one_to_one = false;
  PairOrder order = PairOrder::input;
  bool measure_recall = true;  // for minwise features: compare with the whole feature sets
  OnBadRecord on_bad_record = OnBadRecord::skip;
  IgnoreOptions ignore{};

  void validate() const;
};

// ReadFacts cover both collections.
struct PairsReport : ReadFacts, RunFacts {
  std::uint64_t left_documents = 0;
  std::optional<std::uint64_t> right_documents;  // of the other collection, if there is one
  Definition definition{};
  std::uint64_t pairs = 0;  // that were reported
  JoinStats join;
  std::optional<double> recall;           // for minwise features: the share of true pairs that were found
  std::optional<double> precision;        // and the share of found pairs that are true
  std::optional<IgnoreReport> ignored{};  // when PairsOptions::ignore asked for it
};

// Sends every pair of documents to the sink, as rows, in the order that the options name. `other` null: pairs within
// the collection, left before right. Otherwise left is a row of the collection, right one of the other. Writes only
// temporary files.
PairsReport find_pairs(const Collection&, const Collection* other, const PairsOptions&, PairSink&, const Context&);

// The same, written to a file.
struct PairsListOptions {
  // Fields of both records to show with each pair. "text" is the text that was compared, unless records have a field of
  // that name.
  std::vector<std::string> show{};
  std::optional<std::vector<std::string>> against_show{};  // of the right record; absent: as `show`
  std::string path = "-";  // a file (.tsv, .csv, .jsonl, also compressed), or "-": standard output
  std::string format{};    // "tsv", "csv" or "jsonl"; empty: from the path's extension, else TSV
  std::string stats{};     // a file for the statistics as JSON; empty: none
  std::string report{};    // a file for a page about the pairs (HTML, report.html of other calls); empty: none
  std::vector<std::string> recorded_command{};  // for the page: the command that started this run
  Overwrite overwrite = Overwrite::refuse;
};
PairsReport list_pairs(const Collection&, const Collection* other, const PairsOptions&, const PairsListOptions&,
                       const Context&);
std::string to_json(const PairsReport&);

// Names for PairsOptions::algorithm: the joins, and for set measures the paper's combinations of features and algorithm
// (qp, qa, sp).
std::vector<std::string> pair_algorithms(Measure);

}  // namespace neardup
