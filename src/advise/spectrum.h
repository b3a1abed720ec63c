// How many clusters does a collection have, and how many documents would be removed, when only a share was examined?
//
// A cluster of n documents shows k of them in the sample with the probability of a binomial distribution. The sizes
// that were seen are explained by the mixture of true sizes that makes them most likely (a non-negative deconvolution,
// by the multiplicative updates of expectation maximisation). Scaling the removals in the sample would be wrong: a pair
// is seen whole only with the square of the share.
#pragma once

#include <cstdint>
#include <span>

#include "neardup/advise.h"

namespace neardup::advising {

struct ClusterEstimate {
  Estimate clusters;  // of two documents and more
  Estimate removed;   // documents beyond the first of each
};

// `sizes`: of the clusters seen, single documents included. `share`: the chance of a document to be in the sample.
// With share 1 the counts themselves. The interval is that of a bootstrap over clusters.
ClusterEstimate estimate_clusters(std::span<const std::uint32_t> sizes, double share, std::uint64_t seed);

}  // namespace neardup::advising
