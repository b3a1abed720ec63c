#include <gtest/gtest.h>

#include <optional>
#include <random>
#include <string>
#include <vector>

#include "neardup/sketch.h"

namespace neardup {
namespace {

using Features = std::vector<Feature>;

SimhashSums naive_sums(const Features& features) {
  SimhashSums sums{};
  for (const Feature f : features) {
    for (std::size_t bit = 0; bit < 64; ++bit) sums[bit] += (f >> bit & 1) != 0 ? 1 : -1;
  }
  return sums;
}

TEST(Simhash, SumsEqualANaiveLoopForEveryCount) {
  std::mt19937_64 random{1};
  for (std::size_t n = 0; n <= 300; ++n) {
    Features features(n);
    for (Feature& f : features) f = random();
    ASSERT_EQ(simhash_sums(features), naive_sums(features)) << n;
  }
}

TEST(Simhash, SumsDoNotOverflowTheirPlanes) {
  for (const std::size_t n : {65535u, 65536u, 65537u, 200003u}) {
    const SimhashSums sums = simhash_sums(Features(n, 0x8000000000000001));
    EXPECT_EQ(sums[0], static_cast<std::int64_t>(n));
    EXPECT_EQ(sums[63], static_cast<std::int64_t>(n));
    EXPECT_EQ(sums[1], -static_cast<std::int64_t>(n));
  }
}

TEST(Simhash, SumsOfManyRandomFeaturesEqualANaiveLoop) {
  std::mt19937_64 random{2};
  Features features(150001);
  for (Feature& f : features) f = random() | random();
  EXPECT_EQ(simhash_sums(features), naive_sums(features));
}

TEST(Simhash, SetsABitWhoseSumIsZero) {
  SimhashSums sums{};
  sums.fill(-1);
  sums[3] = 0;
  sums[5] = 7;
  EXPECT_EQ(simhash(sums).bits, 0b101000u);
}

TEST(Simhash, OfOneFeatureIsThatFeature) {
  EXPECT_EQ(simhash(simhash_sums(Features{0x123456789ABCDEF0})).bits, 0x123456789ABCDEF0u);
}

std::optional<Fingerprint> of(std::string_view text, Weights weights) {
  return Sketcher({.features = {.kind = FeatureKind::words, .length = 1}, .weights = weights}).simhash(text);
}

TEST(Simhash, WeighsAFeatureByHowOftenItOccurs) {
  EXPECT_EQ(of("a a a b", Weights::occurrences), of("a", Weights::occurrences));
  EXPECT_NE(of("a a a b", Weights::binary), of("a", Weights::binary));
  EXPECT_EQ(of("a a a b", Weights::binary), of("b a", Weights::binary));
}

TEST(Simhash, IsAbsentWithoutFeatures) { EXPECT_EQ(of(" ... ", Weights::occurrences), std::nullopt); }

TEST(Simhash, DoesNotDependOnTheOrderOfWords) {
  EXPECT_EQ(of("one two three four", Weights::occurrences), of("four two three one", Weights::occurrences));
}

TEST(Hex, HasSixteenDigitsOrADash) {
  EXPECT_EQ(to_hex(Fingerprint{0xAB}), "00000000000000ab");
  EXPECT_EQ(to_hex(Fingerprint{0xFEDCBA9876543210}), "fedcba9876543210");
  EXPECT_EQ(to_hex(std::nullopt), "-");
}

}  // namespace
}  // namespace neardup
