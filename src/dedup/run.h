// One run of deduplicate(), stage by stage. Each stage leaves its results in the members the next ones read; with
// --resume it also leaves them on disk, and what an interrupted run left there is taken instead of doing the work
// again.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/system.h"
#include "cluster/keep_rules.h"
#include "search/against.h"
#include "corpus/bad_records.h"
#include "dedup/checkpoint.h"
#include "search/decide.h"
#include "search/sketched.h"
#include "corpus/rarities.h"
#include "report/outputs.h"
#include "corpus/census.h"
#include "search/scorer.h"
#include "report/stage_plan.h"
#include "join/shared_filter.h"
#include "neardup/dedup.h"
#include "neardup/join.h"

namespace neardup::dedup {

class Run {
 public:
  Run(const Collection&, const Collection* against, const DedupOptions&, const Context&);
  DedupReport run();

 private:
  template <class Stage>
  void timed(const char* name, Stage&& stage) {
    const base::Stopwatch watch;
    stage();
    report_.stages.push_back({name, watch.seconds()});
  }

  void warn(std::string message);
  [[nodiscard]] report::PlanRequest plan() const;
  void plan_again(const corpus::ReadResult& so_far);
  void check_keep_fields() const;
  void check_against() const;

  // Whether an interrupted run has finished this.
  [[nodiscard]] bool is_saved(std::string_view stage) const { return checkpoint_ && checkpoint_->has(stage); }
  [[nodiscard]] bool read_is_saved() const { return is_saved("read") && (!will_search() || is_saved("sketches")); }
  void expect_to_leave();
  void resume(const char* stage, const std::function<void(base::StateReader&)>& take) {
    checkpoint_->load(stage, take);
    report_.resumed.emplace_back(stage);
  }

  // Whether near-duplicates within the collection are looked for.
  [[nodiscard]] bool searches() const { return options_.pairs.empty() && !options_.against_only; }
  // The same without what was found already.
  [[nodiscard]] bool will_search() const { return searches() && !is_saved("find"); }
  // Scores of removed documents and clusters other than components need every pair, the rest only who is connected.
  [[nodiscard]] bool needs_scores() const {
    return outputs_.writes_audit() || (options_.output.annotate && outputs_.writes_records());
  }
  [[nodiscard]] bool needs_rarities() const {
    const bool against_is_known = against_collection_ == nullptr || is_saved("against");
    return definition_.weights == Weights::tfidf && !(against_is_known && read_is_saved());
  }

  // The stages, in order.
  void count();
  void match_other();
  void read();
  void find();
  void cluster();
  void write();
  void finish();

  void scan();
  void rank();
  void save_read();
  void load_read();

  [[nodiscard]] search::SearchResult nothing_found(search::Wanted wanted) {
    return search::empty_result(read_.table.units(), wanted, base::memory_bytes(context_) / 16, context_);
  }
  void save_search();
  [[nodiscard]] search::SearchResult load_search(search::Wanted);
  search::SearchResult take_listed_pairs();
  search::SearchResult search_exactly(search::Wanted);
  void warn_of_long_search(const JoinForecast&);
  void warn_of_low_recall(double recall);

  template <class Write>
  void write_file(const char* name, Write&& write) {
    const auto sink = outputs_.open(name);
    write(*sink);
    sink->close();
  }
  // The names of all documents that are in a pair or a cluster.
  [[nodiscard]] corpus::Names names_of_related();
  [[nodiscard]] corpus::Names names_of(const std::function<bool(Row)>& is_wanted);

  const Collection& collection_;
  const Collection* against_collection_;  // null: none
  const DedupOptions& options_;
  Definition definition_;
  const Context& context_;
  base::Stopwatch watch_;
  report::Outputs outputs_;
  corpus::BadRecordLog bad_;
  std::optional<Checkpoint> checkpoint_;  // with --resume
  cluster::KeepTable keep_;
  std::unique_ptr<search::Finder> finder_;  // null: the search is exact
  std::unique_ptr<joins::SharedFilter> shared_;
  std::unique_ptr<const corpus::Rarities> rarities_;  // null unless features weigh by them
  std::vector<corpus::Reservoir::Drawn> sample_;
  std::optional<search::AgainstResult> against_;
  corpus::ReadResult read_;
  search::SearchResult search_;
  std::string search_warning_;  // that depends on the search itself
  std::vector<double> scores_;  // search::leader_scores(), when needed
  std::optional<search::SimilarityOracle> oracle_;
  std::optional<search::Decision> decision_;
  search::ClusterList clusters_;
  corpus::Names names_;
  DedupReport report_;
  bool planned_again_ = false;
};

}  // namespace neardup::dedup
