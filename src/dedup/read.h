// What is known of every document before any pair is looked for.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "cluster/keep_rules.h"
#include "corpus/bad_records.h"
#include "corpus/bottom_sample.h"
#include "corpus/corpus.h"
#include "corpus/rarities.h"
#include "dedup/checkpoint.h"
#include "dedup/plan.h"
#include "report/page/near_misses.h"
#include "report/run_frame.h"
#include "report/stage_plan.h"
#include "search/against.h"
#include "search/exact.h"
#include "search/finder.h"
#include "search/ignore.h"

namespace neardup::dedup {

struct Reading {
  corpus::Corpus corpus;
  cluster::KeepTable keep;
  Reservation keep_memory;
  std::optional<AuthorityReport> authority;  // when a keep rule asked for it
  search::Ignored ignored{};
  report::NearMisses near_misses{};  // for the page, where there is one

  // For the search to come.
  std::unique_ptr<search::Finder> finder;  // null: the search is exact
  search::SeenSets seen;
  std::vector<corpus::BottomSample::Drawn> sample;
  Reservation sketch_memory, sample_memory;
};

// Rows that take no part.
struct LeftOut {
  const PerRow<bool>* rows = nullptr;  // null: none
  const search::Against* against =
      nullptr;  // null: they were not compared with another collection, which measures recall
};

// `bad` is closed afterwards.
Reading read(const Plan&, const LeftOut&, const corpus::Rarities*, corpus::BadRecordLog& bad, const report::Outputs&,
             Checkpoint&, report::RunFrame&, const Context&);

// Gives the keep rule `authority` its scores.
std::optional<AuthorityReport> rank(const Plan&, const corpus::Corpus&, cluster::KeepTable&, report::RunFrame&,
                                    const Context&);

// Whether features have to be counted, because they weigh by rarity and something has to be read.
bool will_count(const Plan&, const Checkpoint&);

// The stages to come.
report::PlanRequest stages_of(const Plan&, const report::Outputs&, const Checkpoint&);

}  // namespace neardup::dedup
