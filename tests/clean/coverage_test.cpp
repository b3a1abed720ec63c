#include "clean/method.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "clean/worlds.h"

namespace neardup::clean {
namespace {

using testing::ElementsAre;

std::vector<QueryNumber> order(const std::vector<std::vector<DocumentNumber>>& results,
                               const std::vector<std::uint64_t>& counts, std::size_t documents, std::size_t most = 0) {
  Context context;
  const CleanOptions options;
  return order_by_coverage(ListedResults(results), Policy(options.policy), counts, documents, most, context);
}

TEST(Coverage, AQueryThatShowsNothingNewComesLast) {
  EXPECT_THAT(order({{0, 1, 2}, {0, 1, 2}, {3}}, {9, 8, 1}, 4), ElementsAre(0, 2, 1));
}

TEST(Coverage, WhatPeopleSeeOftenCountsMore) {
  EXPECT_THAT(order({{0}, {1}, {1}}, {5, 4, 4}, 2), ElementsAre(1, 0, 2)) << "document 1 is seen 8 times";
}

TEST(Coverage, TheBudgetCutsTheTail) {
  EXPECT_THAT(order({{0, 1}, {2}, {3}}, {3, 2, 1}, 4, 2), ElementsAre(0, 1));
  EXPECT_THAT(order({{0}}, {1}, 1, 5), ElementsAre(0));
}

TEST(Coverage, WhatIsNotLookedAtDoesNotCount) {
  CleanOptions options;
  options.policy.depth = RangeRule(1);
  Context context;
  const std::vector<std::uint64_t> counts{3, 2};
  const ListedResults results({{0, 1, 2}, {1}});
  EXPECT_THAT(order_by_coverage(results, Policy(options.policy), counts, 3, 0, context), ElementsAre(0, 1));
  options.policy.min_results = 2;
  EXPECT_THAT(order_by_coverage(results, Policy(options.policy), counts, 3, 1, context), ElementsAre(0));
}

TEST(Coverage, LazyEvaluationEqualsTheGreedyChoice) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 40; ++round) {
    const std::size_t documents = 1 + random() % 200;
    std::vector<std::vector<DocumentNumber>> results(1 + random() % 60);
    std::vector<DocumentNumber> rows(documents);
    std::iota(rows.begin(), rows.end(), 0u);
    std::vector<std::uint64_t> counts;
    for (auto& list : results) {
      std::shuffle(rows.begin(), rows.end(), random);
      list.assign(rows.begin(),
                  rows.begin() + static_cast<std::ptrdiff_t>(random() % std::min<std::size_t>(documents, 100)));
      counts.push_back(1 + random() % 50);
    }
    std::vector<double> weight(documents);
    for (std::size_t q = 0; q < results.size(); ++q)
      for (const DocumentNumber row : results[q]) weight[row] += static_cast<double>(counts[q]);
    std::vector<QueryNumber> greedy;
    std::vector<bool> used(results.size());
    while (greedy.size() < results.size()) {
      double best = -1;
      QueryNumber chosen = 0;
      for (QueryNumber q = 0; q < results.size(); ++q) {
        if (used[q]) continue;
        double gain = 0;
        for (const DocumentNumber row : results[q]) gain += weight[row];
        gain /= static_cast<double>(100 + results[q].size());
        if (gain > best) {
          best = gain;
          chosen = q;
        }
      }
      used[chosen] = true;
      greedy.push_back(chosen);
      for (const DocumentNumber row : results[chosen]) weight[row] = 0;
    }
    ASSERT_EQ(order(results, counts, documents), greedy) << "round " << round;
  }
}

}  // namespace
}  // namespace neardup::clean
