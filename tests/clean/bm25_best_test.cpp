#include "clean/bm25_best.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.h"

namespace neardup::clean {
namespace {

using Rows = std::vector<std::pair<Units, DocumentNumber>>;

// What is kept of scores[row] for every row.
Rows best_of(const std::vector<Units>& scores, std::size_t depth, Units enough = 0) {
  BestRows best;
  best.start(depth, enough);
  for (DocumentNumber row = 0; row < scores.size(); ++row) {
    if (scores[row] > best.enough()) best.add(scores[row], row);
  }
  Rows found;
  for (const auto& each : best.finish()) found.emplace_back(each.score, each.row);
  return found;
}

Rows sorted(const std::vector<Units>& scores, std::size_t depth, Units enough = 0) {
  Rows all;
  for (DocumentNumber row = 0; row < scores.size(); ++row) {
    if (scores[row] > enough) all.emplace_back(-scores[row], row);
  }
  std::sort(all.begin(), all.end());
  all.resize(std::min(all.size(), depth));
  for (auto& [score, row] : all) score = -score;
  return all;
}

TEST(Bm25Best, KeepsTheHighestScoresAndTheEarliestOfEquals) {
  EXPECT_EQ(best_of({5, 9, 5, 7, 5}, 3), (Rows{{9, 1}, {7, 3}, {5, 0}}));
}

TEST(Bm25Best, AgreesWithSortingEverything) {
  base::Random random(31);
  for (int round = 0; round < 300; ++round) {
    const Units range = Units{1} << random.below(50);
    std::vector<Units> scores(random.below(3000));
    for (Units& score : scores) score = 1 + static_cast<Units>(random.below(static_cast<std::uint64_t>(range)));
    const std::size_t depth = 1 + random.below(round % 2 == 0 ? 20 : 2000);
    const Units enough = static_cast<Units>(random.below(2)) * range / 2;
    ASSERT_EQ(best_of(scores, depth, enough), sorted(scores, depth, enough)) << round;
  }
}

TEST(Bm25Best, AscendingAndEqualScoresCostNoMoreThanOthers) {
  std::vector<Units> ascending(200'000), equal(200'000, 77);
  for (std::size_t i = 0; i < ascending.size(); ++i) ascending[i] = static_cast<Units>(i + 1);
  EXPECT_EQ(best_of(ascending, 1000), sorted(ascending, 1000));
  EXPECT_EQ(best_of(equal, 1000), sorted(equal, 1000));
}

}  // namespace
}  // namespace neardup::clean
