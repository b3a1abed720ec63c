#include "search/band_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "search/finder.h"
#include "support/scratch.h"

namespace neardup::test {
namespace {

using search::BandPlan;
using search::plan_bands;
using ::testing::HasSubstr;

double probability(double jaccard, std::size_t bands, std::size_t rows) {
  return 1 - std::pow(1 - std::pow(jaccard, static_cast<double>(rows)), static_cast<double>(bands));
}

constexpr double kThresholds[] = {0.01, 0.05, 0.1,  0.2, 0.3,  0.45, 0.5,   0.6, 0.7,
                                  0.75, 0.8,  0.85, 0.9, 0.95, 0.99, 0.999, 1};
constexpr double kTargets[] = {0.01, 0.5, 0.8, 0.9, 0.95, 0.97, 0.99, 0.999};
constexpr double kRounding = 1e-7;

TEST(BandPlan, ReachesTheTargetAtTheThreshold) {
  for (const double jaccard : kThresholds) {
    for (const double target : kTargets) {
      const BandPlan plan = plan_bands(jaccard, target);
      EXPECT_GE(probability(jaccard, plan.bands, plan.rows), target - kRounding) << jaccard << " " << target;
    }
  }
}

TEST(BandPlan, TakesNoMoreBandsThanNeeded) {
  for (const double jaccard : kThresholds) {
    for (const double target : kTargets) {
      const BandPlan plan = plan_bands(jaccard, target);
      if (plan.bands == 1) continue;
      EXPECT_LT(probability(jaccard, plan.bands - 1, plan.rows), target + kRounding) << jaccard << " " << target;
    }
  }
}

TEST(BandPlan, TakesAsManyRowsAsTheBudgetAllows) {
  for (const double jaccard : kThresholds) {
    for (const double target : kTargets) {
      const BandPlan plan = plan_bands(jaccard, target);
      if (plan.rows > 1) {
        EXPECT_LE(plan.hashes(), search::kHashBudget) << jaccard << " " << target;
      }
      EXPECT_LE(plan.bands, search::kMostBands);
      const std::size_t more = plan.rows + 1;
      if (more > search::kHashBudget) continue;
      EXPECT_LT(probability(jaccard, search::kHashBudget / more, more), target) << jaccard << " " << target;
    }
  }
}

TEST(BandPlan, IsOneBandOfTheWholeBudgetForIdenticalSets) {
  EXPECT_EQ(plan_bands(1, 0.97).bands, 1u);
  EXPECT_EQ(plan_bands(1, 0.97).rows, search::kHashBudget);
}

TEST(BandPlan, RefusesAThresholdThatBandsCannotServe) {
  EXPECT_THAT(error_of(ErrorCode::usage, [] { plan_bands(0.001, 0.97); }), HasSubstr("--finder exact"));
  EXPECT_THAT(error_of(ErrorCode::usage, [] { plan_bands(0, 0.97); }), HasSubstr("threshold is too low"));
  EXPECT_THAT(error_of(ErrorCode::usage, [] { plan_bands(1e-300, 0.5); }), HasSubstr("threshold is too low"));
}

TEST(BandPlan, KnowsTheLeastSimilarPairOfEveryMeasure) {
  const auto lowest = [](Measure measure, Threshold threshold) {
    return search::lowest_jaccard({.measure = measure, .threshold = threshold});
  };
  // Over all sizes and overlaps: nothing that meets the definition has a lower Jaccard similarity, something comes
  // near.
  for (const Threshold t : {Threshold{1, 2}, Threshold{7, 10}, Threshold{9, 10}, Threshold{1, 1}}) {
    const double ratio = static_cast<double>(t.num) / static_cast<double>(t.den);
    double jaccard = 1, dice = 1, cosine = 1;
    for (int x = 1; x <= 60; ++x) {
      for (int y = 1; y <= 60; ++y) {
        for (int o = 1; o <= std::min(x, y); ++o) {
          const double j = static_cast<double>(o) / (x + y - o);
          if (j >= ratio) jaccard = std::min(jaccard, j);
          if (2.0 * o / (x + y) >= ratio) dice = std::min(dice, j);
          if (o / std::sqrt(1.0 * x * y) >= ratio) cosine = std::min(cosine, j);
        }
      }
    }
    const double slack = 0.02;
    EXPECT_LE(lowest(Measure::jaccard, t), jaccard + 1e-9);
    EXPECT_NEAR(lowest(Measure::jaccard, t), jaccard, slack);
    EXPECT_LE(lowest(Measure::dice, t), dice + 1e-9);
    EXPECT_NEAR(lowest(Measure::dice, t), dice, slack);
    EXPECT_LE(lowest(Measure::cosine, t), cosine + 1e-9);
    EXPECT_NEAR(lowest(Measure::cosine, t), cosine, slack);
  }
}

TEST(BandPlan, RefusesMeasuresThatMinhashDoesNotServe) {
  for (const Measure measure : {Measure::overlap, Measure::hamming}) {
    const Definition definition{.measure = measure, .threshold = {3, 1}};
    EXPECT_THAT(error_of(ErrorCode::usage, [&] { search::lowest_jaccard(definition); }), HasSubstr(to_string(measure)));
    EXPECT_THAT(error_of(ErrorCode::usage, [&] { search::make_finder("minhash", {.definition = definition}); }),
                HasSubstr("--finder exact"));
  }
}

}  // namespace
}  // namespace neardup::test
