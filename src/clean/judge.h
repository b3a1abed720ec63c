// Do documents that a query shows, and whose simhashes are close, meet the user's definition?
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "clean/grouping.h"
#include "search/feature_store.h"
#include "search/scorer.h"
#include "corpus/units.h"
#include "neardup/context.h"
#include "neardup/definition.h"
#include "neardup/document.h"

namespace neardup::clean {

struct JudgeRequest {
  const Collection& collection;
  const Definition& definition;  // a set measure, or hamming: then distances alone decide
  const corpus::UnitTable& sets;         // CleanRead::sets
  std::uint64_t content;         // corpus::ReadResult::content
  unsigned largest_k = 3;        // sets further apart are never asked about
};

// Answers from the real feature sets: of those that have another simhash close by, which are read once more. They stay
// in memory, or on disk when they do not fit. Threads: const members may run concurrently.
class SetJudge final : public clean::PairJudge {
 public:
  SetJudge(const JudgeRequest&, const Context&);
  [[nodiscard]] bool meets(clean::SetNumber a, clean::SetNumber b) const override { return score(a, b).has_value(); }
  [[nodiscard]] bool copies_meet(clean::SetNumber set) const override { return oracle_.copy_score(set).has_value(); }
  // The exact score of two sets, copies included; nothing when they do not meet the definition.
  [[nodiscard]] std::optional<double> score(clean::SetNumber a, clean::SetNumber b) const;

 private:
  const corpus::UnitTable& sets_;
  Definition definition_;
  unsigned largest_k_;
  std::vector<bool> is_close_;
  std::unique_ptr<search::FeatureStore> store_;  // null: distances alone decide
  search::SimilarityOracle oracle_;
};

}  // namespace neardup::clean
