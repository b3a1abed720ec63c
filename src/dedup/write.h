// What a run leaves behind: lists, kept records, and what people see of it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "dedup/find.h"
#include "dedup/plan.h"
#include "dedup/read.h"
#include "dedup/same.h"
#include "neardup/dedup.h"
#include "report/outputs.h"
#include "report/page/report_page.h"
#include "report/run_frame.h"
#include "search/against.h"
#include "search/scorer.h"

namespace neardup::dedup {

// All that was found out.
struct Outcome {
  const Plan& plan;
  const Reading& reading;
  const FindResult& search;
  const search::Scorer& scorer;
  const Clusters& clusters;
  const search::Against* against;  // null: there is no other collection
  const SameDocuments* same;       // null: keys were not compared
};

// "same:url" for a document that was removed because of its key; otherwise empty.
std::string same_rule(const Outcome&, Row);

// The score of a removed document with the one kept in its place; NaN where there is none.
double score_with_kept(const Outcome&, Row);

// Reads the collection once more for names where they are needed, and once for the records. Fills in examples, bytes
// and removed shares, and the page where there is one (null: none).
void write(const Outcome&, report::Outputs&, report::ReportPage*, DedupReport&, report::RunFrame&, const Context&);

// The pairs of a run as pairs of rows, in the order of pairs.tsv: each unit is represented by its first document, and
// every further copy is a pair with that one.
void for_each_row_pair(const corpus::Units&, const search::PairStore&, const search::Scorer&,
                       const std::function<void(const Pair&)>& visit);

// Everything needed to understand a run and to run it again: run.json. `features`: over all distinct documents.
std::string run_record(const Plan&, std::uint64_t features, const DedupReport&, const Context&);

}  // namespace neardup::dedup
