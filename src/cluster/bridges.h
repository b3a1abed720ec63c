// Which single pairs hold a cluster together?
//
// Nodes are distinct documents, links their similar pairs. A *bridge* is a link without which its two ends would not be
// connected. docs/algorithms/clusters.md has the definitions and the proofs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cluster/cluster.h"

namespace neardup::cluster {

struct Link {
  std::uint32_t a, b;  // a < b
  double strength;     // larger is stronger; not NaN
};

// Finds all bridges of a graph that streams by. Keeps a spanning forest and a second one of the remaining links: that
// is enough to know every bridge. About 64 bytes per node, whatever the number of links; near-linear time.
// Threads: one at a time.
class BridgeSearch {
 public:
  explicit BridgeSearch(std::size_t nodes);

  void add(const Link&);  // each link once, in any order

  // In the order of (a, b).
  [[nodiscard]] std::vector<Link> bridges() const;
  // Those that connect two groups of at least two nodes each, in the same order.
  [[nodiscard]] std::vector<Link> inner_bridges() const;
  // Takes out bridges, weakest first and among equals by (a, b), as long as at least two nodes are on either side, and
  // returns what is still connected.
  [[nodiscard]] UnionFind core() const;

  static constexpr std::size_t kBytesPerNode = 64;

 private:
  [[nodiscard]] std::vector<std::uint32_t> degrees() const;

  std::size_t nodes_;
  UnionFind first_, second_;
  std::vector<Link> forest_;  // of first_
  std::vector<Link> rest_;    // of second_: connects what the first forest already does
};

}  // namespace neardup::cluster
