// Sketches estimate Jaccard similarity: without bias, with the variance of independent rows, in bands too.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "neardup/sketch.h"

namespace neardup {
namespace {

using Features = std::vector<Feature>;
using Sketch = std::vector<std::uint32_t>;

Sketch sketch(const MinHasher& hasher, const Features& set) {
  Sketch out(hasher.size());
  hasher.sketch(set, out);
  return out;
}

TEST(MinHash, GivesEqualSketchesToEqualSetsInAnyOrder) {
  const MinHasher hasher{112, 42};
  EXPECT_EQ(sketch(hasher, {1, 1000, 77777777777}), sketch(hasher, {77777777777, 1, 1000}));
}

TEST(MinHash, FillsEveryPlaceOfASketchThatIsNotAWholeVector) {
  std::mt19937_64 random{1};
  Features set(50);
  for (Feature& f : set) f = random();
  const Sketch whole = sketch(MinHasher{128, 42}, set);
  for (std::size_t size = 1; size <= 128; ++size) {
    const Sketch part = sketch(MinHasher{size, 42}, set);
    ASSERT_EQ(part, Sketch(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)));
  }
}

TEST(MinHash, ChangesWithTheSeed) {
  const Features set{1, 2, 3};
  EXPECT_NE(sketch(MinHasher{16, 1}, set), sketch(MinHasher{16, 2}, set));
}

// Kept in sketches that may be stored: these numbers never change.
TEST(MinHash, HasTheDocumentedValues) {
  EXPECT_THAT(sketch(MinHasher{4, 42}, {0x0123456789ABCDEF, 0xFEDCBA9876543210}),
              testing::ElementsAre(1390902024u, 1612265732u, 703556256u, 3513283960u));
}

struct Overlap {
  std::size_t common, only_left, only_right;
};

class EveryOverlap : public testing::TestWithParam<Overlap> {};

// Seeded, so the outcome is fixed; the tolerances are 4.5 standard errors.
TEST_P(EveryOverlap, AgreesAsOftenAsTheJaccardSimilaritySaysAndRowsAreIndependent) {
  constexpr std::size_t kRows = 7, kBands = 16, kSize = kRows * kBands;
  constexpr int kRounds = 4000;
  const auto [common, only_left, only_right] = GetParam();
  const double jaccard = static_cast<double>(common) / static_cast<double>(common + only_left + only_right);
  const MinHasher hasher{kSize, 42};
  std::mt19937_64 random{9};
  double sum = 0, squares = 0, bands = 0;
  for (int round = 0; round < kRounds; ++round) {
    Features left, right;
    for (std::size_t i = 0; i < common; ++i) left.push_back(random());
    right = left;
    for (std::size_t i = 0; i < only_left; ++i) left.push_back(random());
    for (std::size_t i = 0; i < only_right; ++i) right.push_back(random());
    const Sketch a = sketch(hasher, left), b = sketch(hasher, right);
    double agreeing = 0;
    for (std::size_t band = 0; band < kBands; ++band) {
      std::size_t rows = 0;
      for (std::size_t i = 0; i < kRows; ++i) rows += a[band * kRows + i] == b[band * kRows + i];
      agreeing += static_cast<double>(rows);
      bands += rows == kRows;
    }
    sum += agreeing;
    squares += agreeing * agreeing;
  }
  const double mean = sum / kRounds;
  const double binomial_variance = kSize * jaccard * (1 - jaccard);
  EXPECT_NEAR(mean / kSize, jaccard, 4.5 * std::sqrt(binomial_variance / kRounds) / kSize);
  EXPECT_NEAR((squares / kRounds - mean * mean) / binomial_variance, 1.0, 4.5 * std::sqrt(2.0 / kRounds) + 0.01);
  const double band = std::pow(jaccard, kRows), trials = kRounds * kBands;
  EXPECT_NEAR(bands / trials, band, 4.5 * std::sqrt(band * (1 - band) / trials));
}

INSTANTIATE_TEST_SUITE_P(MinHash, EveryOverlap,
                         testing::Values(Overlap{1, 1, 0}, Overlap{1, 1, 1}, Overlap{2, 1, 0}, Overlap{4, 1, 0},
                                         Overlap{8, 1, 1}, Overlap{16, 2, 2}, Overlap{90, 5, 5}, Overlap{360, 40, 40}),
                         [](const auto& sets) {
                           return std::to_string(sets.param.common) + "Common" + std::to_string(sets.param.only_left) +
                                  "And" + std::to_string(sets.param.only_right) + "Apart";
                         });

}  // namespace
}  // namespace neardup
