// A feature of weight w counts as w occurrences of it.
#include "fingerprint/weighted.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace neardup {
namespace {

std::vector<WeightedFeature> settled(std::vector<WeightedFeature> features) {
  settle(features);
  return features;
}

TEST(Settle, MakesOneOfEqualFeaturesInAscendingOrder) {
  EXPECT_EQ(settled({{9, 1}, {3, 2}, {9, 4}}), (std::vector<WeightedFeature>{{3, 2}, {9, 5}}));
  EXPECT_TRUE(settled({}).empty());
}

TEST(Settle, HalvesWeightsThatAreTooHeavyTogether) {
  const std::uint64_t heavy = std::uint64_t{1} << 43;
  EXPECT_EQ(settled({{1, heavy - 1}}), (std::vector<WeightedFeature>{{1, heavy - 1}}));
  EXPECT_EQ(settled({{1, heavy - 5}, {2, 5}}), (std::vector<WeightedFeature>{{1, heavy / 2 - 3}, {2, 2}}));
}

TEST(WeightedFeatures, EqualRepeatedOnes) {
  std::mt19937_64 random{1};
  for (int round = 0; round < 200; ++round) {
    std::vector<WeightedFeature> weighted;
    std::vector<Feature> repeated, scratch;
    for (auto n = 1 + random() % 40; n > 0; --n) {
      const Feature feature = random() % 2 == 0 ? random() : random() % 16;
      const std::uint64_t weight = 1 + random() % 9;
      weighted.push_back({feature, weight});
      repeated.insert(repeated.end(), weight, feature);
    }
    settle(weighted);
    for (const Projection projection : {Projection::signs, Projection::gaussian}) {
      const SimhashSums sums = simhash_sums(weighted, projection);
      ASSERT_EQ(sums, simhash_sums(repeated, projection));
      ASSERT_EQ(volatility(sums, weighted, projection), volatility(sums, repeated, projection, scratch));
    }
  }
}

TEST(WeightedFeatures, OfTheGreatestWeightDoNotOverflow) {
  std::vector<WeightedFeature> one{{0x00FF00FF00FF00FF, ~std::uint64_t{0}}};
  settle(one);
  for (const Projection projection : {Projection::signs, Projection::gaussian}) {
    const SimhashSums sums = simhash_sums(one, projection);
    std::vector<WeightedFeature> light{{one.front().feature, 1}};
    const SimhashSums small = simhash_sums(light, projection);
    for (std::size_t bit = 0; bit < 64; ++bit) ASSERT_EQ(sums[bit], small[bit] * ((std::int64_t{1} << 43) - 1));
    EXPECT_EQ(volatility(sums, one, projection), volatility(small, light, projection));
  }
}

TEST(WeightedFeatures, WithoutAnyWeightHaveNoVolatility) {
  EXPECT_EQ(volatility({}, std::span<const WeightedFeature>{}, Projection::signs), Volatility{});
}

}  // namespace
}  // namespace neardup
