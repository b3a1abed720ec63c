// The second reading of a search by sketches: sets and sampled truth, for the documents that matter only.
#pragma once

#include "search/sketched.h"

namespace neardup::search {

// Fills the sets and the recall of `found`; of the recall only when there is a sample. Does not read at all when
// nothing is wanted.
void collect_sets(SketchedRequest&, const PerUnit<bool>& wanted, Found& found, const Context&);

}  // namespace neardup::search
