// Pass one: what has to be known of every document before any pair can be looked for.
#pragma once

#include "cluster/keep_rules.h"
#include "dedup/bad_records.h"
#include "dedup/reservoir.h"
#include "dedup/units.h"
#include "find/finder.h"
#include "neardup/context.h"
#include "neardup/definition.h"
#include "neardup/document.h"

namespace neardup::dedup {

// What pass one fills, beside what it returns.
struct ReadTargets {
  find::Finder& finder;
  cluster::KeepTable& keep;
  BadRecordLog& bad;
  Reservoir* sample;  // null: recall will not be measured
};

struct ReadResult {
  UnitTable table;
  RepeatedIds ids;
  std::uint64_t without_features = 0, repaired_texts = 0, input_bytes = 0, text_bytes = 0;
  std::uint64_t content = 0;  // content_hash() over everything: later passes must meet the same
};

ReadResult read_collection(const Collection&, const Definition&, const ReadTargets&, Context&);

}  // namespace neardup::dedup
