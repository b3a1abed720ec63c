// Every pair of units of one corpus, or of two, that meets the definition.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "corpus/corpus.h"
#include "corpus/kept_sets.h"
#include "corpus/rarities.h"
#include "join/shared_filter.h"
#include "neardup/join.h"

namespace neardup::search {

// What censuses leave for a search besides the corpora.
struct SeenSets {
  std::unique_ptr<joins::SharedFilter> shared;  // has seen every unit's set; null: there is no filter
  std::vector<corpus::KeptSets> kept;           // by side; none where sets are not kept
};

struct ExactRequest {
  std::span<const corpus::Corpus> sides;  // one, or two; the definition is theirs
  SeenSets seen;
  JoinOptions options;  // measure and threshold come from the definition

  [[nodiscard]] const Definition& definition() const { return sides.front().definition; }
};

// Pairs come in any order; their numbers are units.
JoinStats find_exactly(ExactRequest, PairSink&, const Context&);

// The first reading of one collection, or two.
struct SidesToSearch {
  std::vector<corpus::Corpus> corpora;
  SeenSets seen;
};
SidesToSearch read_sides(std::span<const Collection* const>, const Definition&, const corpus::Rarities*, OnBadRecord,
                         const Context&);

// Ready for the censuses of these collections. Empty where no sets are compared.
SeenSets prepare_sets(std::span<const Collection* const>, const Definition&, const Context&);
// What a census may keep of a collection's sets.
corpus::KeptSets prepare_kept_sets(const Collection&, const Definition&, const Context&);

}  // namespace neardup::search
