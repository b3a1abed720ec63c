#include <gtest/gtest.h>

#include <vector>

#include "base/random.h"
#include "search/sampled_truth.h"

namespace neardup::test {
namespace {

using search::estimate_recall;
using search::SampleCount;

TEST(Recall, OfEverythingHasNoInterval) {
  const std::vector<SampleCount> counts{{.pairs = 3, .found = 2}, {.pairs = 1, .found = 1}, {}};
  const Recall recall = estimate_recall(counts, true, 1);
  EXPECT_EQ(recall.value, 0.75);
  EXPECT_EQ(recall.low, 0.75);
  EXPECT_EQ(recall.high, 0.75);
  EXPECT_EQ(recall.documents, 3u);
  EXPECT_EQ(recall.pairs, 4u);
}

TEST(Recall, WithoutPairsIsOne) {
  const std::vector<SampleCount> counts(5);
  EXPECT_EQ(estimate_recall(counts, true, 1).value, 1);
  EXPECT_EQ(estimate_recall(counts, true, 1).low, 1);
  const Recall sampled = estimate_recall(counts, false, 1);
  EXPECT_EQ(sampled.value, 1);
  EXPECT_EQ(sampled.low, 0) << "nothing was seen, so nothing is known";
  EXPECT_EQ(sampled.high, 1);
}

TEST(Recall, WithoutAMissIsAtLeastOneMinusThreeOverThePairs) {
  const std::vector<SampleCount> counts(150, {.pairs = 2, .found = 2});
  const Recall recall = estimate_recall(counts, false, 1);
  EXPECT_EQ(recall.value, 1);
  EXPECT_EQ(recall.low, 1 - 3.0 / 300);
  EXPECT_EQ(recall.high, 1);
}

TEST(Recall, OfVeryFewPairsWithoutAMissIsNotBelowZero) {
  EXPECT_EQ(estimate_recall(std::vector<SampleCount>{{.pairs = 2, .found = 2}}, false, 1).low, 0);
}

TEST(Recall, LiesInsideItsInterval) {
  base::Random random(9);
  for (int round = 0; round < 30; ++round) {
    std::vector<SampleCount> counts;
    for (int i = 0; i < 200; ++i) {
      const std::uint64_t pairs = random.below(4);
      std::uint64_t found = 0;
      for (std::uint64_t p = 0; p < pairs; ++p) found += random.below(10) < 9 ? 1 : 0;
      counts.push_back({pairs, found});
    }
    const Recall recall = estimate_recall(counts, false, static_cast<std::uint64_t>(round));
    EXPECT_LT(recall.low, recall.value);
    EXPECT_GT(recall.high, recall.value);
    EXPECT_GE(recall.low, 0);
    EXPECT_LE(recall.high, 1);
    EXPECT_LT(recall.high - recall.low, 0.12);
  }
}

TEST(Recall, HasAnIntervalThatHoldsTheTruthNineteenTimesInTwenty) {
  base::Random random(10);
  int held = 0;
  constexpr int kRounds = 200;
  for (int round = 0; round < kRounds; ++round) {
    std::vector<SampleCount> counts;
    for (int i = 0; i < 300; ++i) counts.push_back({1, random.below(10) < 9 ? 1u : 0u});
    const Recall recall = estimate_recall(counts, false, static_cast<std::uint64_t>(round));
    held += recall.low <= 0.9 && 0.9 <= recall.high ? 1 : 0;
  }
  EXPECT_GE(held, kRounds * 90 / 100);
}

TEST(Recall, IsTheSameForTheSameSeed) {
  const std::vector<SampleCount> counts{{.pairs = 3, .found = 2}, {.pairs = 1, .found = 1}, {.pairs = 5, .found = 3}};
  const Recall one = estimate_recall(counts, false, 7), two = estimate_recall(counts, false, 7);
  EXPECT_EQ(one.low, two.low);
  EXPECT_EQ(one.high, two.high);
}

TEST(Recall, OfNobodyIsOne) {
  const Recall recall = estimate_recall({}, false, 1);
  EXPECT_EQ(recall.value, 1);
  EXPECT_EQ(recall.documents, 0u);
}

}  // namespace
}  // namespace neardup::test
