// The search behind `pairs`: read, join, expand copies, sort.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "corpus/corpus.h"
#include "neardup/pairs.h"
#include "pairs/definition.h"
#include "report/run_frame.h"
#include "search/pair_store.h"

namespace neardup::pairs {

struct Searched {
  Applied applied;
  std::vector<corpus::Corpus> sides;         // one, or two
  std::unique_ptr<search::PairStore> pairs;  // of rows

  // The pairs that were asked for, in order: all, or the best ones of each left record.
  void for_each(const PairsOptions&, const std::function<void(const Pair&)>&) const;
};

// Fills all of the report but `pairs`.
Searched search(std::span<const Collection* const>, const PairsOptions&, Applied, PairsReport&, report::RunFrame&,
                const Context&);

}  // namespace neardup::pairs
