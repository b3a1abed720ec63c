// Clusters of pairs in any order are those that the definitions give, row by row.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "neardup/cluster.h"
#include "neardup/error.h"

namespace neardup {
namespace {

using Rows = std::vector<DocId>;
using Matrix = std::vector<std::vector<bool>>;
using ::testing::ElementsAre;

constexpr ClusterKind kKinds[] = {ClusterKind::components, ClusterKind::star, ClusterKind::complete};

Rows representatives(const Clusters& clusters) {
  Rows rows;
  for (DocId row = 0; row < clusters.rows(); ++row) rows.push_back(clusters.representative(row));
  return rows;
}

Clusters cluster(std::size_t rows, ClusterKind kind, const std::vector<Pair>& pairs, const Rows& ranks = {}) {
  ClusterBuilder builder = ranks.empty() ? ClusterBuilder(rows, kind) : ClusterBuilder(rows, kind, ranks);
  EXPECT_TRUE(builder.accept(pairs));
  return builder.finish();
}

// The definitions of product and docs, one document after the other in keep order.
Rows naive(ClusterKind kind, const Matrix& near, const Rows& order) {
  constexpr DocId kNone = UINT64_MAX;
  Rows kept(near.size(), kNone);
  std::vector<Rows> clusters;
  for (const DocId row : order) {
    if (kind == ClusterKind::complete) {
      const auto fits = [&](const Rows& members) {
        return std::all_of(members.begin(), members.end(), [&](DocId member) { return near[row][member]; });
      };
      auto home = std::find_if(clusters.begin(), clusters.end(), fits);
      if (home == clusters.end()) home = clusters.insert(home, Rows{});
      home->push_back(row);
      kept[row] = home->front();
      continue;
    }
    if (kept[row] != kNone) continue;
    Rows waiting{row};
    kept[row] = row;
    while (!waiting.empty()) {
      const DocId at = waiting.back();
      waiting.pop_back();
      for (DocId next = 0; next < near.size(); ++next) {
        if (kept[next] != kNone || !near[at][next]) continue;
        kept[next] = row;
        if (kind == ClusterKind::components) waiting.push_back(next);
      }
    }
  }
  return kept;
}

struct RandomGraph {
  Matrix near;
  std::vector<Pair> pairs;  // in any order, some turned round, some twice
};

RandomGraph random_graph(std::mt19937_64& random) {
  const std::size_t rows = random() % 25;
  const auto percent = random() % 60;
  RandomGraph graph{.near = Matrix(rows, std::vector<bool>(rows)), .pairs = {}};
  for (DocId a = 0; a < rows; ++a) {
    for (DocId b = a + 1; b < rows; ++b) {
      if (random() % 100 >= percent) continue;
      graph.near[a][b] = graph.near[b][a] = true;
      for (auto times = 1 + random() % 2; times > 0; --times)
        graph.pairs.push_back(random() % 2 ? Pair{a, b, 0.9} : Pair{b, a, 0.9});
    }
  }
  std::shuffle(graph.pairs.begin(), graph.pairs.end(), random);
  return graph;
}

TEST(ClusterBuilder, FollowsTheDefinitionsOnRandomGraphsAndOrders) {
  std::mt19937_64 random{23};
  for (int round = 0; round < 3000; ++round) {
    const RandomGraph graph = random_graph(random);
    const std::size_t rows = graph.near.size();
    Rows ranks(rows), order(rows);
    for (DocId& rank : ranks) rank = random() % (1 + rows / 2);  // with ties
    std::iota(order.begin(), order.end(), DocId{0});
    std::stable_sort(order.begin(), order.end(), [&](DocId a, DocId b) { return ranks[a] < ranks[b]; });
    for (const ClusterKind kind : kKinds) {
      ASSERT_EQ(representatives(cluster(rows, kind, graph.pairs, ranks)), naive(kind, graph.near, order)) << round;
    }
  }
}

TEST(ClusterBuilder, PrefersEarlierRowsUnlessTold) {
  std::mt19937_64 random{29};
  for (int round = 0; round < 500; ++round) {
    const RandomGraph graph = random_graph(random);
    Rows order(graph.near.size());
    std::iota(order.begin(), order.end(), DocId{0});
    for (const ClusterKind kind : kKinds)
      ASSERT_EQ(representatives(cluster(order.size(), kind, graph.pairs)), naive(kind, graph.near, order));
  }
}

TEST(ClusterBuilder, TakesAnOrderAsAFunction) {
  ClusterBuilder builder(3, ClusterKind::star, [](DocId a, DocId b) { return a > b; });
  builder.accept(std::vector<Pair>{{0, 1, 1}, {1, 2, 1}});
  EXPECT_THAT(representatives(builder.finish()), ElementsAre(0, 2, 2));
}

TEST(ClusterBuilder, TellsTheThreeKindsApartOnAChain) {
  const std::vector<Pair> chain{{0, 1, 1}, {1, 2, 1}, {2, 3, 1}};
  EXPECT_THAT(representatives(cluster(4, ClusterKind::components, chain)), ElementsAre(0, 0, 0, 0));
  EXPECT_THAT(representatives(cluster(4, ClusterKind::star, chain)), ElementsAre(0, 0, 2, 2));
  EXPECT_THAT(representatives(cluster(4, ClusterKind::complete, chain)), ElementsAre(0, 0, 2, 2));
}

TEST(ClusterBuilder, GivesTheSameForPairsFromOtherThreadsInTurn) {
  std::mt19937_64 random{31};
  const RandomGraph graph = random_graph(random);
  for (const ClusterKind kind : kKinds) {
    ClusterBuilder builder(graph.near.size(), kind);
    for (const Pair& pair : graph.pairs) std::thread([&] { builder.accept({&pair, 1}); }).join();
    EXPECT_EQ(representatives(builder.finish()), representatives(cluster(graph.near.size(), kind, graph.pairs)));
  }
}

TEST(ClusterBuilder, IgnoresARowPairedWithItself) {
  for (const ClusterKind kind : kKinds) EXPECT_EQ(cluster(2, kind, {{1, 1, 1}}).size(), 0u);
}

TEST(ClusterBuilder, MakesNothingOfNothing) {
  for (const ClusterKind kind : kKinds) {
    EXPECT_EQ(cluster(0, kind, {}).rows(), 0u);
    EXPECT_EQ(cluster(3, kind, {}).kept(), 3u);
  }
}

TEST(ClusterBuilder, RefusesRowsThatAreNotThereOrNotDocuments) {
  ClusterBuilder builder(3);
  builder.set_status(1, RowStatus::bad);
  EXPECT_THROW(builder.accept(std::vector<Pair>{{0, 3, 1}}), Error);
  EXPECT_THROW(builder.accept(std::vector<Pair>{{0, UINT64_MAX, 1}}), Error);
  EXPECT_THROW(builder.accept(std::vector<Pair>{{0, 1, 1}}), Error);
  EXPECT_THROW(builder.set_status(3, RowStatus::bad), Error);
}

TEST(ClusterBuilder, RefusesRanksThatAreNotOneForEachRow) {
  EXPECT_THROW(ClusterBuilder(3, ClusterKind::star, Rows{1, 2}), Error);
}

TEST(ClusterBuilder, RefusesMoreRowsThan32BitsCount) {
  for (const ClusterKind kind : kKinds) EXPECT_THROW(ClusterBuilder(std::size_t{1} << 32, kind), Error);
}

TEST(ClusterBuilder, KeepsWhatIsNotADocumentOutOfClusters) {
  ClusterBuilder builder(5);
  builder.set_status(1, RowStatus::bad);
  builder.set_status(2, RowStatus::set_aside);
  builder.set_status(3, RowStatus::without_features);
  builder.accept(std::vector<Pair>{{0, 4, 1}});
  const Clusters clusters = builder.finish();
  EXPECT_EQ(clusters.size(), 1u);
  EXPECT_THAT(clusters[0], ElementsAre(0, 4));
  std::vector<bool> kept;
  for (DocId row = 0; row < 5; ++row) kept.push_back(clusters.is_kept(row));
  EXPECT_THAT(kept, ElementsAre(true, false, false, true, false));
  EXPECT_EQ(clusters.kept(), 2u);
  EXPECT_EQ(clusters.status(2), RowStatus::set_aside);
  EXPECT_EQ(clusters.status(4), RowStatus::document);
}

TEST(Clusters, AreOrderedByFirstMemberAndLeaveSinglesOut) {
  // 4 stands for 0 and 5, 1 for itself, 3 for 2.
  const Clusters clusters({4, 1, 3, 3, 4, 4});
  ASSERT_EQ(clusters.size(), 2u);
  EXPECT_THAT(clusters[0], ElementsAre(0, 4, 5));
  EXPECT_THAT(clusters[1], ElementsAre(2, 3));
  EXPECT_EQ(clusters.kept(), 3u);
  EXPECT_EQ(Clusters().size(), 0u);
}

TEST(Clusters, RefuseRepresentativesThatDoNotStandForThemselves) {
  EXPECT_THROW(Clusters({1, 2, 2}), Error);
  EXPECT_THROW(Clusters({7}), Error);
  EXPECT_THROW(Clusters({0, 0}, {RowStatus::document}), Error);
  EXPECT_THROW(Clusters({0, 0}, {RowStatus::document, RowStatus::bad}), Error);
  EXPECT_THROW(Clusters({0, 0}, {RowStatus::bad, RowStatus::document}), Error);
}

TEST(PairList, KeepsPairsAndSortsThem) {
  PairList list;
  EXPECT_TRUE(list.accept(std::vector<Pair>{{1, 2, 0.5}, {0, 3, 1}}));
  EXPECT_TRUE(list.accept(std::vector<Pair>{{0, 1, 0.75}}));
  EXPECT_THAT(list.pairs(), ElementsAre(Pair{1, 2, 0.5}, Pair{0, 3, 1}, Pair{0, 1, 0.75}));
  EXPECT_THAT(list.sorted(), ElementsAre(Pair{0, 1, 0.75}, Pair{0, 3, 1}, Pair{1, 2, 0.5}));
}

}  // namespace
}  // namespace neardup
