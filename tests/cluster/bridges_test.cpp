// Bridges are those of the definition, and cores keep what docs/algorithms/clusters.md promises of them.
#include "cluster/bridges.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "base/random.h"
#include "neardup/cluster.h"

namespace neardup::cluster {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Links = std::vector<Link>;
using Place = std::pair<std::uint32_t, std::uint32_t>;
using Groups = std::vector<std::uint32_t>;  // by node: the smallest node of its group

Groups groups_of(std::size_t nodes, const Links& links) {
  Groups group(nodes);
  std::iota(group.begin(), group.end(), 0u);
  for (bool changed = true; changed;) {
    changed = false;
    for (const Link& link : links) {
      const std::uint32_t least = std::min(group[link.a], group[link.b]);
      changed |= group[link.a] != least || group[link.b] != least;
      group[link.a] = group[link.b] = least;
    }
  }
  return group;
}

Links without(Links links, const Link& gone) {
  std::erase_if(links, [&](const Link& link) { return link.a == gone.a && link.b == gone.b; });
  return links;
}

// How many nodes are on the two sides of a link once it is gone; nothing when it is not a bridge.
std::optional<std::pair<std::size_t, std::size_t>> sides(std::size_t nodes, const Links& links, const Link& link) {
  const Groups group = groups_of(nodes, without(links, link));
  if (group[link.a] == group[link.b]) return std::nullopt;
  return std::pair<std::size_t, std::size_t>(std::ranges::count(group, group[link.a]),
                                             std::ranges::count(group, group[link.b]));
}

bool separates_groups(std::size_t nodes, const Links& links, const Link& link) {
  const auto size = sides(nodes, links, link);
  return size && size->first >= 2 && size->second >= 2;
}

// The definition, carried out literally: take out the weakest pair that connects two groups, and look again.
Links naive_core(std::size_t nodes, Links links) {
  while (true) {
    const Link* weakest = nullptr;
    for (const Link& link : links) {
      if (!separates_groups(nodes, links, link)) continue;
      if (weakest == nullptr ||
          std::tuple(link.strength, link.a, link.b) < std::tuple(weakest->strength, weakest->a, weakest->b))
        weakest = &link;
    }
    if (weakest == nullptr) return links;
    links = without(std::move(links), Link(*weakest));
  }
}

BridgeSearch search_of(std::size_t nodes, const Links& links) {
  BridgeSearch search(nodes);
  for (const Link& link : links) search.add(link);
  return search;
}

Groups core_of(std::size_t nodes, const Links& links) {
  UnionFind core = search_of(nodes, links).core();
  Groups group(nodes);
  for (std::uint32_t node = 0; node < nodes; ++node) group[node] = core.find(node);
  return group;
}

std::vector<Place> places(const Links& links) {
  std::vector<Place> out;
  for (const Link& link : links) out.emplace_back(link.a, link.b);
  return out;
}

// Trees, rings, cliques and what lies between, with few different strengths so that ties occur.
Links random_links(std::size_t nodes, base::Random& random) {
  std::map<Place, double> links;
  for (std::uint64_t left = random.below(2 * nodes + 1); left > 0; --left) {
    const auto a = static_cast<std::uint32_t>(random.below(nodes)), b = static_cast<std::uint32_t>(random.below(nodes));
    if (a != b) links.emplace(std::minmax(a, b), static_cast<double>(random.below(4)) / 10);
  }
  Links out;
  for (const auto& [place, strength] : links) out.push_back({place.first, place.second, strength});
  for (std::size_t i = out.size(); i > 1; --i) std::swap(out[i - 1], out[random.below(i)]);
  return out;
}

TEST(Bridges, AreLinksOnNoCycle) {
  // A triangle 0 1 2, a tail 2 - 3 - 4, and a pair apart.
  const BridgeSearch search = search_of(7, {{0, 1, 0}, {1, 2, 0}, {0, 2, 0}, {2, 3, 0}, {3, 4, 0}, {5, 6, 0}});
  EXPECT_THAT(places(search.bridges()), ElementsAre(Place(2, 3), Place(3, 4), Place(5, 6)));
  EXPECT_THAT(places(search.inner_bridges()), ElementsAre(Place(2, 3)));
}

TEST(Bridges, AreNoneInEmptyGraphs) {
  EXPECT_THAT(search_of(0, {}).bridges(), IsEmpty());
  EXPECT_THAT(search_of(3, {}).bridges(), IsEmpty());
  EXPECT_THAT(core_of(3, {}), ElementsAre(0, 1, 2));
}

TEST(Bridges, FollowTheirDefinitionOnRandomGraphs) {
  base::Random random(3);
  for (int round = 0; round < 1500; ++round) {
    const std::size_t nodes = 1 + random.below(14);
    const Links links = random_links(nodes, random);
    std::vector<Place> bridges, inner;
    for (const Link& link : links) {
      if (sides(nodes, links, link)) bridges.emplace_back(link.a, link.b);
      if (separates_groups(nodes, links, link)) inner.emplace_back(link.a, link.b);
    }
    std::ranges::sort(bridges);
    std::ranges::sort(inner);
    ASSERT_EQ(places(search_of(nodes, links).bridges()), bridges) << round;
    ASSERT_EQ(places(search_of(nodes, links).inner_bridges()), inner) << round;
  }
}

TEST(Core, SeparatesTwoGroupsThatASinglePairConnects) {
  const Links two_triangles{{0, 1, 1}, {0, 2, 1}, {1, 2, 1}, {2, 3, 0.9}, {3, 4, 1}, {3, 5, 1}, {4, 5, 1}};
  EXPECT_THAT(core_of(6, two_triangles), ElementsAre(0, 0, 0, 3, 3, 3));
}

TEST(Core, KeepsGroupsTogetherThatTwoPairsConnect) {
  const Links two_pairs_between{{0, 1, 1}, {2, 3, 1}, {0, 2, 0.8}, {1, 3, 0.8}};
  EXPECT_THAT(core_of(4, two_pairs_between), ElementsAre(0, 0, 0, 0));
}

TEST(Core, CutsAChainAtItsWeakestPairFirst) {
  const Links chain{{0, 1, 0.9}, {1, 2, 0.85}, {2, 3, 0.8}, {3, 4, 0.85}, {4, 5, 0.9}};
  EXPECT_THAT(core_of(6, chain), ElementsAre(0, 0, 0, 3, 3, 3));
}

TEST(Core, LeavesAStarWhole) {
  EXPECT_THAT(core_of(5, {{0, 2, 0.8}, {1, 2, 0.9}, {2, 3, 0.8}, {2, 4, 0.7}}), ElementsAre(0, 0, 0, 0, 0));
}

TEST(Core, BreaksTiesByTheFirstPairInInputOrder) {
  // Either inner link could go; the first one does, after which the other has a single node on one side.
  EXPECT_THAT(core_of(5, {{0, 1, 0.8}, {1, 2, 0.8}, {2, 3, 0.8}, {3, 4, 0.8}}), ElementsAre(0, 0, 2, 2, 2));
}

TEST(Core, FollowsItsDefinitionOnRandomGraphs) {
  base::Random random(4);
  for (int round = 0; round < 1500; ++round) {
    const std::size_t nodes = 1 + random.below(14);
    const Links links = random_links(nodes, random);
    ASSERT_EQ(core_of(nodes, links), groups_of(nodes, naive_core(nodes, links))) << round;
  }
}

TEST(Core, KeepsItsPromisesOnRandomGraphs) {
  base::Random random(5);
  for (int round = 0; round < 1500; ++round) {
    const std::size_t nodes = 1 + random.below(14);
    const Links links = random_links(nodes, random);
    const Groups core = core_of(nodes, links), component = groups_of(nodes, links);
    Links inside, between;
    for (const Link& link : links) (core[link.a] == core[link.b] ? inside : between).push_back(link);
    // A core is connected by its own pairs, and no single one of them connects two groups.
    ASSERT_EQ(groups_of(nodes, inside), core) << round;
    for (const Link& link : inside) ASSERT_FALSE(separates_groups(nodes, inside, link)) << round;
    // Only bridges are cut, so cores of a component form a tree.
    for (const Link& link : between) ASSERT_TRUE(sides(nodes, links, link)) << round;
    const std::set<std::uint32_t> cores(core.begin(), core.end()), components(component.begin(), component.end());
    ASSERT_EQ(between.size(), cores.size() - components.size()) << round;
    // Nothing that has a neighbour is left alone.
    for (const Link& link : links) {
      ASSERT_GE(std::ranges::count(core, core[link.a]), 2) << round;
      ASSERT_GE(std::ranges::count(core, core[link.b]), 2) << round;
    }
  }
}

TEST(Core, DoesNotDependOnTheOrderOfPairsOrOnNamesUnlessStrengthsTie) {
  base::Random random(6);
  for (int round = 0; round < 500; ++round) {
    const std::size_t nodes = 2 + random.below(14);
    Links links = random_links(nodes, random);
    for (std::size_t i = 0; i < links.size(); ++i) links[i].strength = static_cast<double>(i);
    std::vector<std::uint32_t> renamed(nodes);
    std::iota(renamed.begin(), renamed.end(), 0u);
    for (std::size_t i = nodes; i > 1; --i) std::swap(renamed[i - 1], renamed[random.below(i)]);
    Links others;
    for (const Link& link : links) {
      const auto [a, b] = std::minmax(renamed[link.a], renamed[link.b]);
      others.insert(others.begin(), {a, b, link.strength});
    }
    const Groups core = core_of(nodes, links), other = core_of(nodes, others);
    for (std::uint32_t a = 0; a < nodes; ++a) {
      for (std::uint32_t b = 0; b < nodes; ++b)
        ASSERT_EQ(core[a] == core[b], other[renamed[a]] == other[renamed[b]]) << round;
    }
  }
}

TEST(Core, TakesALongChainAndALongRingInLinearTime) {
  constexpr std::uint32_t kNodes = 200000;
  BridgeSearch chain(kNodes), ring(kNodes);
  for (std::uint32_t i = 0; i + 1 < kNodes; ++i) {
    chain.add({i, i + 1, static_cast<double>(i % 7)});
    ring.add({i, i + 1, 1});
  }
  ring.add({0, kNodes - 1, 1});
  EXPECT_EQ(chain.bridges().size(), kNodes - 1u);
  EXPECT_EQ(ring.bridges().size(), 0u);
  UnionFind whole = ring.core();
  EXPECT_TRUE(whole.same(1, kNodes - 1));
  EXPECT_FALSE(chain.core().same(0, kNodes - 1));
}

// As a list of pairs may have them: turned round, and some of them several times.
std::vector<Pair> listed(const Links& links, base::Random& random) {
  std::vector<Pair> pairs;
  for (const Link& link : links) {
    pairs.push_back({link.b, link.a, link.strength});
    if (random.below(3) == 0) pairs.push_back({link.a, link.b, link.strength - 5});
  }
  return pairs;
}

TEST(ClusterBuilderCore, GivesTheCoresOfItsPairsAndCountsARepeatedPairOnce) {
  base::Random random(7);
  for (int round = 0; round < 500; ++round) {
    const std::size_t nodes = 1 + random.below(14);
    const Links links = random_links(nodes, random);
    ClusterBuilder builder(nodes, ClusterKind::core);
    builder.accept(listed(links, random));
    const Clusters clusters = builder.finish();
    const Groups core = core_of(nodes, links);
    for (std::size_t node = 0; node < nodes; ++node) ASSERT_EQ(clusters.representative(node), core[node]) << round;
  }
}

TEST(ClusterBuilderCore, CutsTheLargestDistanceFirst) {
  const std::vector<Pair> chain{{0, 1, 1}, {1, 2, 1}, {2, 3, 3}, {3, 4, 1}};
  ClusterBuilder similar(5, ClusterKind::core), distant(5, ClusterKind::core);
  distant.scores_are_distances();
  similar.accept(chain);
  distant.accept(chain);
  EXPECT_EQ(similar.finish().representative(2), 2u);
  EXPECT_EQ(distant.finish().representative(2), 0u);
}

}  // namespace
}  // namespace neardup::cluster
