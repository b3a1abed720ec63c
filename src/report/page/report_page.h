// What does a run look like, on one page that people can open, print and send? (report.html)
//
// The page is one file of at most kMostPageBytes: styles, script and data are inside, and it loads nothing. Everything
// on it is a count over the whole run, or a bounded choice of examples. It depends only on the run, not on threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/collection.h"
#include "neardup/context.h"
#include "neardup/definition.h"
#include "report/page/page_examples.h"
#include "report/page/threshold_curve.h"

namespace neardup::report {

inline constexpr std::size_t kMostPageBytes = 5'000'000;
inline constexpr const char* kPageName = "report.html";

struct PageRequest {
  Measure measure = Measure::jaccard;
  std::optional<Threshold> threshold{};  // none: the pairs were given, and there is nothing to move
  bool counts_clusters = false;          // clusters are connected components
  std::size_t rows = 0;                  // that pairs and clusters can have
  bool scores_are_rounded = false;       // to the decimals of the lists
};

// Collects what a page shows, in this order: pairs; lists, which choose the examples; their texts; the record.
class ReportPage {
 public:
  ReportPage(const PageRequest&, const Context&);
  ~ReportPage();

  void add_pair(const Pair&);
  // Which documents are shown, ascending. `lists` must stay valid until show().
  std::vector<Row> choose(const PageLists& lists);
  // `shown`: those of them whose texts are known.
  void show(const PageLists& lists, const std::map<Row, ShownDocument>& shown, const Context&);
  // Two documents whose similarity is just below the threshold.
  void show_apart(const ShownDocument& left, const ShownDocument& right, double score, const Context&);
  // Why there are no texts, for people.
  void texts_are_missing(std::string reason) { no_texts_ = std::move(reason); }

  // The whole page. `run_json` is the record of the run (run.json).
  [[nodiscard]] std::string html(std::string_view run_json, const std::vector<BadRecord>& bad);

 private:
  void count_scores(const PageLists&);
  [[nodiscard]] std::string curve_json();
  [[nodiscard]] std::string sizes_json() const;

  PageRequest request_;
  std::optional<ThresholdCurve> curve_;
  std::map<std::uint64_t, std::uint64_t> clusters_of_size_;
  std::vector<std::uint64_t> removed_at_step_;  // by the strictest threshold that a removed document meets
  std::uint64_t without_score_ = 0;
  PageExamples examples_;
  std::vector<std::string> largest_, doubtful_, apart_;  // as JSON
  std::string no_texts_;
};

}  // namespace neardup::report
