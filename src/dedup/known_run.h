// How do the output of a run and what it adds to an index stay together, whenever it is killed?
//
// The index is told which rows will be added (KnownDocuments::announce), then the output appears, then documents are
// added, then the note in the index is erased. A run that is killed before its output appears has changed nothing. One
// that is killed later has left a note and an output, and repeating it only adds the rest.
#pragma once

#include <optional>

#include "dedup/plan.h"
#include "neardup/cluster.h"
#include "report/outputs.h"
#include "report/run_frame.h"

namespace neardup::dedup {

// Completes the run that was killed, if this is a repetition of it. Nothing: there is none, or it had changed nothing.
// Throws Error{usage} when another run has to be completed first.
std::optional<DedupResult> complete_pending(const Collection&, KnownDocuments&, const DedupOptions&, const Context&);

// The last step of a run with an index. Fills in what was added.
void publish_and_add(const Plan&, report::Outputs&, const Clusters&, DedupReport&, report::RunFrame&, const Context&);

}  // namespace neardup::dedup
