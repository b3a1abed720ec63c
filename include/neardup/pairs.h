// Every similar pair of a collection, or of two, with its exact score.
//
//   auto films = neardup::Collection::open({"films.csv"}, {.text_fields = {"title"}}, context);
//   auto report = neardup::list_pairs(films, nullptr, {.output = "pairs.tsv"}, context);
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "neardup/context.h"
#include "neardup/definition.h"
#include "neardup/document.h"
#include "neardup/join.h"

namespace neardup {

struct PairsOptions {
  Definition definition{};
  bool features_named = false;      // the user chose definition.features: an error where there are none to choose
  std::string algorithm = "auto";   // a name from pair_algorithms(measure)
  unsigned suffix_depth = 2;        // JoinOptions::suffix_depth
  unsigned gram_length = 0;         // JoinOptions::gram_length
  std::uint64_t max_pairs = 0;      // stop at so many; 0: list all
  std::uint64_t top = 0;            // only so many best ones for each left record; 0: all
  std::vector<std::string> show{};  // fields of both records to put beside each pair
  bool measure_recall = true;       // for features that only estimate: compare with the whole feature sets
  OnBadRecord on_bad_record = OnBadRecord::skip;
  std::string output = "-";  // a .tsv file (also .tsv.gz, .tsv.zst), or "-": standard output
  std::string stats{};       // a file for the statistics as JSON; empty: none
  Overwrite overwrite = Overwrite::refuse;

  void validate() const;
};

struct PairsReport {
  std::uint64_t records = 0, against_records = 0;  // good ones
  std::uint64_t without_features = 0, repaired_texts = 0, repeated_ids = 0;
  std::vector<EncodingCount> encodings;  // those other than UTF-8, by name
  BadRecords bad;                        // of both collections
  Definition definition{};
  std::uint64_t pairs = 0;  // written
  bool has_against = false;
  JoinStats join;
  std::optional<double> recall;     // for features that only estimate: the share of true pairs that was found
  std::optional<double> precision;  // and of found pairs that are true
  std::vector<std::string> warnings;
  double seconds = 0;
};

// `against` null: pairs within the collection, left before right. Otherwise left is of the collection, right of the
// other.
PairsReport list_pairs(const Collection&, const Collection* against, const PairsOptions&, const Context&);
std::string to_json(const PairsReport&);

// Names for --algorithm: those of the joins, and for set measures the paper's combinations of features and algorithm
// (qp, qa, sp).
std::vector<std::string> pair_algorithms(Measure);

}  // namespace neardup
