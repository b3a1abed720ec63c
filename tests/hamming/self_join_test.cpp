// The self-join finds what comparing everything finds, each pair once.
#include <gtest/gtest.h>

#include <string>

#include "hamming/fast_support.h"
#include "hamming/one_call.h"
#include "neardup/error.h"

namespace neardup::hamming {
namespace {

Hits joined(const Codes& codes, unsigned distance, unsigned threads = 1, SearchStats* stats = nullptr) {
  Collect sink;
  Context context{.threads = threads};
  const SearchStats got = hamming_self_join(codes, distance, sink, context);
  if (stats != nullptr) *stats = got;
  Hits hits = sink.sorted();
  EXPECT_EQ(got.matches, hits.size());
  return hits;
}

class SelfJoinOf : public testing::TestWithParam<Shape> {};

TEST_P(SelfJoinOf, FindsWhatComparingEverythingFinds) {
  const Codes codes = GetParam().make(3000, 21);
  for (const unsigned distance : {0u, 1u, 2u, 3u, 4u, 6u, 8u}) {
    const Hits expected = naive_join(codes, distance);
    ASSERT_EQ(joined(codes, distance), expected) << distance;
    ASSERT_EQ(joined(codes, distance, 2), expected) << distance;
  }
}

INSTANTIATE_TEST_SUITE_P(Hamming, SelfJoinOf, testing::ValuesIn(shapes()),
                         [](const auto& test) { return test.param.name; });

TEST(SelfJoin, WorksWithHardlyAnyFingerprints) {
  for (const Codes& codes : {Codes{}, Codes{5}, Codes{5, 5}, Codes{5, 4}, Codes{0, ~std::uint64_t{0}}}) {
    for (const unsigned distance : {0u, 1u, 3u, 8u, 9u, 64u}) {
      ASSERT_EQ(joined(codes, distance), naive_join(codes, distance));
    }
  }
}

TEST(SelfJoin, ComparesEverythingForLargeDistancesAndSaysSo) {
  const Codes codes = clustered_codes(2500, 22);
  for (const unsigned distance : {9u, 16u, 30u}) {
    SearchStats stats;
    ASSERT_EQ(joined(codes, distance, 2, &stats), naive_join(codes, distance));
    EXPECT_FALSE(stats.fallback.empty());
  }
  SearchStats stats;
  joined(codes, 3, 1, &stats);
  EXPECT_TRUE(stats.fallback.empty());
}

TEST(SelfJoin, FindsPairsWithTheirDifferentBitsAnywhere) {
  Codes codes;
  base::Random random(23);
  for (unsigned a = 0; a < 64; a += 3) {
    for (unsigned b = a; b < 64; b += 5) {
      for (unsigned c = b; c < 64; c += 7) {
        const std::uint64_t code = random.next();
        codes.push_back(code);
        codes.push_back(code ^ (std::uint64_t{1} << a | std::uint64_t{1} << b | std::uint64_t{1} << c));
      }
    }
  }
  const Hits hits = joined(codes, 3);
  EXPECT_EQ(hits.size(), codes.size() / 2);
  EXPECT_EQ(hits, naive_join(codes, 3));
}

TEST(SelfJoin, ComparesLittleOfACrowdThatAgreesInThreeQuarters) {
  const Codes codes = masked_codes(60'000, 24, 0xFFFF);
  SearchStats stats;
  joined(codes, 1, 1, &stats);
  const std::uint64_t distinct = 40'000;
  EXPECT_LT(stats.compared, distinct * distinct / 20);
}

TEST(SelfJoin, ThinsOutACrowdThatOtherOrdersOfBitsDoNotSpread) {
  // Half of them are random; half agree in the first quarter and lie within six bits of one centre.
  base::Random random(25);
  Codes codes = uniform_codes(6000, 26);
  for (std::size_t i = 0; i < 3000; ++i) codes[i] = flipped(0, 6, random) & 0x0000FFFFFFFFFFFF;
  for (const unsigned distance : {1u, 3u, 5u}) ASSERT_EQ(joined(codes, distance), naive_join(codes, distance));
}

TEST(SelfJoin, StopsWhenTheSinkHasEnough) {
  test::OneCall sink;
  Context context{.threads = 2};
  const Codes codes(200'000, 7);  // 2 * 10^10 pairs
  EXPECT_EQ(hamming_self_join(codes, 3, sink, context).matches, sink.seen);
  EXPECT_EQ(sink.calls, 1u);
}

TEST(SelfJoin, RefusesADistanceBeyondTheWidth) {
  Collect sink;
  Context context;
  EXPECT_THROW(hamming_self_join(Codes{1}, 65, sink, context), Error);
}

}  // namespace
}  // namespace neardup::hamming
