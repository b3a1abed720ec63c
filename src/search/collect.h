// The second reading of the collection: sets and sampled truth, for the documents that matter only.
#pragma once

#include <vector>

#include "search/sketched.h"

namespace neardup::search {

// Fills store and recall of `result`. `wants_set` says by unit whose set goes into the store. Does not read at all when
// nothing is wanted.
void collect(SearchRequest&, const std::vector<bool>& wants_set, SearchResult& result, const Context&);

}  // namespace neardup::search
