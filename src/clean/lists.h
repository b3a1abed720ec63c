// What a clean-up changed, why, and on whose behalf: the tables beside the kept documents.
#pragma once

#include <unordered_map>

#include "clean/judge.h"
#include "clean/method.h"
#include "clean/query_log.h"
#include "clean/read.h"
#include "io/output.h"
#include "neardup/clean.h"
#include "report/page/report_page.h"

namespace neardup::clean {

struct CleanAudit {
  const CleanPlan& plan;
  const QueryLog& log;
  const CleanRead& read;
  const SetJudge& judge;
  const MethodResult& method;
  const Clusters& clusters;
  const corpus::RowTexts& names;  // of the documents in clusters at least
};

// pairs.tsv; the page gets the same pairs (null: none).
void write_clean_pairs(const CleanAudit&, report::ReportPage*, io::ByteSink&);
void write_clean_removed(const CleanAudit&, io::ByteSink&);  // removed.jsonl
void write_queries(const CleanReport&, io::ByteSink&);       // queries.tsv
void write_authority(const CleanAudit&, io::ByteSink&);      // authority.tsv; `names` are those of all documents
// results.run: what every query shows before anything is removed. `names` are those of all documents.
void write_results(const CleanAudit&, const ResultSource&, io::ByteSink&, const Context&);

// What report.html shows of it.
class PageScores {
 public:
  explicit PageScores(const CleanAudit&);
  [[nodiscard]] report::PageLists lists() const;  // valid as long as this object

 private:
  const CleanAudit& audit_;
  std::unordered_map<DocumentNumber, const Removal*> removals_;
};

// run.json
std::string clean_record(const Collection&, const CleanOptions&, const CleanReport&, const Context&);

}  // namespace neardup::clean
