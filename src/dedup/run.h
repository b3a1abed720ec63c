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
#include "dedup/against.h"
#include "dedup/bad_records.h"
#include "dedup/checkpoint.h"
#include "dedup/decide.h"
#include "dedup/find_pairs.h"
#include "dedup/frequency_pass.h"
#include "dedup/outputs.h"
#include "dedup/read_pass.h"
#include "dedup/similarity_oracle.h"
#include "dedup/stage_plan.h"
#include "join/shared_filter.h"
#include "neardup/dedup.h"
#include "neardup/join.h"

namespace neardup::dedup {

class Run {
 public:
  Run(const Collection&, const Collection* against, const DedupOptions&, Context&);
  DedupReport run();

 private:
  template <class Stage>
  void timed(const char* name, Stage&& stage) {
    const base::Stopwatch watch;
    stage();
    report_.stages.push_back({name, watch.seconds()});
  }

  void warn(std::string message);
  [[nodiscard]] PlanRequest plan() const;
  void plan_again(const ReadResult& so_far);
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

  [[nodiscard]] SearchResult nothing_found(Wanted wanted) {
    return empty_result(read_.table.units(), wanted, base::memory_bytes(context_) / 16, context_);
  }
  void save_search();
  [[nodiscard]] SearchResult load_search(Wanted);
  SearchResult take_listed_pairs();
  SearchResult search_exactly(Wanted);
  void warn_of_long_search(const JoinForecast&);
  void warn_of_low_recall(double recall);

  template <class Write>
  void write_file(const char* name, Write&& write) {
    const auto sink = outputs_.open(name);
    write(*sink);
    sink->close();
  }
  // The names of all documents that are in a pair or a cluster.
  [[nodiscard]] Names names_of_related();
  [[nodiscard]] Names names_of(const std::function<bool(Row)>& is_wanted);

  const Collection& collection_;
  const Collection* against_collection_;  // null: none
  const DedupOptions& options_;
  Definition definition_;
  Context& context_;
  base::Stopwatch watch_;
  Outputs outputs_;
  BadRecordLog bad_;
  std::optional<Checkpoint> checkpoint_;  // with --resume
  cluster::KeepTable keep_;
  std::unique_ptr<find::Finder> finder_;  // null: the search is exact
  std::unique_ptr<joins::SharedFilter> shared_;
  std::unique_ptr<const Rarities> rarities_;  // null unless features weigh by them
  std::vector<Reservoir::Drawn> sample_;
  std::optional<AgainstResult> against_;
  ReadResult read_;
  SearchResult search_;
  std::string search_warning_;  // that depends on the search itself
  std::vector<double> scores_;  // leader_scores(), when needed
  std::optional<SimilarityOracle> oracle_;
  std::optional<Decision> decision_;
  ClusterList clusters_;
  Names names_;
  DedupReport report_;
  bool planned_again_ = false;
};

}  // namespace neardup::dedup
