// Everything needed to understand a run and to run it again: run.json.
#pragma once

#include <cstdint>
#include <string>

#include "dedup/plan.h"
#include "neardup/dedup.h"

namespace neardup::dedup {

// `features`: over all distinct documents.
std::string run_record(const Plan&, std::uint64_t features, const DedupReport&, const Context&);

}  // namespace neardup::dedup
