// What do people want to see of a result, to judge it: a few removed documents, and a cluster that is suspiciously
// large?
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dedup/decide.h"
#include "dedup/find_pairs.h"
#include "dedup/similarity_oracle.h"
#include "dedup/units.h"
#include "dedup/write_pass.h"
#include "neardup/dedup.h"

namespace neardup::dedup {

class Examples {
 public:
  struct Result {
    const Definition& definition;
    const UnitTable& table;
    const SearchResult& search;
    const SimilarityOracle& oracle;
    const Decision& decision;
    const ClusterList& clusters;
    bool pairs_are_given;  // the scores are the user's
  };
  // Chooses who is to be shown.
  explicit Examples(const Result&);

  // The documents whose texts are needed, ascending.
  [[nodiscard]] std::vector<Row> wanted() const;

  [[nodiscard]] std::vector<Example> show(const std::map<Row, Shown>&) const;
  // Speaks of a cluster that swallows an improbable share of different documents; nothing when there is none.
  [[nodiscard]] std::optional<std::string> giant_warning(const std::map<Row, Shown>&, ClusterKind) const;

 private:
  void choose_removed();
  void choose_giant();
  [[nodiscard]] std::optional<double> score_of(Unit a, const Shown&, Unit b, const Shown&) const;
  [[nodiscard]] std::optional<double> given_score(Unit left, Unit right) const;

  Result result_;
  std::vector<Row> removed_;
  std::vector<Row> giant_;  // some of its members
  std::size_t giant_size_ = 0;
};

}  // namespace neardup::dedup
