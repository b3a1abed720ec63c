#include "report/page/threshold_curve.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "base/random.h"
#include "neardup/cluster.h"

namespace neardup::test {
namespace {

using report::ThresholdCurve;
using report::ThresholdStep;

// The same from all pairs, threshold by threshold.
ThresholdStep brute_force(const std::vector<Pair>& pairs, double threshold, bool is_distance, std::size_t rows) {
  ThresholdStep step{.threshold = threshold};
  ClusterBuilder builder(rows);
  for (const Pair& pair : pairs) {
    if (is_distance ? pair.score > threshold : pair.score < threshold) continue;
    ++step.pairs;
    builder.accept({&pair, 1});
  }
  const Clusters clusters = builder.finish();
  step.clusters = clusters.size();
  step.removed = rows - clusters.kept();
  for (std::size_t c = 0; c < clusters.size(); ++c)
    step.largest = std::max<std::uint64_t>(step.largest, clusters[c].size());
  return step;
}

void expect_equal(const std::vector<ThresholdStep>& found, const std::vector<Pair>& pairs, bool is_distance,
                  std::size_t rows) {
  for (const ThresholdStep& step : found) {
    const ThresholdStep expected = brute_force(pairs, step.threshold, is_distance, rows);
    ASSERT_EQ(step.pairs, expected.pairs) << step.threshold;
    ASSERT_EQ(step.removed, expected.removed) << step.threshold;
    ASSERT_EQ(step.clusters, expected.clusters) << step.threshold;
    ASSERT_EQ(step.largest, expected.largest) << step.threshold;
  }
}

TEST(ThresholdCurve, EqualsClusteringAnewAtEveryThreshold) {
  base::Random random(7);
  for (const std::size_t edges_at_once : {1, 5, 1000}) {
    for (int round = 0; round < 20; ++round) {
      const std::size_t rows = 2 + random.below(40);
      std::vector<Pair> pairs;
      for (std::size_t i = random.below(120); i-- > 0;) {
        const auto a = random.below(rows), b = random.below(rows);
        const double shared = 40 + static_cast<double>(random.below(11));  // 0.8 to 1 in fiftieths
        if (a != b) pairs.push_back({std::min(a, b), std::max(a, b), shared / 50});
      }
      ThresholdCurve curve(Measure::jaccard, {4, 5}, rows, true, {}, edges_at_once);
      for (const Pair& pair : pairs) curve.add(pair);
      const auto steps = curve.finish();
      ASSERT_TRUE(curve.counts_clusters());
      expect_equal(steps, pairs, false, rows);
    }
  }
}

TEST(ThresholdCurve, CountsDistancesFromTheLargestDown) {
  base::Random random(8);
  for (const std::uint64_t most : {0, 3, 12, 1000}) {
    const std::size_t rows = 20;
    std::vector<Pair> pairs;
    for (int i = 0; i < 40; ++i) {
      const auto a = random.below(rows);
      if (a > 0) pairs.push_back({random.below(a), a, static_cast<double>(random.below(most + 1))});
    }
    ThresholdCurve curve(Measure::hamming, {most, 1}, rows, true, {}, 4);
    for (const Pair& pair : pairs) curve.add(pair);
    const auto steps = curve.finish();
    EXPECT_EQ(steps.front().threshold, static_cast<double>(most));
    EXPECT_EQ(steps.back().threshold, 0);
    EXPECT_LE(steps.size(), ThresholdCurve::kMostSteps);
    expect_equal(steps, pairs, true, rows);
  }
}

TEST(ThresholdCurve, HasFewStepsForEveryMeasureAndThreshold) {
  for (const Measure measure : {Measure::jaccard, Measure::cosine, Measure::overlap, Measure::edit}) {
    for (const Threshold& from : {Threshold{1, 1}, Threshold{1, 3}, Threshold{1, 100'000}, Threshold{999, 1000}}) {
      const Threshold used = has_integer_scores(measure) ? Threshold{from.den, 1} : from;
      const ThresholdCurve curve(measure, used, 2, false, {});
      const std::vector<double>& steps = curve.thresholds();
      EXPECT_LE(steps.size(), ThresholdCurve::kMostSteps);
      EXPECT_EQ(steps.front(), static_cast<double>(used.num) / static_cast<double>(used.den));
      EXPECT_TRUE(is_distance(measure) ? std::ranges::is_sorted(steps, std::greater<>())
                                       : std::ranges::is_sorted(steps));
      EXPECT_EQ(std::ranges::adjacent_find(steps), steps.end());
    }
  }
}

TEST(ThresholdCurve, MeetsAThresholdThatAScoreEquals) {
  const ThresholdCurve curve(Measure::jaccard, {4, 5}, 2, false, {});
  for (unsigned shared = 80; shared <= 100; ++shared) {
    const double score = static_cast<double>(shared) / 100;
    EXPECT_EQ(curve.thresholds()[curve.step_of(score)], score);
  }
}

TEST(ThresholdCurve, CountsOnlyPairsWhereMemoryDoesNotSuffice) {
  MemoryBudget budget(64);
  ThresholdCurve curve(Measure::jaccard, {4, 5}, 1000, true, Reservation(budget), 2);
  for (DocId row = 1; row < 10; ++row) curve.add({0, row, 0.9});
  const auto steps = curve.finish();
  EXPECT_FALSE(curve.counts_clusters());
  EXPECT_EQ(steps.front().pairs, 9u);
}

}  // namespace
}  // namespace neardup::test
