// Do documents that a query shows, and whose simhashes are close, meet the user's definition?
#pragma once

#include <memory>
#include <optional>

#include "clean/grouping.h"
#include "corpus/corpus.h"
#include "corpus/kept_sets.h"
#include "neardup/collection.h"
#include "neardup/context.h"
#include "neardup/definition.h"
#include "search/scorer.h"
#include "search/set_store.h"

namespace neardup::clean {

// Answers from the real feature sets: of those that have another simhash close by, which were kept or are read once
// more. They stay in memory, or on disk when they do not fit. Threads: const members may run concurrently.
class SetJudge final : public PairJudge {
 public:
  // The corpus is CleanRead::corpus; its definition has a set measure, or hamming: then distances alone decide. Sets
  // whose simhashes are further apart than `largest_k` are never asked about.
  SetJudge(const corpus::Corpus&, corpus::KeptSets, unsigned largest_k, const Context&);
  [[nodiscard]] bool meets(SetNumber a, SetNumber b) const override { return score(a, b).has_value(); }
  [[nodiscard]] bool copies_meet(SetNumber set) const override { return scorer_.copy_score(Unit{set}).has_value(); }
  // The exact score of two sets, copies included; nothing when they do not meet the definition.
  [[nodiscard]] std::optional<double> score(SetNumber a, SetNumber b) const;

 private:
  const corpus::Units& units_;
  unsigned largest_k_;
  PerUnit<bool> is_close_;
  std::unique_ptr<search::SetStore> store_;  // null: distances alone decide
  search::Scorer scorer_;
};

}  // namespace neardup::clean
