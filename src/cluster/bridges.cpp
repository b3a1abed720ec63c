#include "cluster/bridges.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <tuple>
#include <utility>

namespace neardup::cluster {
namespace {

constexpr std::uint32_t kNone = 0xffffffff;

// The spanning forest hung up at one node of each tree.
struct RootedForest {
  std::vector<std::uint32_t> parent;  // of a root: itself
  std::vector<std::uint32_t> depth;
  std::vector<std::uint32_t> link;  // to the parent, as a place in the forest; kNone for roots
};

RootedForest hang_up(std::size_t nodes, std::span<const Link> forest) {
  std::vector<std::uint32_t> begin(nodes + 1), around(2 * forest.size());
  for (const Link& link : forest) {
    ++begin[link.a];
    ++begin[link.b];
  }
  std::inclusive_scan(begin.begin(), begin.end(), begin.begin());
  for (std::uint32_t place = 0; place < forest.size(); ++place) {
    around[--begin[forest[place].a]] = place;
    around[--begin[forest[place].b]] = place;
  }
  RootedForest out{std::vector<std::uint32_t>(nodes, kNone), std::vector<std::uint32_t>(nodes),
                   std::vector<std::uint32_t>(nodes, kNone)};
  std::vector<std::uint32_t> waiting;
  for (std::uint32_t root = 0; root < nodes; ++root) {
    if (out.parent[root] != kNone) continue;
    out.parent[root] = root;
    waiting.push_back(root);
    while (!waiting.empty()) {
      const std::uint32_t at = waiting.back();
      waiting.pop_back();
      for (std::uint32_t i = begin[at]; i < begin[at + 1]; ++i) {
        const Link& link = forest[around[i]];
        const std::uint32_t next = link.a == at ? link.b : link.a;
        if (out.parent[next] != kNone) continue;
        out.parent[next] = at;
        out.depth[next] = out.depth[at] + 1;
        out.link[next] = around[i];
        waiting.push_back(next);
      }
    }
  }
  return out;
}

// Marks the links of the forest that lie on a cycle with a link of the rest. A run of marked links is stepped over at
// once: `up` leads a node to the lowest ancestor whose own link is not marked yet.
std::vector<bool> on_a_cycle(const RootedForest& tree, std::size_t links, std::span<const Link> rest) {
  std::vector<bool> marked(links);
  std::vector<std::uint32_t> up(tree.parent.size());
  std::iota(up.begin(), up.end(), 0u);
  const auto climb = [&](std::uint32_t node) {
    while (up[node] != node) node = up[node] = up[up[node]];
    return node;
  };
  for (const Link& link : rest) {
    std::uint32_t a = climb(link.a), b = climb(link.b);
    while (a != b) {
      std::uint32_t& lower = tree.depth[a] < tree.depth[b] ? b : a;
      marked[tree.link[lower]] = true;
      up[lower] = tree.parent[lower];
      lower = climb(lower);
    }
  }
  return marked;
}

bool by_place(const Link& x, const Link& y) { return std::pair(x.a, x.b) < std::pair(y.a, y.b); }

}  // namespace

BridgeSearch::BridgeSearch(std::size_t nodes) : nodes_(nodes), first_(nodes), second_(nodes) {}

void BridgeSearch::add(const Link& link) {
  assert(link.a < link.b && link.b < nodes_ && !std::isnan(link.strength));
  if (first_.unite(link.a, link.b)) {
    forest_.push_back(link);
  } else if (second_.unite(link.a, link.b)) {
    rest_.push_back(link);
  }
}

std::vector<Link> BridgeSearch::bridges() const {
  const std::vector<bool> marked = on_a_cycle(hang_up(nodes_, forest_), forest_.size(), rest_);
  std::vector<Link> out;
  for (std::size_t place = 0; place < forest_.size(); ++place)
    if (!marked[place]) out.push_back(forest_[place]);
  std::ranges::sort(out, by_place);
  return out;
}

// In the two forests; 0, 1, or 2 and more are the same as in the whole graph, also after bridges were taken out.
std::vector<std::uint32_t> BridgeSearch::degrees() const {
  std::vector<std::uint32_t> degree(nodes_);
  for (const auto& links : {std::span(forest_), std::span(rest_)}) {
    for (const Link& link : links) {
      ++degree[link.a];
      ++degree[link.b];
    }
  }
  return degree;
}

std::vector<Link> BridgeSearch::inner_bridges() const {
  const std::vector<std::uint32_t> degree = degrees();
  std::vector<Link> out = bridges();
  std::erase_if(out, [&](const Link& link) { return degree[link.a] < 2 || degree[link.b] < 2; });
  return out;
}

// A side of a bridge is a single node exactly if that end has no other link. A bridge that stays because of that stays
// for good, because degrees only fall: one pass does.
UnionFind BridgeSearch::core() const {
  std::vector<std::uint32_t> degree = degrees();
  std::vector<Link> inner = inner_bridges(), cut;
  std::ranges::sort(inner, [](const Link& x, const Link& y) {
    return std::tuple(x.strength, x.a, x.b) < std::tuple(y.strength, y.a, y.b);
  });
  for (const Link& link : inner) {
    if (degree[link.a] < 2 || degree[link.b] < 2) continue;
    --degree[link.a];
    --degree[link.b];
    cut.push_back(link);
  }
  std::ranges::sort(cut, by_place);
  UnionFind links(nodes_);
  for (const Link& link : forest_)
    if (!std::ranges::binary_search(cut, link, by_place)) links.unite(link.a, link.b);
  return links;
}

}  // namespace neardup::cluster
