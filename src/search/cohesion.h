// Do the members of each cluster agree with each other, or does a chain connect them?
#pragma once

#include <cstdint>
#include <vector>

#include "corpus/units.h"
#include "neardup/cluster.h"
#include "neardup/dedup.h"
#include "search/found.h"
#include "search/scorer.h"

namespace neardup::search {

struct CohesionRequest {
  const corpus::Units& units;
  const Found& found;  // with all pairs
  const Scorer& scorer;
  const Clusters& clusters;
  Measure measure;
  std::uint64_t seed;
};

// By cluster. Linear in the pairs. What an inexact finder did not offer is compared here: all pairs of a small cluster,
// some of a large one.
std::vector<ClusterCohesion> measure_cohesion(const CohesionRequest&, const Context&);

}  // namespace neardup::search
