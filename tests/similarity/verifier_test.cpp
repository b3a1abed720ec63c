#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "neardup/error.h"
#include "neardup/similarity.h"
#include "support/naive.h"

namespace neardup {
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
  for (std::uint64_t y = 0; y < 30; ++y)
    EXPECT_EQ(jaccard.sizes_can_match(10, y), jaccard.min_size(10) <= y && y <= jaccard.max_size(10)) << y;
  EXPECT_EQ(jaccard.min_size(10), 8u);
  EXPECT_EQ(jaccard.max_size(10), 12u);
  EXPECT_EQ(jaccard.min_overlap(10, 10), 9u);
  EXPECT_EQ(jaccard.min_overlap_any(10), 8u);
}

TEST(Verifier, ScoresSetsWhateverTheThreshold) {
  const Set a{1, 2, 3}, b{3, 4};
  EXPECT_EQ(verifier(Measure::jaccard, {1, 1}).score(a, b), 0.25);
  EXPECT_EQ(verifier(Measure::dice, {1, 1}).score(a, b), 0.4);
  EXPECT_EQ(verifier(Measure::overlap, {9, 1}).score(a, b), 1.0);
  EXPECT_EQ(verifier(Measure::jaccard, {1, 1}).score(a, Set{7}), 0.0);
  EXPECT_EQ(verifier(Measure::jaccard, {1, 1}).score(Set{}, Set{}), 0.0);
}

TEST(Verifier, MeasuresEditDistanceInCodePoints) {
  const auto within3 = verifier(Measure::edit, {3, 1});
  EXPECT_EQ(within3.verify("kitten", "sitting"), 3.0);
  EXPECT_EQ(within3.verify("Gr\xC3\xBC\xC3\x9F", "Gru\xC3\x9F"), 1.0);
  EXPECT_EQ(within3.verify("kitten", "mittens!!"), std::nullopt);
  EXPECT_EQ(verifier(Measure::edit, {0, 1}).verify("same", "same"), 0.0);
}

TEST(Verifier, GivesAnEmptyStringNoPartner) {
  const auto within3 = verifier(Measure::edit, {3, 1});
  EXPECT_EQ(within3.verify("", ""), std::nullopt);
  EXPECT_EQ(within3.verify("", "a"), std::nullopt);
  EXPECT_EQ(within3.score("", "abcd"), 4.0);
}

TEST(Verifier, TakesAThresholdBeyondEveryLength) {
  EXPECT_EQ(verifier(Measure::edit, {1'000'000'000'000'000'000, 1}).verify("abc", "xy"), 3.0);
}

TEST(Verifier, AgreesWithTheTextbookOnRandomStrings) {
  std::mt19937_64 random{5};
  for (int round = 0; round < 2000; ++round) {
    const auto word = [&](std::size_t size) {
      std::string out(size, 'a');
      for (char& c : out) c = static_cast<char>('a' + random() % 3);
      return out;
    };
    const std::string a = word(1 + random() % 200), b = word(1 + random() % 200);
    const auto distance = test::naive_distance(a, b, a.size() + b.size());
    const std::uint64_t threshold = random() % 200;
    const auto edit = verifier(Measure::edit, {threshold, 1});
    ASSERT_EQ(edit.score(a, b), static_cast<double>(distance));
    ASSERT_EQ(edit.verify(a, b).has_value(), distance <= threshold);
  }
}

TEST(Verifier, ReadsInvalidUtf8AsOneReplacementPerByte) {
  EXPECT_EQ(verifier(Measure::edit, {9, 1}).score("a\xFF\xFE", "a"), 2.0);
  EXPECT_EQ(verifier(Measure::edit, {9, 1}).score("a\xE2\x82", "a\xEF\xBF\xBD\xEF\xBF\xBD"), 0.0);
}

TEST(Verifier, RefusesWhatTheMeasureDoesNotCompare) {
  const Set set{1};
  EXPECT_THROW((void)verifier(Measure::edit, {1, 1}).verify(set, set), Error);
  EXPECT_THROW((void)verifier(Measure::hamming, {1, 1}).score(set, set), Error);
  EXPECT_THROW((void)verifier(Measure::jaccard, {1, 1}).verify("a", "a"), Error);
  EXPECT_THROW((void)verifier(Measure::hamming, {1, 1}).score("a", "a"), Error);
  EXPECT_THROW((void)verifier(Measure::edit, {1, 1}).verify(1, 1), Error);
  EXPECT_THROW((void)verifier(Measure::hamming, {1, 1}).prefix_size(1), Error);
}

TEST(Verifier, ScoresCodesWhateverTheThreshold) {
  EXPECT_EQ(verifier(Measure::hamming, {3, 1}).score(0, ~std::uint64_t{0}), 64.0);
}

TEST(Verifier, KnowsHowManyFeaturesMustBeLookedAt) {
  EXPECT_EQ(verifier(Measure::jaccard, {4, 5}).prefix_size(10), 3u);  // 10 - 8 + 1
  EXPECT_EQ(verifier(Measure::jaccard, {1, 1}).prefix_size(10), 1u);
  EXPECT_EQ(verifier(Measure::overlap, {3, 1}).prefix_size(5), 3u);
  EXPECT_EQ(verifier(Measure::overlap, {3, 1}).prefix_size(2), 0u);
  EXPECT_EQ(verifier(Measure::jaccard, {4, 5}).prefix_size(0), 0u);
}

// All pairs of subsets of a small universe in its order: the promise that prefix joins rest on.
TEST(Verifier, GivesPartnersACommonFeatureAmongTheFirstOnes) {
  constexpr unsigned kUniverse = 8;
  std::vector<Set> sets(1u << kUniverse);
  for (unsigned bits = 0; bits < sets.size(); ++bits)
    for (unsigned f = 0; f < kUniverse; ++f)
      if (bits >> f & 1) sets[bits].push_back(f);
  for (const auto& [measure, threshold] : {std::pair{Measure::jaccard, Threshold{3, 5}},
                                           {Measure::cosine, {3, 4}},
                                           {Measure::dice, {7, 10}},
                                           {Measure::overlap, {3, 1}}}) {
    const auto any = verifier(measure, threshold);
    for (const Set& a : sets) {
      for (const Set& b : sets) {
        if (!any.verify(a, b)) continue;
        const auto in_prefix_of_b = [&](Feature f) {
          return std::find(b.begin(), b.begin() + static_cast<std::ptrdiff_t>(any.prefix_size(b.size())), f) !=
                 b.begin() + static_cast<std::ptrdiff_t>(any.prefix_size(b.size()));
        };
        ASSERT_TRUE(
            std::any_of(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(any.prefix_size(a.size())), in_prefix_of_b));
      }
    }
  }
}

TEST(Verifier, RefusesADefinitionThatIsNotValid) { EXPECT_THROW(verifier(Measure::jaccard, {2, 1}), Error); }

}  // namespace
}  // namespace neardup
