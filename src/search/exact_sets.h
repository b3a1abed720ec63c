// How are sets joined when they fit into memory, and how when they do not?
//
// Sets that fit are encoded while the input is read again, and joined at once. Otherwise what is shared of each set
// goes to a temporary file and is joined in parts (exact_parts.h): the same pairs, in more rounds.
#pragma once

#include "search/exact.h"

namespace neardup::search {

// Completes the statistics. Frees `request.shared` as soon as it is no longer needed.
void join_sets(ExactRequest& request, PairSink&, JoinStats&, const Context&);

}  // namespace neardup::search
