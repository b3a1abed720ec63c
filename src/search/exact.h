// Every pair of units of one corpus, or of two, that meets the definition.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "corpus/census.h"
#include "corpus/corpus.h"
#include "corpus/kept_sets.h"
#include "corpus/rarities.h"
#include "join/shared_filter.h"
#include "join/token_streams.h"
#include "neardup/ignore.h"
#include "neardup/join.h"
#include "search/columns.h"

namespace neardup::search {

// What censuses leave for a search besides the corpora: the tokens of all units' sets, by the rows that were met
// first, where memory holds them. Otherwise a filter of what is shared, and perhaps the sets.
struct SeenSets {
  std::unique_ptr<joins::TokenStreams> streams;  // null: nobody was asked
  std::unique_ptr<joins::SharedFilter> shared;   // the same
  std::vector<corpus::KeptSets> kept;            // by side; none where nobody was asked
  // Units of two sides with equal sets none of whose features counts: pairs that no search finds.
  std::vector<std::pair<Unit, Unit>> twins{};

  // Null where nobody takes sets.
  [[nodiscard]] std::optional<SetTakers> takers(unsigned side);
};

struct Ignored;  // search/ignore.h

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
// `ignored` is filled where features are to be ignored.
SidesToSearch read_sides(std::span<const Collection* const>, const Definition&, const corpus::Rarities*, OnBadRecord,
                         const IgnoreOptions&, Ignored& ignored, const Context&, const corpus::Separation* = nullptr);

// Ready for the censuses of these collections. Empty where no sets are compared. What is seen of sets that will be
// saved is a filter.
enum class SavedSets : bool { no, yes };
SeenSets prepare_sets(std::span<const Collection* const>, const Definition&, SavedSets, const Context&);
// For about so many different features.
std::unique_ptr<joins::SharedFilter> make_shared_filter(unsigned sides, std::uint64_t features, const Context&);
// What a census may keep of a collection's sets.
corpus::KeptSets prepare_kept_sets(const Collection&, const Definition&, const Context&);

}  // namespace neardup::search
