// What was removed, why, and on what evidence: the tables beside the kept documents.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "corpus/corpus.h"
#include "io/output.h"
#include "neardup/cluster.h"
#include "neardup/definition.h"

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

void write_clusters(const corpus::RowTexts& names, const Clusters&, io::ByteSink&);

// A line of removed.jsonl.
struct RemovedDocument {
  std::string_view id;
  std::optional<std::string_view> kept;  // none: removed for its own sake
  std::string score;                     // as JSON
  std::string_view rule;
  std::optional<std::string_view> cluster{};  // none: as `kept`
  std::string more{};                         // further members as JSON, each after a comma
};
void write_removed(const RemovedDocument&, io::ByteSink&);

}  // namespace neardup::report
