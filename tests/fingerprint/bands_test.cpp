#include "fingerprint/bands.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "search/finder.h"
#include "support/scratch.h"

namespace neardup::test {
namespace {

using ::testing::HasSubstr;

double probability(double jaccard, std::size_t bands, std::size_t rows) {
  return 1 - std::pow(1 - std::pow(jaccard, static_cast<double>(rows)), static_cast<double>(bands));
}

constexpr double kThresholds[] = {0.01, 0.05, 0.1,  0.2, 0.3,  0.45, 0.5,   0.6, 0.7,
                                  0.75, 0.8,  0.85, 0.9, 0.95, 0.99, 0.999, 1};
constexpr double kTargets[] = {0.01, 0.5, 0.8, 0.9, 0.95, 0.97, 0.99, 0.999};
constexpr double kRounding = 1e-7;

TEST(Bands, ReachesTheTargetAtTheThreshold) {
  for (const double jaccard : kThresholds) {
    for (const double target : kTargets) {
      const Bands plan = plan_bands(jaccard, target);
      EXPECT_GE(probability(jaccard, plan.bands, plan.rows), target - kRounding) << jaccard << " " << target;
    }
  }
}

TEST(Bands, TakesNoMoreBandsThanNeeded) {
  for (const double jaccard : kThresholds) {
    for (const double target : kTargets) {
      const Bands plan = plan_bands(jaccard, target);
      if (plan.bands == 1) continue;
      EXPECT_LT(probability(jaccard, plan.bands - 1, plan.rows), target + kRounding) << jaccard << " " << target;
    }
  }
}

TEST(Bands, TakesAsManyRowsAsTheBudgetAllows) {
  for (const double jaccard : kThresholds) {
    for (const double target : kTargets) {
      const Bands plan = plan_bands(jaccard, target);
      if (plan.rows > 1) {
        EXPECT_LE(plan.hashes(), kHashBudget) << jaccard << " " << target;
      }
      EXPECT_LE(plan.bands, kMostBands);
      const std::size_t more = plan.rows + 1;
      if (more > kHashBudget) continue;
      EXPECT_LT(probability(jaccard, kHashBudget / more, more), target) << jaccard << " " << target;
    }
  }
}

TEST(Bands, IsOneBandOfTheWholeBudgetForIdenticalSets) {
  EXPECT_EQ(plan_bands(1, 0.97).bands, 1u);
  EXPECT_EQ(plan_bands(1, 0.97).rows, kHashBudget);
}

TEST(Bands, RefusesAThresholdThatBandsCannotServe) {
  EXPECT_THAT(error_of(ErrorCode::usage, [] { plan_bands(0.001, 0.97); }), HasSubstr("`finder=exact`"));
  EXPECT_THAT(error_of(ErrorCode::usage, [] { plan_bands(0, 0.97); }), HasSubstr("threshold is too low"));
  EXPECT_THAT(error_of(ErrorCode::usage, [] { plan_bands(1e-300, 0.5); }), HasSubstr("threshold is too low"));
}

TEST(Bands, KnowsTheLeastSimilarPairOfEveryMeasure) {
  const auto lowest = [](Measure measure, Threshold threshold) {
    return lowest_jaccard({.measure = measure, .threshold = threshold});
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

TEST(Bands, RefusesMeasuresThatMinhashDoesNotServe) {
  for (const Measure measure : {Measure::overlap, Measure::hamming}) {
    const Definition definition{.measure = measure, .threshold = {3, 1}};
    EXPECT_THAT(error_of(ErrorCode::usage, [&] { lowest_jaccard(definition); }), HasSubstr(to_string(measure)));
    EXPECT_THAT(error_of(ErrorCode::usage, [&] { search::make_finder(definition, {.name = "minhash"}); }),
                HasSubstr("`finder=exact`"));
  }
}

TEST(Bands, AreChosenForTheLowestSimilarityThatMeetsTheDefinition) {
  const Definition dice{.measure = Measure::dice, .threshold = {8, 9}};  // a jaccard similarity of 4/5
  EXPECT_EQ(choose_bands(dice, 0.97), plan_bands(0.8, 0.97));
  EXPECT_EQ(choose_bands(dice, 0.97), choose_bands({.threshold = {4, 5}}, 0.97));
}

TEST(Bands, RefuseARecallThatIsNoProbability) {
  for (const double recall : {-0.1, 0.0, 1.0, 2.0, std::nan("")})
    EXPECT_THAT(error_of(ErrorCode::usage, [&] { choose_bands({}, recall); }), HasSubstr("between 0 and 1"));
}

// Stored, and shuffled by on other machines: these numbers never change.
TEST(Bands, HaveTheDocumentedKeys) {
  const std::vector<std::uint32_t> sketch{1, 2, 3, 4};
  std::vector<std::uint64_t> keys;
  Bands{.bands = 2, .rows = 2}.keys(sketch, keys);
  EXPECT_THAT(keys, testing::ElementsAre(0xF2DB471907F7E261u, 0xC547487DB0D05970u));
}

TEST(Bands, GiveEqualRowsOtherKeysInOtherBands) {
  const std::vector<std::uint32_t> sketch(6, 7);
  std::vector<std::uint64_t> keys;
  Bands{.bands = 3, .rows = 2}.keys(sketch, keys);
  EXPECT_EQ(std::set<std::uint64_t>(keys.begin(), keys.end()).size(), 3u);
}

TEST(Bands, HaveAnEqualKeyExactlyWhereAllRowsAgree) {
  const Bands bands{.bands = 3, .rows = 2};
  std::vector<std::uint64_t> a, b;
  bands.keys(std::vector<std::uint32_t>{1, 2, 3, 4, 5, 6}, a);
  bands.keys(std::vector<std::uint32_t>{1, 2, 9, 4, 6, 5}, b);
  EXPECT_EQ(a[0], b[0]);
  EXPECT_NE(a[1], b[1]);
  EXPECT_NE(a[2], b[2]);
}

TEST(Bands, RefuseASketchThatIsTooShort) {
  std::vector<std::uint64_t> keys;
  EXPECT_THAT(
      error_of(ErrorCode::usage, [&] { Bands{.bands = 2, .rows = 2}.keys(std::vector<std::uint32_t>(3), keys); }),
      HasSubstr("3 places"));
}

// The finder and the public keys must bring the same sets together.
TEST(Bands, HaveTheKeysThatTheFinderSortsBy) {
  const Definition definition{.threshold = {4, 5}};
  const auto finder = search::make_finder(definition, {.name = "minhash", .target_recall = 0.95, .seed = 7});
  const Bands bands = choose_bands(definition, 0.95);
  Sketcher sketcher(definition, nullptr, {.minhash_size = bands.hashes(), .minhash_seed = 7});
  const std::string text = "one two three four five six seven eight nine ten";
  const std::span<const Feature> set = sketcher.set(text);
  std::vector<std::uint32_t> found(finder->sketch_width());
  finder->sketch(set, found);
  std::vector<std::uint64_t> keys;
  bands.keys(sketcher.minhash(text), keys);
  ASSERT_EQ(found.size(), keys.size());
  for (std::size_t band = 0; band < keys.size(); ++band) EXPECT_EQ(found[band], keys[band] >> 32);
}

}  // namespace
}  // namespace neardup::test
