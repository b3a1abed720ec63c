// The search within a collection, by whichever finder, and the pairs that need none.
#pragma once

#include <string>
#include <vector>

#include "corpus/row_names.h"
#include "dedup/checkpoint.h"
#include "dedup/plan.h"
#include "dedup/read.h"
#include "report/lists.h"
#include "report/run_frame.h"
#include "search/found.h"

namespace neardup::dedup {

struct FindResult {
  search::Found found;
  corpus::RowTexts names{};                 // of all documents, when the user brought the pairs
  PerUnit<double> scores{};                 // leader_scores(), when an interrupted run left them
  std::vector<ClusterCohesion> cohesion{};  // by cluster; empty: not all pairs are known
  std::string warning{};                    // that depends on the search itself
  report::ScoreFormat format;
};

// Takes what only the search needs out of `reading`.
FindResult find(const Plan&, Reading& reading, Checkpoint&, report::RunFrame&, const Context&);

// Scores go along, because the sets they are computed from do not.
void save(const FindResult&, Checkpoint&);

}  // namespace neardup::dedup
