#include "similarity/verifier.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "neardup/error.h"

namespace neardup::similarity {
namespace {

using Set = std::vector<Feature>;

Verifier verifier(Measure measure, const Threshold& threshold) {
  return Verifier{{.features = {}, .measure = measure, .threshold = threshold}};
}

TEST(Verifier, AcceptsAPairThatSitsExactlyOnTheThreshold) {
  const Set a{1, 2, 3, 4}, b{1, 2, 3, 4, 5};
  EXPECT_EQ(verifier(Measure::jaccard, {4, 5}).verify(a, b), 0.8);
}

TEST(Verifier, RejectsAPairJustBelowTheThreshold) {
  const Set a{1, 2, 3, 4}, b{1, 2, 3, 4, 5};
  EXPECT_EQ(verifier(Measure::jaccard, {800000001, 1000000000}).verify(a, b), std::nullopt);
}

TEST(Verifier, GivesAnEmptySetNoPartnerUnderAnyMeasure) {
  const Set empty, full{1};
  for (const Measure measure : {Measure::jaccard, Measure::cosine, Measure::dice, Measure::overlap}) {
    const auto any = verifier(measure, {1, 1});
    EXPECT_EQ(any.verify(empty, empty), std::nullopt);
    EXPECT_EQ(any.verify(empty, full), std::nullopt);
    EXPECT_EQ(any.identity_score(0), std::nullopt);
    EXPECT_FALSE(any.sizes_can_match(0, 0));
  }
}

TEST(Verifier, AgreesWithTheDefinitionOnRandomSets) {
  std::mt19937_64 random{3};
  for (int round = 0; round < 20'000; ++round) {
    Set a, b, common;
    const std::size_t universe = 1 + random() % 40;
    for (Feature feature = 0; feature < universe; ++feature) {
      if (random() % 4) a.push_back(feature * 0x9E3779B97F4A7C15u);
      if (random() % 4) b.push_back(feature * 0x9E3779B97F4A7C15u);
    }
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(common));
    const std::uint64_t o = common.size(), x = a.size(), y = b.size(), k = 1 + random() % 100;
    const bool any = o > 0;
    const auto threshold = [](std::uint64_t percent) { return parse_threshold(std::to_string(percent) + "/100"); };
    const auto met = [&](Measure measure, const Threshold& t) { return verifier(measure, t).verify(a, b).has_value(); };
    ASSERT_EQ(met(Measure::jaccard, threshold(k)), any && 100 * o >= k * (x + y - o));
    ASSERT_EQ(met(Measure::dice, threshold(k)), any && 200 * o >= k * (x + y));
    ASSERT_EQ(met(Measure::cosine, threshold(k)), any && 10000 * o * o >= k * k * x * y);
    ASSERT_EQ(met(Measure::overlap, {k, 1}), o >= k);
    ASSERT_EQ(verifier(Measure::overlap, {1, 1}).verify(a, b).value_or(0), static_cast<double>(o));
  }
}

TEST(Verifier, MeasuresHammingDistanceInBits) {
  const auto within3 = verifier(Measure::hamming, {3, 1});
  EXPECT_EQ(within3.verify(0xF0, 0xF0), 0.0);
  EXPECT_EQ(within3.verify(0x8000000000000000u, 0x3u), 3.0);
  EXPECT_EQ(within3.verify(0x8000000000000001u, 0x6u), std::nullopt);
  EXPECT_EQ(verifier(Measure::hamming, {64, 1}).verify(0, ~std::uint64_t{0}), 64.0);
}

TEST(Verifier, KnowsWithWhichScoreCopiesMatch) {
  EXPECT_EQ(verifier(Measure::jaccard, {4, 5}).identity_score(3), 1.0);
  EXPECT_EQ(verifier(Measure::cosine, {1, 1}).identity_score(3), 1.0);
  EXPECT_EQ(verifier(Measure::dice, {1, 1}).identity_score(3), 1.0);
  EXPECT_EQ(verifier(Measure::hamming, {0, 1}).identity_score(3), 0.0);
  EXPECT_EQ(verifier(Measure::hamming, {3, 1}).identity_score(0), std::nullopt);
}

TEST(Verifier, DoesNotMatchCopiesThatAreTooSmallForAnOverlap) {
  const auto three = verifier(Measure::overlap, {3, 1});
  EXPECT_EQ(three.identity_score(3), 3.0);
  EXPECT_EQ(three.identity_score(2), std::nullopt);
}

TEST(Verifier, AdmitsTheSizesBetweenItsBounds) {
  const auto jaccard = verifier(Measure::jaccard, {4, 5});
  for (Size y = 0; y < 30; ++y)
    EXPECT_EQ(jaccard.sizes_can_match(10, y), jaccard.min_size(10) <= y && y <= jaccard.max_size(10)) << y;
  EXPECT_EQ(jaccard.min_size(10), 8u);
  EXPECT_EQ(jaccard.max_size(10), 12u);
  EXPECT_EQ(jaccard.min_overlap(10, 10), 9u);
  EXPECT_EQ(jaccard.min_overlap_any(10), 8u);
}

TEST(Verifier, RefusesADefinitionThatIsNotValid) { EXPECT_THROW(verifier(Measure::jaccard, {2, 1}), Error); }

}  // namespace
}  // namespace neardup::similarity
