// Everything needed to understand a run and to run it again: run.json.
#pragma once

#include <cstdint>
#include <string>

#include "neardup/dedup.h"
#include "neardup/pairs.h"

namespace neardup::report {

struct RunFacts {
  const Definition& definition;  // the one in force; for `sets` inputs it differs from the options'
  const Collection* against = nullptr;
  std::uint64_t text_bytes = 0;
  std::uint64_t features = 0;  // over all distinct documents
};

// What `pairs --stats` writes.
std::string stats_json(const PairsReport&);

std::string run_record(const Collection&, const DedupOptions&, const RunFacts&, const DedupReport&, const Context&);

}  // namespace neardup::report
