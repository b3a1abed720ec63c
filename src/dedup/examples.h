// What do people want to see of a result, to judge it: a few removed documents, and a cluster that is suspiciously
// large?
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "search/decide.h"
#include "search/sketched.h"
#include "search/scorer.h"
#include "corpus/units.h"
#include "report/write_records.h"
#include "neardup/dedup.h"

namespace neardup::dedup {

class Examples {
 public:
  struct Result {
    const Definition& definition;
    const corpus::UnitTable& table;
    const search::SearchResult& search;
    const search::SimilarityOracle& oracle;
    const search::Decision& decision;
    const search::ClusterList& clusters;
    bool pairs_are_given;  // the scores are the user's
  };
  // Chooses who is to be shown.
  explicit Examples(const Result&);

  // The documents whose texts are needed, ascending.
  [[nodiscard]] std::vector<Row> wanted() const;

  [[nodiscard]] std::vector<Example> show(const std::map<Row, report::Shown>&) const;
  // Speaks of a cluster that swallows an improbable share of different documents; nothing when there is none.
  [[nodiscard]] std::optional<std::string> giant_warning(const std::map<Row, report::Shown>&, ClusterKind) const;

 private:
  void choose_removed();
  void choose_giant();
  [[nodiscard]] std::optional<double> score_of(Unit a, const report::Shown&, Unit b, const report::Shown&) const;
  [[nodiscard]] std::optional<double> given_score(Unit left, Unit right) const;

  Result result_;
  std::vector<Row> removed_;
  std::vector<Row> giant_;  // some of its members
  std::size_t giant_size_ = 0;
};

}  // namespace neardup::dedup
