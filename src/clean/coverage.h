// Which queries are worth their work, when many of them show the same documents?
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "clean/policy.h"
#include "clean/results.h"
#include "neardup/context.h"

namespace neardup::clean {

// The order in which queries add most. A document weighs as often as people see it among the results of any query;
// chosen next is the query whose results hold most weight that no chosen one has, per unit of work: its results, and
// what a query costs besides. Since what a query adds only ever shrinks, an old figure is an upper bound and only the
// best few are reckoned anew (lazy evaluation). Ties by rank. `most` 0: all; those that add nothing come last, by rank.
//
// Looks at the first hundred results of each query, or as many as the policy looks at: four hundred bytes a query.
std::vector<QueryNumber> order_by_coverage(const ResultSource&, const Policy&, std::span<const std::uint64_t> counts,
                                           std::size_t documents, std::size_t most, const Context&);

}  // namespace neardup::clean
