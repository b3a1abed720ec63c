// Which clusters do the documents of a sample form at several thresholds?
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "advise/sample.h"
#include "neardup/context.h"
#include "neardup/definition.h"

namespace neardup::advising {

struct SampleClusters {
  Threshold threshold;
  std::vector<std::uint32_t> sizes;  // documents of each cluster, single ones included
  double cpu_seconds = 0;            // of this join
};

// Connected components, by exact joins of what the sample kept of the sets. `thresholds` are of Jaccard, descending:
// what a higher one connects stays connected. Only connections are looked for, so large clusters cost no more than
// their documents. Documents without features are not in any.
std::vector<SampleClusters> cluster_sample(const Sample&, std::span<const Threshold> thresholds, const Context&);

}  // namespace neardup::advising
