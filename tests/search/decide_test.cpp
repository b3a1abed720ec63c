#include "search/decide.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "base/random.h"
#include "search/cohesion.h"

namespace neardup::test {
namespace {

using search::Found;
using search::Wanted;
using ::testing::ElementsAre;

// Rows with their units (nothing: not a document), pairs of units, and what keep rules look at.
class Case {
 public:
  Case(std::vector<std::optional<std::uint32_t>> units_of_rows, std::vector<Pair> pairs, Definition definition = {},
       std::uint32_t set_size = 10)
      : pairs_(std::move(pairs)), definition_(std::move(definition)) {
    for (const auto& unit : units_of_rows) {
      const Row row = row_of(units_.rows());
      if (!unit) {
        units_.add(RowStatus::without_features);
      } else {
        units_.add(unit_of(*unit));
        if (*unit == units_.units()) units_.add_unit(row, set_size);
      }
      texts_.emplace_back(1, 'x');
    }
  }

  void set_status(std::size_t row, RowStatus status) { units_.status[row_of(row)] = status; }
  void set_text(std::size_t row, std::string text) { texts_[row] = std::move(text); }

  [[nodiscard]] const corpus::Units& units() const { return units_; }
  [[nodiscard]] const std::vector<Pair>& pairs() const { return pairs_; }

  [[nodiscard]] Found found() const {
    Found found(units_.units(), Wanted::all_pairs, context_);
    search::LinkingSink sink(*found.links, found.pairs.get());
    sink.accept(pairs_);
    found.pairs->finish();
    return found;
  }
  [[nodiscard]] cluster::KeepTable keep(const std::string& rules) const {
    cluster::KeepTable table(parse_keep_rules(rules));
    for (const std::string& text : texts_) {
      Document document;
      document.text = text;
      table.append(document, {});
    }
    return table;
  }
  [[nodiscard]] search::Scorer scorer() const { return {definition_, units_, nullptr}; }

  [[nodiscard]] Clusters clusters(ClusterKind kind, const std::string& rules = "first") const {
    return search::decide(units_, found(), scorer(), keep(rules), {.kind = kind}, context_);
  }
  [[nodiscard]] std::vector<ClusterCohesion> cohesion(const Clusters& of) const {
    const search::Scorer scoring = scorer();
    const Found all = found();
    return search::measure_cohesion(
        {.units = units_, .found = all, .scorer = scoring, .clusters = of, .measure = definition_.measure, .seed = 42},
        context_);
  }
  [[nodiscard]] std::vector<DocId> representatives(ClusterKind kind, const std::string& rules = "first") const {
    const Clusters made = clusters(kind, rules);
    std::vector<DocId> all;
    for (std::size_t row = 0; row < made.rows(); ++row) all.push_back(made.representative(row));
    return all;
  }
  [[nodiscard]] std::vector<double> scores(ClusterKind kind, const std::string& rules = "first") const {
    return search::leader_scores(units_, found(), scorer(), clusters(kind, rules), context_).values();
  }

