// How are sets joined that do not fit into memory together?
//
// Units are cut into parts by the size of their sets, and every two parts whose sizes can match meet in memory.
#pragma once

#include <cstdint>

#include "neardup/context.h"
#include "neardup/pair.h"
#include "search/exact.h"
#include "search/set_store.h"

namespace neardup::search {

// Joins what `spill` holds of the sets, with what is left of the memory in a meeting. Adds to the statistics. Throws
// Error{limit}, which says how much memory it takes, when parts would be so small that each were loaded very often.
void join_spilled(const ExactRequest&, const SetSpill& spill, PairSink&, JoinStats&, const Context&);

}  // namespace neardup::search
