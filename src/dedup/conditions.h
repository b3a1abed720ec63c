// Conditions on fields that a pair of similar documents has to meet as well.
#pragma once

#include "dedup/plan.h"
#include "search/found.h"

namespace neardup::dedup {

// Which fields keep documents apart from the beginning.
corpus::Separation separation_of(const DedupOptions&);

bool has_near_conditions(const DedupOptions&);

// Drops pairs whose fields are not near each other, and links the rest anew. Reads the collection once more if there
// are pairs. Precondition: all pairs were wanted.
void drop_unmet(const Plan&, const corpus::Corpus&, search::Found&, const Context&);

}  // namespace neardup::dedup
