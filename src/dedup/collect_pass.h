// The second reading of the collection: sets, names and sampled truth, for the documents that matter only.
#pragma once

#include <vector>

#include "dedup/find_pairs.h"

namespace neardup::dedup {

struct CollectPlan {
  std::vector<bool> wants_set;   // by unit: its set goes into SearchResult::store
  std::vector<bool> wants_name;  // by unit: all its documents' names go into SearchResult::names
};

// Fills store, names and recall of `result`. Does not read at all when nothing is wanted.
void collect(SearchRequest&, const CollectPlan&, SearchResult& result, Context&);

}  // namespace neardup::dedup
