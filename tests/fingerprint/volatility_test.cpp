#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <vector>

#include "neardup/error.h"
#include "neardup/sketch.h"

namespace neardup {
namespace {

using Features = std::vector<Feature>;

Volatility volatility_of(const Features& features, Projection projection = Projection::signs) {
  Features scratch;
  return volatility(simhash_sums(features, projection), features, projection, scratch);
}

// By the definition, one level after another.
Volatility naive_volatility(const Features& features, Projection projection) {
  std::map<Feature, std::uint64_t> counts;
  for (const Feature f : features) ++counts[f];
  unsigned __int128 squares = 0;
  for (const auto& [feature, count] : counts) squares += static_cast<unsigned __int128>(count) * count;
  if (projection == Projection::gaussian) squares *= kGaussianUnit * kGaussianUnit;
  const SimhashSums sums = simhash_sums(features, projection);
  Volatility result;
  for (std::size_t bit = 0; bit < 64; ++bit) {
    const auto sum = static_cast<unsigned __int128>(std::abs(sums[bit]));
    unsigned level = 0;
    while (level < 255 && squares * ((level + 1) * (level + 1)) <= 4096 * sum * sum) ++level;
    result.level[bit] = static_cast<std::uint8_t>(level);
  }
  return result;
}

TEST(Volatility, IsHowOftenTheNormFitsIntoASum) {
  // Bit 0: 2 - 1 = 1, bit 1: -3, in units of the norm, the root of 2^2 + 1^2: 64 / 2.236 = 28.6 and 192 / 2.236 = 85.9.
  const Volatility found = volatility_of({0b001, 0b001, 0b100});
  EXPECT_EQ(found.level[0], 28);
  EXPECT_EQ(found.level[1], 85);
  EXPECT_EQ(found.level[2], 28);
}

TEST(Volatility, EqualsItsDefinitionForEveryCountAndBothProjections) {
  std::mt19937_64 random{3};
  for (std::size_t n = 1; n <= 200; ++n) {
    Features features(n);
    for (Feature& f : features) f = random() % (n < 100 ? 20 : 1u << 20);
    for (const Projection projection : {Projection::signs, Projection::gaussian}) {
      ASSERT_EQ(volatility_of(features, projection), naive_volatility(features, projection)) << n;
    }
  }
}

TEST(Volatility, DoesNotDependOnTheOrderOfFeatures) {
  std::mt19937_64 random{4};
  Features features(40000);
  for (Feature& f : features) f = random() % 5000;
  const Volatility one = volatility_of(features), other = volatility_of(features, Projection::gaussian);
  std::shuffle(features.begin(), features.end(), random);
  EXPECT_EQ(volatility_of(features), one);
  EXPECT_EQ(volatility_of(features, Projection::gaussian), other);
  std::sort(features.begin(), features.end());
  EXPECT_EQ(volatility_of(features), one);
}

TEST(Volatility, StaysQuickAndRightWhenFeaturesCollide) {
  Features features;
  for (Feature i = 16000; i > 0; --i) features.push_back(i << 48);
  features.push_back(features.front());
  EXPECT_EQ(volatility_of(features), naive_volatility(features, Projection::signs));
}

TEST(Volatility, OfNothingIsZero) { EXPECT_EQ(volatility_of({}), Volatility{}); }

TEST(Volatility, OfOneFeatureManyTimesIsOneNorm) {
  std::vector<std::uint8_t> levels(64, 64);
  const Volatility found = volatility_of(Features(100000, 0xF0F0));
  EXPECT_TRUE(std::equal(levels.begin(), levels.end(), found.level.begin()));
}

TEST(Volatility, NeverExceedsAByte) {
  Features features;
  for (Feature i = 0; i < 1000; ++i) features.push_back(i << 20 | 1);
  EXPECT_EQ(volatility_of(features).level[0], 255);
}

TEST(Gaussian, AddsValuesOfMeanZeroAndTheStatedSpread) {
  std::mt19937_64 random{5};
  double sum = 0, squares = 0, fourth = 0;
  constexpr int kFeatures = 4000;
  for (int i = 0; i < kFeatures; ++i) {
    for (const std::int64_t value : simhash_sums(Features{random()}, Projection::gaussian)) {
      const double x = static_cast<double>(value) / kGaussianUnit;
      sum += x, squares += x * x, fourth += x * x * x * x;
    }
  }
  constexpr double kValues = 64.0 * kFeatures;
  EXPECT_NEAR(sum / kValues, 0, 0.01);
  EXPECT_NEAR(squares / kValues, 1, 0.01);
  EXPECT_NEAR(fourth / kValues, 3, 0.15);  // what a normal distribution has, less its outermost tails
}

TEST(Gaussian, BitsOfOneFeatureAreUncorrelated) {
  std::mt19937_64 random{6};
  constexpr int kFeatures = 20000;
  std::vector<double> products(64);
  for (int i = 0; i < kFeatures; ++i) {
    const SimhashSums sums = simhash_sums(Features{random()}, Projection::gaussian);
    for (std::size_t bit = 1; bit < 64; ++bit) products[bit] += static_cast<double>(sums[0] * sums[bit]);
  }
  for (std::size_t bit = 1; bit < 64; ++bit) {
    EXPECT_NEAR(products[bit] / kFeatures / kGaussianUnit / kGaussianUnit, 0, 0.035) << bit;
  }
}

TEST(Gaussian, SumsAddUp) {
  const Features a{1, 2, 3}, b{4, 5}, both{5, 1, 4, 3, 2};
  const SimhashSums of_a = simhash_sums(a, Projection::gaussian), of_b = simhash_sums(b, Projection::gaussian);
  SimhashSums sum{};
  for (std::size_t bit = 0; bit < 64; ++bit) sum[bit] = of_a[bit] + of_b[bit];
  EXPECT_EQ(simhash_sums(both, Projection::gaussian), sum);
}

TEST(Gaussian, ValuesArePinned) {
  const SimhashSums sums = simhash_sums(Features{0x0123456789ABCDEF}, Projection::gaussian);
  EXPECT_EQ(sums[0], 3565);
  EXPECT_EQ(sums[1], -5681);
  EXPECT_EQ(sums[63], 6833);
  EXPECT_EQ(simhash(sums).bits, 0xA5833E2F1D19C1C9u);
}

TEST(Projection, HasAName) {
  EXPECT_EQ(parse_projection("signs"), Projection::signs);
  EXPECT_EQ(parse_projection(to_string(Projection::gaussian)), Projection::gaussian);
  EXPECT_THROW(parse_projection("laplace"), Error);
}

}  // namespace
}  // namespace neardup
