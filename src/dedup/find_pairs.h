// Pass two: bring back the sets of the documents that may have a partner, and verify every candidate.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "cluster/cluster.h"
#include "dedup/feature_store.h"
#include "dedup/pair_store.h"
#include "dedup/read_pass.h"
#include "dedup/reservoir.h"
#include "dedup/similarity_oracle.h"
#include "dedup/units.h"
#include "find/finder.h"
#include "neardup/dedup.h"

namespace neardup::dedup {

// What the rest of the run needs from the search.
enum class Wanted {
  connections,  // only who is connected with whom: candidates between connected units are not verified
  all_pairs,
};

// The documents that are spoken of later, and so need their names.
enum class NamesFor { nobody, everyone_with_a_partner };

struct SearchRequest {
  const Collection& collection;
  const Definition& definition;
  const UnitTable& table;
  const RepeatedIds& ids;
  std::uint64_t content;  // ReadResult::content
  find::Finder& finder;
  std::vector<Reservoir::Drawn> sample;  // empty: recall is not measured
  Wanted wanted = Wanted::all_pairs;
  NamesFor names = NamesFor::nobody;
  std::uint64_t seed = 42;
};

struct SearchResult {
  std::unique_ptr<FeatureStore> store;  // null for hamming
  std::unique_ptr<PairStore> pairs;     // null when only connections were wanted
  std::unique_ptr<cluster::UnionFind> links;
  Names names;
  std::uint64_t candidates = 0;
  std::optional<Recall> recall;
};

SearchResult find_pairs(SearchRequest, Context&);

}  // namespace neardup::dedup
