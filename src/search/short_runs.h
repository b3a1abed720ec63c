// Which documents with fewer words than a feature stand in others?
//
// Such a document has one feature, its whole sequence, which no longer document has. For containment it is in another
// one when the sequence is a run of that one's words. So the runs of these lengths are looked up in every document, for
// which the collections are read once more; nothing is read when there are no such documents. The features of a unit
// decide which runs it has, because every run that is shorter than a feature is a part of one.
#pragma once

#include "neardup/context.h"
#include "neardup/pair.h"
#include "search/exact.h"

namespace neardup::search {

// Whether the definition asks for this at all.
bool looks_for_short_runs(const Definition&);

// Adds to the pairs and statistics of a join that did not find these; nothing when the join was stopped.
void join_short_runs(const ExactRequest&, PairSink&, JoinStats&, const Context&);

}  // namespace neardup::search
