#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <string_view>
#include <utility>
#include <vector>

#include "cluster/cluster.h"
#include "neardup/error.h"

namespace neardup::cluster {
namespace {

using Ranks = std::vector<std::uint32_t>;
using Matrix = std::vector<std::vector<bool>>;

PairStream stream(std::vector<RankedPair> pairs) {
  return [pairs = std::move(pairs)](const std::function<void(RankedPair)>& take) {
    for (const RankedPair pair : pairs) take(pair);
  };
}

PairStream by_before(const Matrix& near) {
  std::vector<RankedPair> pairs;
  for (std::uint32_t i = 0; i < near.size(); ++i)
    for (std::uint32_t j = i + 1; j < near.size(); ++j)
      if (near[i][j]) pairs.push_back({i, j});
  return stream(std::move(pairs));
}

PairStream by_after(const Matrix& near) {
  std::vector<RankedPair> pairs;
  for (std::uint32_t j = 0; j < near.size(); ++j)
    for (std::uint32_t i = 0; i < j; ++i)
      if (near[i][j]) pairs.push_back({i, j});
  return stream(std::move(pairs));
}

// The definitions, document by document in keep order: each one's leader is its cluster's first document.
Ranks naive_star(const Matrix& near) {
  std::vector<std::optional<std::uint32_t>> taken_by(near.size());
  for (std::uint32_t document = 0; document < near.size(); ++document) {
    if (taken_by[document]) continue;
    taken_by[document] = document;
    for (std::uint32_t other = 0; other < near.size(); ++other)
      if (near[document][other] && !taken_by[other]) taken_by[other] = document;
  }
  Ranks leader;
  for (const auto& by : taken_by) leader.push_back(*by);
  return leader;
}

Ranks naive_complete(const Matrix& near) {
  std::vector<Ranks> clusters;
  Ranks leader;
  for (std::uint32_t document = 0; document < near.size(); ++document) {
    const auto home = std::find_if(clusters.begin(), clusters.end(), [&](const Ranks& members) {
      return std::all_of(members.begin(), members.end(), [&](std::uint32_t member) { return near[document][member]; });
    });
    if (home == clusters.end()) {
      clusters.push_back({document});
      leader.push_back(document);
    } else {
      home->push_back(document);
      leader.push_back(home->front());
    }
  }
  return leader;
}

Matrix random_graph(std::size_t nodes, unsigned percent, std::mt19937_64& random) {
  Matrix near(nodes, std::vector<bool>(nodes));
  for (std::size_t i = 0; i < nodes; ++i)
    for (std::size_t j = i + 1; j < nodes; ++j) near[i][j] = near[j][i] = random() % 100 < percent;
  return near;
}

TEST(Star, MakesTheMostPreferredUnitACentreThatTakesItsNeighbours) {
  // 0 - 1 - 2 - 3: 0 takes 1; 2 is not taken and takes 3.
  EXPECT_EQ(star(4, stream({{0, 1}, {1, 2}, {2, 3}})), (Ranks{0, 0, 2, 2}));
}

TEST(Star, LetsUnitsWithoutPairsLeadThemselves) { EXPECT_EQ(star(3, stream({{0, 2}})), (Ranks{0, 1, 0})); }

TEST(Complete, JoinsTheEarliestClusterOfNeighboursOnly) {
  // 0 - 1, 0 - 2, 1 - 3, 2 - 3: 1 joins 0; 2 is not near 1 and starts its own; 3 is near 1 but not 0, so it joins 2.
  EXPECT_EQ(complete(4, stream({{0, 1}, {0, 2}, {1, 3}, {2, 3}})), (Ranks{0, 0, 2, 2}));
}

TEST(Complete, PrefersTheClusterWithTheEarlierLeader) {
  // 2 could join 0 or 1.
  EXPECT_EQ(complete(3, stream({{0, 2}, {1, 2}})), (Ranks{0, 1, 0}));
}

TEST(Complete, CountsAPairThatComesTwiceOnce) {
  // 0 and 1 are together; 2 is near 0 only.
  EXPECT_EQ(complete(3, stream({{0, 1}, {0, 2}, {0, 2}})), (Ranks{0, 0, 2}));
}

TEST(Clusters, AreEmptyWithoutUnits) {
  EXPECT_EQ(star(0, stream({})), Ranks{});
  EXPECT_EQ(complete(0, stream({})), Ranks{});
}

TEST(Clusters, FollowTheirDefinitionsOnRandomGraphs) {
  std::mt19937_64 random{11};
  for (int round = 0; round < 3000; ++round) {
    const Matrix near = random_graph(random() % 25, static_cast<unsigned>(random() % 101), random);
    ASSERT_EQ(star(near.size(), by_before(near)), naive_star(near)) << round;
    ASSERT_EQ(complete(near.size(), by_after(near)), naive_complete(near)) << round;
  }
}

// Documents in keep order, each a copy of some unit. Copies are near each other and have the same neighbours.
struct Copies {
  Ranks unit_of;     // by document, units numbered by their best copy
  Ranks best_copy;   // by unit
  Matrix units;      // which units are near
  Matrix documents;  // which documents are near
};

Copies random_copies(std::mt19937_64& random) {
  const std::size_t kinds = 1 + random() % 8;
  const std::size_t count = kinds + random() % 16;
  Copies copies;
  std::map<std::uint64_t, std::uint32_t> unit_of_kind;
  for (std::uint32_t document = 0; document < count; ++document) {
    const auto [kind, fresh] =
        unit_of_kind.try_emplace(random() % kinds, static_cast<std::uint32_t>(unit_of_kind.size()));
    if (fresh) copies.best_copy.push_back(document);
    copies.unit_of.push_back(kind->second);
  }
  copies.units = random_graph(unit_of_kind.size(), static_cast<unsigned>(20 + random() % 70), random);
  copies.documents.assign(count, std::vector<bool>(count));
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < count; ++j) {
      const auto a = copies.unit_of[i], b = copies.unit_of[j];
      copies.documents[i][j] = i != j && (a == b || copies.units[a][b]);
    }
  return copies;
}

Ranks expand(const Copies& copies, const Ranks& leader_of_unit) {
  Ranks leader;
  for (const std::uint32_t unit : copies.unit_of) leader.push_back(copies.best_copy[leader_of_unit[unit]]);
  return leader;
}

TEST(Clusters, OfUnitsAreTheClustersOfTheirCopies) {
  std::mt19937_64 random{13};
  for (int round = 0; round < 20'000; ++round) {
    const Copies copies = random_copies(random);
    const std::size_t units = copies.units.size();
    ASSERT_EQ(expand(copies, star(units, by_before(copies.units))), naive_star(copies.documents)) << round;
    ASSERT_EQ(expand(copies, complete(units, by_after(copies.units))), naive_complete(copies.documents)) << round;
  }
}

TEST(Clusters, AreLedByTheirMostPreferredUnit) {
  std::mt19937_64 random{17};
  for (int round = 0; round < 500; ++round) {
    const Matrix near = random_graph(20, 30, random);
    for (const Ranks& leaders : {star(20, by_before(near)), complete(20, by_after(near))})
      for (std::uint32_t unit = 0; unit < 20; ++unit) {
        ASSERT_LE(leaders[unit], unit);
        ASSERT_EQ(leaders[leaders[unit]], leaders[unit]);
      }
  }
}

TEST(ClusterKind, IsReadFromItsName) {
  for (const auto kind : {ClusterKind::components, ClusterKind::star, ClusterKind::complete})
    EXPECT_EQ(parse_cluster_kind(to_string(kind)), kind);
  for (const std::string_view text : {"", "Star", "stars", "clique"}) EXPECT_THROW(parse_cluster_kind(text), Error);
}

}  // namespace
}  // namespace neardup::cluster
