// Pass two: bring back the sets of the documents that may have a partner, and verify every candidate.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "cluster/cluster.h"
#include "search/feature_store.h"
#include "search/pair_store.h"
#include "corpus/census.h"
#include "corpus/bottom_sample.h"
#include "search/scorer.h"
#include "corpus/units.h"
#include "search/finder.h"
#include "neardup/dedup.h"

namespace neardup::search {

// Up to so many different documents recall is measured on all of them.
inline constexpr std::size_t kMeasuredWhole = 20'000;

// What the rest of the run needs from the search.
enum class Wanted {
  connections,  // only who is connected with whom: candidates between connected units are not verified
  all_pairs,
};

// Which units have documents on either side of a border.
struct TwoSides {
  std::vector<bool> left, right;  // by unit
  [[nodiscard]] bool face(Unit a, Unit b) const { return (left[a] && right[b]) || (left[b] && right[a]); }
};

struct SearchRequest {
  const Collection& collection;
  const Definition& definition;
  const corpus::UnitTable& table;
  std::uint64_t content;  // corpus::ReadResult::content
  Finder& finder;
  std::vector<corpus::Reservoir::Drawn> sample;  // empty: recall is not measured
  Wanted wanted = Wanted::all_pairs;
  std::uint64_t seed = 42;
  const TwoSides* sides = nullptr;  // not null: only pairs across the border are asked for
};

struct SearchResult {
  std::unique_ptr<FeatureStore> store;  // the sets of those who may have a partner; null after an exact search
  std::unique_ptr<PairStore> pairs;     // null when only connections were wanted
  std::unique_ptr<cluster::UnionFind> links;
  std::uint64_t candidates = 0;
  std::optional<Recall> recall;

  void save(base::StateWriter&) const;  // all but the sets
  // Into what empty_result() made.
  void load(base::StateReader&);
};

// Nothing found so far.
SearchResult empty_result(std::size_t units, Wanted, std::size_t memory_bytes, const Context&);

void save_recall(base::StateWriter&, const std::optional<Recall>&);
std::optional<Recall> load_recall(base::StateReader&);

SearchResult find_pairs(SearchRequest, const Context&);

// Whether a search by these options finds every pair; otherwise there is a finder for it.
bool searches_exactly(const DedupOptions&, const Definition&);
std::unique_ptr<Finder> finder_for(const DedupOptions&, const Definition&);
// For measuring its recall.
corpus::Reservoir recall_sample(const DedupOptions&, const Context&);

}  // namespace neardup::search
