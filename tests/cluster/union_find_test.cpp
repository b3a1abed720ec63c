#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include "cluster/cluster.h"
#include "neardup/error.h"

namespace neardup::cluster {
namespace {

using Edges = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

Edges random_edges(std::uint32_t nodes, std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random{seed};
  Edges edges;
  for (std::size_t i = 0; i < count; ++i)
    edges.emplace_back(static_cast<std::uint32_t>(random() % nodes), static_cast<std::uint32_t>(random() % nodes));
  return edges;
}

// The smallest node that each node is connected with, by spreading labels until nothing changes.
std::vector<std::uint32_t> naive_components(std::uint32_t nodes, const Edges& edges) {
  std::vector<std::uint32_t> label(nodes);
  for (std::uint32_t i = 0; i < nodes; ++i) label[i] = i;
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& [a, b] : edges) {
      const auto least = std::min(label[a], label[b]);
      changed |= label[a] != least || label[b] != least;
      label[a] = label[b] = least;
    }
  }
  return label;
}

std::vector<std::uint32_t> roots(UnionFind& sets) {
  std::vector<std::uint32_t> all;
  for (std::uint32_t i = 0; i < sets.size(); ++i) all.push_back(sets.find(i));
  return all;
}

TEST(UnionFind, StartsWithEveryoneAlone) {
  UnionFind sets{3};
  EXPECT_EQ(roots(sets), (std::vector<std::uint32_t>{0, 1, 2}));
}

TEST(UnionFind, IsFineWithNoMembers) { EXPECT_EQ(UnionFind{0}.size(), 0u); }

TEST(UnionFind, RefusesMoreMembersThanItsNumbersCanName) { EXPECT_THROW(UnionFind{(std::size_t{1} << 32) + 1}, Error); }

TEST(UnionFind, SaysWhetherAUnionChangedAnything) {
  UnionFind sets{3};
  EXPECT_TRUE(sets.unite(2, 1));
  EXPECT_FALSE(sets.unite(1, 2));
  EXPECT_FALSE(sets.unite(0, 0));
  EXPECT_TRUE(sets.same(1, 2));
  EXPECT_FALSE(sets.same(0, 2));
}

TEST(UnionFind, NamesASetByItsSmallestMemberWhateverTheOrder) {
  UnionFind sets{5};
  sets.unite(4, 3);
  sets.unite(2, 4);
  sets.unite(3, 1);
  EXPECT_EQ(roots(sets), (std::vector<std::uint32_t>{0, 1, 1, 1, 1}));
}

TEST(UnionFind, FindsTheComponentsOfRandomGraphs) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const auto nodes = static_cast<std::uint32_t>(1 + seed % 50);
    const auto edges = random_edges(nodes, seed % 60, seed);
    UnionFind sets{nodes};
    for (const auto& [a, b] : edges) sets.unite(a, b);
    ASSERT_EQ(roots(sets), naive_components(nodes, edges)) << seed;
  }
}

TEST(UnionFind, GivesTheSameSetsOnEightThreadsAsOnOne) {
  constexpr std::uint32_t kNodes = 20'000;
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    Edges edges = random_edges(kNodes, 15'000, seed);
    for (std::uint32_t i = kNodes / 2; i + 1 < kNodes; ++i) edges.emplace_back(i + 1, i);  // all fight for one root
    UnionFind sequential{kNodes}, concurrent{kNodes};
    std::size_t expected_unions = 0;
    for (const auto& [a, b] : edges) expected_unions += sequential.unite(a, b);

    std::atomic<std::size_t> unions{0};
    {
      std::vector<std::jthread> threads;
      for (std::size_t thread = 0; thread < 8; ++thread)
        threads.emplace_back([&, thread] {
          for (std::size_t i = thread; i < edges.size(); i += 8)
            if (concurrent.unite(edges[i].first, edges[i].second)) ++unions;
        });
    }
    ASSERT_EQ(roots(concurrent), roots(sequential)) << seed;
    ASSERT_EQ(unions, expected_unions) << seed;
  }
}

TEST(UnionFind, StaysFastOnAChainLinkedFromItsFarEnd) {
  constexpr std::uint32_t kNodes = 1'000'000;
  UnionFind sets{kNodes};
  for (std::uint32_t i = kNodes - 1; i > 0; --i) sets.unite(i, i - 1);
  EXPECT_EQ(sets.find(kNodes - 1), 0u);
}

}  // namespace
}  // namespace neardup::cluster
