// The search behind `pairs`: read, join, expand copies, sort.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "corpus/corpus.h"
#include "neardup/pairs.h"
#include "pairs/best_first.h"
#include "report/run_frame.h"
#include "search/pair_store.h"

namespace neardup::pairs {

// What the options come to, for the collections at hand.
struct Applied {
  Definition definition;
  std::string algorithm;  // of the join
  bool is_combined;       // the options name a kind of features with an algorithm
};

// Throws Error{usage} when they do not fit together.
Applied choose_definition(const PairsOptions&, std::span<const Collection* const>);

struct Searched {
  Applied applied;
  std::vector<corpus::Corpus> sides;         // one, or two
  std::unique_ptr<search::PairStore> pairs;  // of rows
  // What was asked for, where that is not all of them in their order: one or none is there.
  std::unique_ptr<search::PairStore> chosen{};
  std::unique_ptr<BestFirst> ordered{};

  // The pairs that were asked for, in the order that was asked for.
  void for_each(const PairsOptions&, const std::function<void(const Pair&)>&) const;
};

// Fills all of the report but `pairs`.
Searched search(std::span<const Collection* const>, const PairsOptions&, Applied, PairsReport&, report::RunFrame&,
                const Context&);

}  // namespace neardup::pairs