 private:
  corpus::Units units_;
  std::vector<Pair> pairs_;
  std::vector<std::string> texts_;
  Definition definition_;
  Context context_{.threads = 2, .memory_bytes = 64u << 20};
};

// The pairs that are left when the weakest pair that connects two groups of two or more units is taken out, again and
// again.
std::vector<Pair> naive_core(std::vector<Pair> pairs, std::size_t units) {
  const auto side_of = [&](std::uint64_t unit, const Pair& without) {
    std::vector<bool> reached(units);
    std::vector<std::uint64_t> waiting{unit};
    std::size_t size = 0;
    for (reached[unit] = true; !waiting.empty(); ++size) {
      const std::uint64_t at = waiting.back();
      waiting.pop_back();
      for (const Pair& pair : pairs) {
        if (pair.left == without.left && pair.right == without.right) continue;
        const std::uint64_t next = pair.left == at ? pair.right : pair.right == at ? pair.left : at;
        if (reached[next]) continue;
        reached[next] = true;
        waiting.push_back(next);
      }
    }
    return std::pair(std::move(reached), size);
  };
  while (true) {
    auto weakest = pairs.end();
    for (auto pair = pairs.begin(); pair != pairs.end(); ++pair) {
      const auto [left, left_size] = side_of(pair->left, *pair);
      if (left[pair->right] || left_size < 2 || side_of(pair->right, *pair).second < 2) continue;
      if (weakest == pairs.end() || pair->score < weakest->score) weakest = pair;
    }
    if (weakest == pairs.end()) return pairs;
    pairs.erase(weakest);
  }
}

// What decide() must say, document by document.
std::vector<DocId> naive_representatives(const Case& given, ClusterKind kind, const std::string& rules) {
  const corpus::Units& units = given.units();
  const cluster::KeepTable keep = given.keep(rules);
  const std::vector<Pair> pairs = kind == ClusterKind::core ? naive_core(given.pairs(), units.units()) : given.pairs();
  const auto near = [&](DocId a, DocId b) {
    if (!units.has_unit(row_of(a)) || !units.has_unit(row_of(b))) return false;
    const std::uint32_t x = index(units.unit_of_row[row_of(a)]), y = index(units.unit_of_row[row_of(b)]);
    return x == y || std::ranges::any_of(pairs, [&](const Pair& pair) {
             return pair.left == std::min(x, y) && pair.right == std::max(x, y);
           });
  };
  std::vector<DocId> order(units.rows());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, [&](DocId a, DocId b) { return keep.prefers(a, b); });
  std::vector<std::vector<DocId>> clusters;  // the kept one first
  std::vector<bool> taken(units.rows());
  for (const DocId row : order) {
    if (taken[row]) continue;
    taken[row] = true;
    if (kind == ClusterKind::complete) {
      const auto home = std::ranges::find_if(clusters, [&](const std::vector<DocId>& members) {
        return std::ranges::all_of(members, [&](DocId member) { return near(row, member); });
      });
      (home == clusters.end() ? clusters.emplace_back() : *home).push_back(row);
      continue;
    }
    std::vector<DocId>& members = clusters.emplace_back(1, row);
    for (std::size_t at = 0; at < (kind == ClusterKind::star ? 1 : members.size()); ++at) {
      for (const DocId other : order) {
        if (taken[other] || !near(members[at], other)) continue;
        taken[other] = true;
        members.push_back(other);
      }
    }
  }
  std::vector<DocId> representatives(units.rows());
  for (const auto& members : clusters) {
    for (const DocId member : members) representatives[member] = members.front();
  }
  return representatives;
}

// a - b - c: the ends are near the middle, not each other.
Case chain() { return {{0, 1, 2}, {{0, 1, 0.9}, {1, 2, 0.8}}}; }

TEST(Decide, PutsAChainIntoOneComponentAndTwoStars) {
  EXPECT_THAT(chain().representatives(ClusterKind::components), ElementsAre(0, 0, 0));
  EXPECT_THAT(chain().representatives(ClusterKind::star), ElementsAre(0, 0, 2));
  EXPECT_THAT(chain().representatives(ClusterKind::complete), ElementsAre(0, 0, 2));
}

TEST(Decide, KeepsWhomTheRulesPrefer) {
  EXPECT_THAT(chain().representatives(ClusterKind::components, "last"), ElementsAre(2, 2, 2));
  EXPECT_THAT(chain().representatives(ClusterKind::star, "last"), ElementsAre(0, 2, 2));
  Case middle = chain();
  middle.set_text(1, "the longest");
  EXPECT_THAT(middle.representatives(ClusterKind::star, "longest"), ElementsAre(1, 1, 1));
  EXPECT_THAT(middle.representatives(ClusterKind::complete, "longest"), ElementsAre(1, 1, 2));
}

TEST(Decide, GivesTiesToTheFirstDocument) {
  EXPECT_THAT(chain().representatives(ClusterKind::components, "longest,shortest"), ElementsAre(0, 0, 0));
}

TEST(Decide, KeepsTheBestCopyForAllOthers) {
  Case copies({0, 1, 0, 0, 1}, {});
  copies.set_text(2, "long");
  EXPECT_THAT(copies.representatives(ClusterKind::components, "longest"), ElementsAre(2, 1, 2, 2, 1));
  EXPECT_THAT(copies.representatives(ClusterKind::star, "longest"), ElementsAre(2, 1, 2, 2, 1));
}

TEST(Decide, LetsTheBestCopyLeadTheUnitsNearIt) {
  Case copies({0, 1, 1}, {{0, 1, 0.9}});
  copies.set_text(2, "long");
  EXPECT_THAT(copies.representatives(ClusterKind::components, "longest"), ElementsAre(2, 2, 2));
}

TEST(Decide, LeavesCopiesAloneThatDoNotMeetTheThresholdThemselves) {
  const Definition four_shared{.measure = Measure::overlap, .threshold = {4, 1}};
  EXPECT_THAT(Case({0, 0}, {}, four_shared, 3).representatives(ClusterKind::components), ElementsAre(0, 1));
  EXPECT_THAT(Case({0, 0}, {}, four_shared, 4).representatives(ClusterKind::components), ElementsAre(0, 0));
}

TEST(Decide, PutsRowsWithoutAUnitIntoNoCluster) {
  Case rows({0, std::nullopt, 0, std::nullopt}, {});
  rows.set_status(3, RowStatus::bad);
  const Clusters clusters = rows.clusters(ClusterKind::components);
  EXPECT_EQ(clusters.size(), 1u);
  EXPECT_TRUE(clusters.is_kept(1));
  EXPECT_FALSE(clusters.is_kept(3));
  EXPECT_EQ(clusters.kept(), 2u);
}

// Four units in a chain, the weakest pair in the middle.
Case chain_of_four(std::vector<std::optional<std::uint32_t>> units_of_rows = {0, 1, 2, 3}) {
  return {std::move(units_of_rows), {{0, 1, 0.9}, {1, 2, 0.8}, {2, 3, 0.9}}};
}

TEST(Decide, CutsACoreWhereASinglePairConnectsTwoGroups) {
  EXPECT_THAT(chain().representatives(ClusterKind::core), ElementsAre(0, 0, 0));
  EXPECT_THAT(chain_of_four().representatives(ClusterKind::core), ElementsAre(0, 0, 2, 2));
  EXPECT_THAT(chain_of_four().representatives(ClusterKind::core, "last"), ElementsAre(1, 1, 3, 3));
}

TEST(Decide, GivesTheSameCoresHoweverManyCopiesThereAre) {
  EXPECT_THAT(chain_of_four({0, 1, 1, 2, 0, 3, 3, 2}).representatives(ClusterKind::core),
              ElementsAre(0, 0, 0, 3, 0, 3, 3, 3));
  const Case pendant({0, 0, 1, 2, 2, 2}, {{0, 1, 0.9}, {1, 2, 0.8}});
  EXPECT_THAT(pendant.representatives(ClusterKind::core), ElementsAre(0, 0, 0, 0, 0, 0));
}

TEST(Decide, TakesACollectionWithoutRows) {
  EXPECT_EQ(Case({}, {}).clusters(ClusterKind::components).rows(), 0u);
  EXPECT_EQ(Case({}, {}).clusters(ClusterKind::complete).rows(), 0u);
  EXPECT_EQ(Case({}, {}).clusters(ClusterKind::core).rows(), 0u);
}

Case random_case(base::Random& random) {
  std::vector<std::optional<std::uint32_t>> rows;
  std::uint32_t units = 0;
  for (std::uint64_t left = 1 + random.below(20); left > 0; --left) {
    const std::uint64_t draw = random.below(10);
    if (draw == 0) {
      rows.emplace_back();
    } else {
      rows.emplace_back(draw < 5 && units > 0 ? static_cast<std::uint32_t>(random.below(units)) : units++);
    }
  }
  std::vector<Pair> pairs;
  const std::uint64_t density = 4 + random.below(8);  // few pairs: bridges
  for (std::uint32_t a = 0; a < units; ++a) {
    for (std::uint32_t b = a + 1; b < units; ++b) {
      if (random.below(density) == 0) pairs.push_back({a, b, 0.8 + 0.01 * static_cast<double>(random.below(20))});
    }
  }
  Case made(rows, pairs);
  for (std::size_t row = 0; row < rows.size(); ++row) made.set_text(row, std::string(1 + random.below(4), 'x'));
  return made;
}

TEST(Decide, AgreesWithAClusteringOfDocumentsOneByOne) {
  base::Random random(5);
  for (int round = 0; round < 200; ++round) {
    const Case given = random_case(random);
    for (const ClusterKind kind :
         {ClusterKind::components, ClusterKind::star, ClusterKind::complete, ClusterKind::core}) {
      for (const char* rules : {"first", "last", "longest", "shortest,last"}) {
        ASSERT_EQ(given.representatives(kind, rules), naive_representatives(given, kind, rules))
            << round << " " << to_string(kind) << " " << rules;
      }
    }
  }
}

TEST(LeaderScores, AreThoseOfThePairWithTheLeader) {
  EXPECT_THAT(chain().scores(ClusterKind::star), ElementsAre(1, 0.9, 1));
  EXPECT_THAT(chain().scores(ClusterKind::star, "last"), ElementsAre(1, 0.8, 1));
}

TEST(LeaderScores, AreNotNumbersForThoseWhoAreLinkedThroughOthersOnly) {
  EXPECT_THAT(chain().scores(ClusterKind::components), ElementsAre(1, 0.9, ::testing::IsNan()));
}

TEST(LeaderScores, AreFoundOnEitherSideOfAPair) {
  base::Random random(6);
  for (int round = 0; round < 100; ++round) {
    const Case given = random_case(random);
    const Clusters clusters = given.clusters(ClusterKind::components, "longest");
    const std::vector<double> scores = given.scores(ClusterKind::components, "longest");
    std::map<std::pair<DocId, DocId>, double> known;
    for (const Pair& pair : given.pairs()) known[{pair.left, pair.right}] = known[{pair.right, pair.left}] = pair.score;
    for (const Unit unit : all<Unit>(given.units().units())) {
      const Unit leader = search::leader_of(given.units(), clusters, unit);
      const auto pair = known.find({index(unit), index(leader)});
      if (leader == unit) {
        EXPECT_EQ(scores[index(unit)], 1);
      } else if (pair == known.end()) {
        EXPECT_TRUE(std::isnan(scores[index(unit)]));
      } else {
        EXPECT_EQ(scores[index(unit)], pair->second);
      }
    }
  }
}

TEST(Cohesion, SaysHowManyPairsOfMembersMeetTheDefinition) {
  // A chain of four with a copy at one end: 5 documents, 10 pairs; 0-1 twice, the copies, 1-2 and 2-3 meet.
  const Case given = chain_of_four({0, 1, 2, 3, 0});
  const auto cohesion = given.cohesion(given.clusters(ClusterKind::components));
  ASSERT_EQ(cohesion.size(), 1u);
  EXPECT_EQ(cohesion[0].documents, 5u);
  EXPECT_EQ(cohesion[0].distinct, 4u);
  EXPECT_DOUBLE_EQ(cohesion[0].share, 0.5);
  EXPECT_DOUBLE_EQ(cohesion[0].weakest, 0.8);
  EXPECT_EQ(cohesion[0].bridges, 1u);
  EXPECT_FALSE(cohesion[0].is_sampled);
}

TEST(Cohesion, OfCopiesIsWhole) {
  const Case given({0, 0, 0}, {});
  const auto cohesion = given.cohesion(given.clusters(ClusterKind::components));
  ASSERT_EQ(cohesion.size(), 1u);
  EXPECT_EQ(cohesion[0].distinct, 1u);
  EXPECT_DOUBLE_EQ(cohesion[0].share, 1);
  EXPECT_DOUBLE_EQ(cohesion[0].weakest, 1);
}

TEST(Cohesion, CountsWhatAComparisonOfAllMembersCounts) {
  base::Random random(8);
  for (int round = 0; round < 200; ++round) {
    const Case given = random_case(random);
    for (const ClusterKind kind :
         {ClusterKind::components, ClusterKind::star, ClusterKind::complete, ClusterKind::core}) {
      const Clusters clusters = given.clusters(kind);
      const auto cohesion = given.cohesion(clusters);
      ASSERT_EQ(cohesion.size(), clusters.size());
      for (std::size_t c = 0; c < clusters.size(); ++c) {
        double meet = 0, pairs = 0, weakest = 1;
        for (const auto a : clusters[c]) {
          for (const auto b : clusters[c]) {
            if (a >= b) continue;
            const auto [x, y] =
                std::minmax({index(given.units().unit_of_row[Row{a}]), index(given.units().unit_of_row[Row{b}])});
            const auto pair = std::ranges::find_if(given.pairs(), [&, left = x, right = y](const Pair& each) {
              return each.left == left && each.right == right;
            });
            pairs += 1;
            if (x != y && pair == given.pairs().end()) continue;
            meet += 1;
            if (x != y) weakest = std::min(weakest, pair->score);
          }
        }
        ASSERT_DOUBLE_EQ(cohesion[c].share, meet / pairs) << round;
        ASSERT_DOUBLE_EQ(cohesion[c].weakest, weakest) << round;
        if (kind == ClusterKind::complete) {
          ASSERT_EQ(cohesion[c].share, 1);
        }
        if (kind == ClusterKind::core) {
          ASSERT_EQ(cohesion[c].bridges, 0u);
        }
      }
    }
  }
}

}  // namespace
}  // namespace neardup::test
