// Every pair of units of one corpus, or of two, that meets the definition.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "corpus/corpus.h"
#include "corpus/rarities.h"
#include "join/shared_filter.h"
#include "neardup/join.h"

namespace neardup::search {

struct ExactRequest {
  std::span<const corpus::Corpus> sides;        // one, or two; the definition is theirs
  std::unique_ptr<joins::SharedFilter> shared;  // has been shown every unit's set; null: nobody was asked
  JoinOptions options;                          // measure and threshold come from the definition

  [[nodiscard]] const Definition& definition() const { return sides.front().definition; }
};

// Pairs come in any order; their numbers are units.
JoinStats find_exactly(ExactRequest, PairSink&, const Context&);

// The first reading of one collection, or two, and a filter that was shown all sets where sets are compared.
struct SidesToSearch {
  std::vector<corpus::Corpus> corpora;
  std::unique_ptr<joins::SharedFilter> shared;
};
SidesToSearch read_sides(std::span<const Collection* const>, const Definition&, const corpus::Rarities*, OnBadRecord,
                         const Context&);

// A filter of the right size for the censuses of these collections; none where no sets are compared.
std::unique_ptr<joins::SharedFilter> make_shared_filter(std::span<const Collection* const>, const Definition&,
                                                        const Context&);

}  // namespace neardup::search
