#include "similarity/measures.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>
#include <numeric>
#include <optional>
#include <random>
#include <type_traits>
#include <vector>

namespace neardup::similarity {
namespace {

// A number of any length, smallest digits first, made only by multiplication: the oracle's arithmetic.
class BigProduct {
 public:
  BigProduct(std::initializer_list<std::uint64_t> factors) {
    for (const std::uint64_t factor : factors) {
      const auto low = times(digits_, static_cast<std::uint32_t>(factor));
      auto high = times(digits_, static_cast<std::uint32_t>(factor >> 32));
      high.insert(high.begin(), 0);
      digits_ = sum(low, high);
    }
    while (!digits_.empty() && digits_.back() == 0) digits_.pop_back();
  }
  friend bool operator>=(const BigProduct& a, const BigProduct& b) {
    if (a.digits_.size() != b.digits_.size()) return a.digits_.size() > b.digits_.size();
    return !std::lexicographical_compare(a.digits_.rbegin(), a.digits_.rend(), b.digits_.rbegin(), b.digits_.rend());
  }

 private:
  using Digits = std::vector<std::uint32_t>;
  static Digits times(const Digits& number, std::uint64_t factor) {
    Digits out;
    std::uint64_t carry = 0;
    for (const std::uint32_t digit : number) {
      carry += digit * factor;
      out.push_back(static_cast<std::uint32_t>(carry));
      carry >>= 32;
    }
    out.push_back(static_cast<std::uint32_t>(carry));
    return out;
  }
  static Digits sum(Digits a, Digits b) {
    a.resize(std::max(a.size(), b.size()) + 1);
    b.resize(a.size());
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      carry += std::uint64_t{a[i]} + b[i];
      a[i] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    return a;
  }
  Digits digits_{1};
};

// Small enough for every product of the exhaustive tests.
struct SmallProduct {
  std::uint64_t value = 1;
  SmallProduct(std::initializer_list<std::uint64_t> factors) {
    for (const std::uint64_t factor : factors) value *= factor;
  }
  friend bool operator>=(const SmallProduct& a, const SmallProduct& b) { return a.value >= b.value; }
};

// The definitions of the measures, as fractions compared by cross-multiplication.
template <class Number>
bool reaches(Jaccard, Size o, Size x, Size y, const Threshold& t) {
  return Number{o, t.den} >= Number{t.num, x + y - o};
}
template <class Number>
bool reaches(Dice, Size o, Size x, Size y, const Threshold& t) {
  return Number{2, o, t.den} >= Number{t.num, x + y};
}
template <class Number>
bool reaches(Cosine, Size o, Size x, Size y, const Threshold& t) {
  return Number{o, o, t.den, t.den} >= Number{t.num, t.num, x, y};
}
template <class Number>
bool reaches(Containment, Size o, Size x, Size y, const Threshold& t) {
  return o > 0 && Number{o, t.den} >= Number{t.num, std::min(x, y)};
}
template <class Number>
bool reaches(Overlap, Size o, Size, Size, const Threshold& t) {
  return o >= t.num;
}

Threshold reduced(std::uint64_t num, std::uint64_t den) {
  const auto divisor = std::gcd(num, den);
  return {num / divisor, den / divisor};
}

template <class M>
std::vector<Threshold> thresholds() {
  std::vector<Threshold> all;
  for (std::uint64_t k = 1; k <= 100; ++k)
    all.push_back(std::is_same_v<M, Overlap> ? Threshold{k, 1} : reduced(k, 100));
  if (!std::is_same_v<M, Overlap>) all.insert(all.end(), {{1, 3}, {2, 3}, {5, 7}, {999, 1000}});
  return all;
}

constexpr Size kLargest = 60;

template <class M>
class EveryMeasure : public testing::Test {};
using Measures = testing::Types<Jaccard, Cosine, Dice, Overlap, Containment>;
TYPED_TEST_SUITE(EveryMeasure, Measures);

TYPED_TEST(EveryMeasure, AcceptsExactlyTheOverlapsThatReachTheThreshold) {
  for (const Threshold& t : thresholds<TypeParam>())
    for (Size x = 1; x <= kLargest; ++x)
      for (Size y = 1; y <= kLargest; ++y) {
        const Size need = TypeParam::min_overlap(x, y, t);
        for (Size o = 0; o <= std::min(x, y); ++o)
          ASSERT_EQ(o >= need, reaches<SmallProduct>(TypeParam{}, o, x, y, t))
              << o << " of " << x << ", " << y << " at " << t.num << "/" << t.den;
      }
}

TYPED_TEST(EveryMeasure, AdmitsExactlyThePartnerSizesWithWhichSomeOverlapSuffices) {
  for (const Threshold& t : thresholds<TypeParam>())
    for (Size x = 1; x <= kLargest; ++x)
      for (Size y = 1; y <= 3 * kLargest; ++y) {
        const bool admitted = TypeParam::min_size(x, t) <= y && y <= TypeParam::max_size(x, t);
        ASSERT_EQ(admitted, reaches<SmallProduct>(TypeParam{}, std::min(x, y), x, y, t))
            << x << ", " << y << " at " << t.num << "/" << t.den;
      }
}

TYPED_TEST(EveryMeasure, KnowsTheSmallestOverlapWithAnyPartner) {
  for (const Threshold& t : thresholds<TypeParam>())
    for (Size x = 1; x <= kLargest; ++x) {
      std::optional<Size> smallest;
      for (Size y = 1; y <= kLargest; ++y)
        for (Size o = 1; o <= std::min(x, y); ++o)
          if (reaches<SmallProduct>(TypeParam{}, o, x, y, t)) smallest = std::min(o, smallest.value_or(o));
      const Size claimed = TypeParam::min_overlap_any(x, t);
      ASSERT_TRUE(smallest ? claimed == *smallest : claimed > x) << x << " at " << t.num << "/" << t.den;
    }
}

TYPED_TEST(EveryMeasure, StaysExactForHugeSetsAndThresholdsOfEighteenDigits) {
  std::mt19937_64 random{7};
  const auto below = [&](std::uint64_t bound) { return random() % bound; };
  for (int round = 0; round < 20'000; ++round) {
    const unsigned digits = static_cast<unsigned>(1 + below(18));
    std::uint64_t den = 1;
    for (unsigned i = 0; i < digits; ++i) den *= 10;
    den -= below(2) * below(den);
    const Threshold t = std::is_same_v<TypeParam, Overlap> ? Threshold{1 + below(1ull << 40), 1}
                        : below(8) == 0                    ? Threshold{1, 1}
                                                           : reduced(1 + below(den), den);
    const Size x = 1 + below(Size{1} << (1 + below(40))), y = below(4) == 0 ? x : 1 + below(Size{1} << (1 + below(40)));
    SCOPED_TRACE(testing::Message() << x << ", " << y << " at " << t.num << "/" << t.den);
    const auto reached = [&](Size o, Size left, Size right) {
      return reaches<BigProduct>(TypeParam{}, o, left, right, t);
    };

    const Size need = TypeParam::min_overlap(x, y, t);
    ASSERT_TRUE(reached(need, x, y));
    ASSERT_TRUE(need == 1 || !reached(need - 1, x, y));

    const Size least = TypeParam::min_size(x, t), most = TypeParam::max_size(x, t);
    if (std::is_same_v<TypeParam, Overlap>) continue;  // has no bound that depends on x
    ASSERT_TRUE(reached(least, x, least));
    ASSERT_TRUE(least == 1 || !reached(least - 1, x, least - 1));
    ASSERT_EQ(TypeParam::min_overlap_any(x, t), TypeParam::min_overlap(x, least, t));
    if (most < Size{1} << 60) {
      ASSERT_TRUE(reached(x, x, most));
      ASSERT_FALSE(reached(x, x, most + 1));
    } else {
      ASSERT_TRUE(reached(x, x, Size{1} << 60));
    }
  }
}

// The most tokens that partners of sizes x >= y can fail to share, in 256ths.
template <class M>
std::int64_t most_unshared(Size x, Size y, const Threshold& t) {
  return (static_cast<std::int64_t>(x + y) - 2 * static_cast<std::int64_t>(M::min_overlap(x, y, t))) * 256;
}

TYPED_TEST(EveryMeasure, GrantsPartnersAtLeastTheSlackTheyCanNeed) {
  for (const Threshold& t : thresholds<TypeParam>())
    for (Size x = 1; x <= kLargest; ++x)
      for (Size y = TypeParam::min_size(x, t); y <= x; ++y)
        ASSERT_GE(TypeParam::slack_of_larger(x, t) + TypeParam::slack_of_smaller(y, t),
                  most_unshared<TypeParam>(x, y, t))
            << x << ", " << y << " at " << t.num << "/" << t.den;
}

TYPED_TEST(EveryMeasure, GrantsHugePartnersAtLeastTheSlackTheyCanNeed) {
  std::mt19937_64 random{9};
  const auto below = [&](std::uint64_t bound) { return random() % bound; };
  for (int round = 0; round < 100'000; ++round) {
    const Size x = 1 + below(Size{1} << (1 + below(26)));
    const std::uint64_t den = 1 + below(1'000'000'000'000);
    const Threshold t = std::is_same_v<TypeParam, Overlap> ? Threshold{1 + below(x), 1} : reduced(1 + below(den), den);
    const Size least = TypeParam::min_size(x, t);
    const Size y = below(4) == 0 ? least : least + below(x - least + 1);
    ASSERT_GE(TypeParam::slack_of_larger(x, t) + TypeParam::slack_of_smaller(y, t), most_unshared<TypeParam>(x, y, t))
        << x << ", " << y << " at " << t.num << "/" << t.den;
  }
}

TYPED_TEST(EveryMeasure, GrantsLittleMoreSlackThanEqualSizesNeed) {
  if (std::is_same_v<TypeParam, Containment>) return;  // the larger set may have any number of tokens of its own
  for (const Threshold& t : thresholds<TypeParam>())
    for (Size x = TypeParam::min_overlap_any(1, t); x <= kLargest; ++x)
      ASSERT_LE(TypeParam::slack_of_larger(x, t) + TypeParam::slack_of_smaller(x, t),
                most_unshared<TypeParam>(x, x, t) + 2 * 256 + 2)
          << x << " at " << t.num << "/" << t.den;
}

TYPED_TEST(EveryMeasure, GivesAnEmptySetNoPartner) {
  for (const Threshold& t : thresholds<TypeParam>()) {
    EXPECT_GE(TypeParam::min_overlap(0, 0, t), 1u);
    EXPECT_GE(TypeParam::min_overlap(0, 5, t), 1u);
    EXPECT_GT(TypeParam::min_size(0, t), TypeParam::max_size(0, t));
  }
}

TEST(Jaccard, KeepsAPairWithExactlyFourOfFive) { EXPECT_EQ(Jaccard::min_overlap(4, 5, {4, 5}), 4u); }

// 28 / (31 + 32 - 28) is exactly 0.8, but ceil(0.8 / 1.8 * 63) in doubles asks for 29.
TEST(Jaccard, DoesNotLoseAPairToRounding) { EXPECT_EQ(Jaccard::min_overlap(31, 32, {4, 5}), 28u); }

TEST(Contained, AsksForAShareOfTheLeftSetWhateverTheRightOneHas) {
  for (const Threshold& t : thresholds<Containment>())
    for (Size x = 1; x <= kLargest; ++x)
      for (Size y = 1; y <= kLargest; ++y)
        for (Size o = 0; o <= std::min(x, y); ++o) {
          ASSERT_EQ(o >= Contained::min_overlap(x, y, t), o > 0 && o * t.den >= t.num * x)
              << o << " of " << x << ", " << y << " at " << t.num << "/" << t.den;
        }
  EXPECT_EQ(Contained::score(3, 4, 100), 0.75);
  EXPECT_EQ(Contained::score(3, 100, 4), 0.03);
}

TEST(Scores, AreTheFractionsOfTheDefinition) {
  EXPECT_EQ(Containment::score(3, 4, 100), 0.75);
  EXPECT_EQ(Containment::score(3, 100, 4), 0.75);
  EXPECT_EQ(Jaccard::score(4, 4, 5), 0.8);
  EXPECT_EQ(Dice::score(4, 4, 4), 1.0);
  EXPECT_EQ(Dice::score(3, 4, 6), 0.6);
  EXPECT_EQ(Cosine::score(2, 4, 4), 0.5);
  EXPECT_EQ(Cosine::score(6, 4, 9), 1.0);
  EXPECT_EQ(Overlap::score(7, 9, 8), 7.0);
}

TEST(Scores, OfEqualSetsAreOneForEverySize) {
  for (Size x = 1; x < 100'000; ++x) {
    ASSERT_EQ(Jaccard::score(x, x, x), 1.0);
    ASSERT_EQ(Dice::score(x, x, x), 1.0);
    ASSERT_EQ(Cosine::score(x, x, x), 1.0);
  }
}

TEST(WithMeasure, CallsTheVisitorWithTheStructOfTheMeasure) {
  const auto need = [](Measure measure) {
    return with_measure(measure, [&]<class M>() { return M::min_overlap(10, 40, {1, 1}); });
  };
  EXPECT_EQ(need(Measure::jaccard), 25u);
  EXPECT_EQ(need(Measure::dice), 25u);
  EXPECT_EQ(need(Measure::cosine), 20u);
  EXPECT_EQ(need(Measure::overlap), 1u);
  EXPECT_EQ(need(Measure::containment), 10u);
  EXPECT_EQ(need(Measure::contained), 10u);
}

TEST(Multiply, CarriesThroughAllFourWords) {
  const Wide most = ~Wide{0};
  EXPECT_EQ(multiply(most, most), (Product{most - 1, 1}));
  EXPECT_EQ(multiply(most, 1), (Product{0, most}));
  EXPECT_EQ(multiply(Wide{1} << 64, Wide{1} << 64), (Product{1, 0}));
}

}  // namespace
}  // namespace neardup::similarity
