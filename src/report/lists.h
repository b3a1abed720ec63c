// What was removed, why, and on what evidence: the tables beside the kept documents.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "corpus/corpus.h"
#include "io/output.h"
#include "neardup/cluster.h"
#include "neardup/definition.h"
#include "neardup/pair.h"

namespace neardup::report {

// How scores are printed.
class ScoreFormat {
 public:
  explicit ScoreFormat(Measure measure) : integers_(has_integer_scores(measure)) {}
  static ScoreFormat integers() { return ScoreFormat(Measure::overlap); }
  static ScoreFormat decimals() { return ScoreFormat(Measure::jaccard); }
  [[nodiscard]] std::string operator()(double score) const;
  // "null" for NaN: the two documents are linked only through others.
  [[nodiscard]] std::string or_null(double score) const;

 private:
  bool integers_;
};

// Goes through pairs in ascending order of (left, right).
using PairVisits = std::function<void(const std::function<void(const Pair&)>&)>;
// What the copies of a unit score with each other; nothing when they do not meet the threshold.
using CopyScores = std::function<std::optional<double>(Unit)>;

// The pairs of a run as pairs of rows, in the order of pairs.tsv: each unit stands for its first document, and every
// further copy is a pair with that one.
void for_each_row_pair(const corpus::Units&, const PairVisits& pairs_of_units, const CopyScores&,
                       const std::function<void(const Pair&)>& visit);

void write_pairs(const corpus::RowTexts& names, ScoreFormat, const PairVisits& pairs_of_rows, io::ByteSink&);
void write_clusters(const corpus::RowTexts& names, const Clusters&, io::ByteSink&);

// A line of removed.jsonl.
struct RemovedDocument {
  std::string_view id, kept;
  std::string score;  // as JSON
  std::string_view rule;
  std::string more{};  // further members as JSON, each after a comma
};
void write_removed(const RemovedDocument&, io::ByteSink&);

}  // namespace neardup::report
