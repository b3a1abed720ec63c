// Which documents form clusters, given their similar pairs and an order of preference?
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/state.h"
#include "neardup/cluster.h"
#include "neardup/pair.h"

namespace neardup::cluster {

// Disjoint sets over 0..n-1. A set's root is its smallest member, whatever the order of the unions. Four bytes a
// member; an operation takes O(log n) steps on average over any sequence of them. Threads: unite() and find() may run
// concurrently with each other (lock-free); the final state does not depend on timing.
class UnionFind {
 public:
  explicit UnionFind(std::size_t size);  // Error{limit} above 2^32
  std::uint32_t find(std::uint32_t x);
  bool unite(std::uint32_t a, std::uint32_t b);  // true when they were apart
  bool same(std::uint32_t a, std::uint32_t b) { return find(a) == find(b); }
  [[nodiscard]] std::size_t size() const noexcept { return parent_.size(); }
  void save(base::StateWriter& out) const { out.array(parent_); }
  void load(base::StateReader&);  // of the same size

 private:
  std::vector<std::uint32_t> parent_;  // accessed through std::atomic_ref
};

// A pair by keep rank: `before` is preferred to `after` (a smaller rank).
struct RankedPair {
  std::uint32_t before, after;
  bool follows = true;  // complete: `after` may be in a cluster that `before` leads
};

// Calls its argument with every pair, in ascending order of (before, after) or of (after, before).
using PairStream = std::function<void(const std::function<void(RankedPair)>&)>;

// For each unit (named by its keep rank: 0 is the most preferred) the rank of the unit that leads its cluster; a unit
// that leads itself is its own. Units are distinct feature sets, ranked by the best of their copies;
// docs/algorithms/clusters.md shows why that gives the clusters of the documents. Both need a few words a unit beside
// the stream, and a pair that comes twice in a row counts once.
std::vector<std::uint32_t> star(std::size_t units, const PairStream& by_before);     // order (before, after)
std::vector<std::uint32_t> complete(std::size_t units, const PairStream& by_after);  // order (after, before)

}  // namespace neardup::cluster
