#include "join/suffix_filter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <vector>

#include "base/random.h"

namespace neardup::joins {
namespace {

using Tokens = std::vector<Rank>;

std::int64_t distance(const Tokens& x, const Tokens& y) {
  Tokens different;
  std::set_symmetric_difference(x.begin(), x.end(), y.begin(), y.end(), std::back_inserter(different));
  return static_cast<std::int64_t>(different.size());
}

// The promise: within the limit the result is at most the distance; above it, so is the distance.
void expect_sound(const Tokens& x, const Tokens& y, std::int64_t limit, unsigned depth) {
  const std::int64_t bound = distance_bound(x, y, limit, depth);
  const bool is_sound = bound > limit ? distance(x, y) > limit : distance(x, y) >= bound;
  ASSERT_TRUE(is_sound) << testing::PrintToString(x) << testing::PrintToString(y) << " limit " << limit << " depth "
                        << depth << " bound " << bound;
}

Tokens subset(unsigned bits) {
  Tokens tokens;
  for (Rank token = 0; bits >> token != 0; ++token) {
    if ((bits >> token & 1) != 0) tokens.push_back(token);
  }
  return tokens;
}

TEST(SuffixFilter, IsNeverAboveTheDistanceOfAnyTwoSmallSets) {
  for (unsigned a = 0; a < 64; ++a) {
    for (unsigned b = 0; b < 64; ++b) {
      const Tokens x = subset(a), y = subset(b);
      for (std::int64_t limit = 0; limit <= 7; ++limit) {
        for (unsigned depth = 0; depth <= 4; ++depth) ASSERT_NO_FATAL_FAILURE(expect_sound(x, y, limit, depth));
      }
    }
  }
}

TEST(SuffixFilter, IsNeverAboveTheDistanceOfRandomSets) {
  base::Random random(1);
  for (int round = 0; round < 20'000; ++round) {
    const std::uint64_t universe = 1 + random.below(120);
    std::set<Rank> x, y;
    for (std::uint64_t i = random.below(60); i > 0; --i) x.insert(static_cast<Rank>(random.below(universe)));
    if (random.below(2) == 0) y = x;
    for (std::uint64_t i = random.below(40); i > 0; --i) y.insert(static_cast<Rank>(random.below(universe)));
    for (std::uint64_t i = random.below(10); i > 0 && !y.empty(); --i) y.erase(y.begin());
    ASSERT_NO_FATAL_FAILURE(expect_sound({x.begin(), x.end()}, {y.begin(), y.end()},
                                         static_cast<std::int64_t>(random.below(40)),
                                         static_cast<unsigned>(random.below(6))));
  }
}

TEST(SuffixFilter, FindsTheDistanceItselfWhenEveryTokenIsProbed) {
  for (unsigned a = 0; a < 64; ++a) {
    for (unsigned b = 0; b < 64; ++b) {
      EXPECT_EQ(distance_bound(subset(a), subset(b), 100, 10), distance(subset(a), subset(b)));
    }
  }
}

TEST(SuffixFilter, ComparesTheLengthsAndNoMoreAtDepthZero) {
  EXPECT_EQ(distance_bound(Tokens{1, 2, 3}, Tokens{4, 5, 6}, 0, 0), 0);
  EXPECT_EQ(distance_bound(Tokens{1, 2, 3}, Tokens{7}, 9, 0), 2);
}

TEST(SuffixFilter, TakesAnEmptySideForWhatItIs) {
  EXPECT_EQ(distance_bound(Tokens{}, Tokens{}, 0, 3), 0);
  EXPECT_EQ(distance_bound(Tokens{}, Tokens{1, 2}, 5, 3), 2);
  EXPECT_EQ(distance_bound(Tokens{1, 2, 3}, Tokens{}, 5, 3), 3);
}

TEST(SuffixFilter, SeesAtTheSecondProbeWhatTheFirstDoesNotShow) {
  // Example 4 of the paper, with 40 for its D and 60 for its F: the probes tell 2 and then more apart.
  const Tokens x{10, 40, 45, 50, 60, 70}, y{20, 30, 40, 60, 80, 90};
  EXPECT_EQ(distance_bound(x, y, 2, 1), 2);
  EXPECT_GT(distance_bound(x, y, 2, 2), 2);
}

TEST(SuffixFilter, LooksForTheCutWithinTheSequenceOnly) {
  const Tokens low{1, 2}, middle{3, 4}, high{5, 6, 7, 8};
  EXPECT_EQ(distance_bound(low, middle, 2, 1), 2);  // the range in which 4 is looked for ends behind the sequence
  EXPECT_GT(distance_bound(low, middle, 2, 2), 2);
  EXPECT_EQ(distance_bound(high, Tokens{1, 2, 3, 4}, 6, 1), 6);  // the range for 3 begins before it
  EXPECT_GT(distance_bound(high, Tokens{1, 2, 3, 4}, 6, 2), 6);
}

}  // namespace
}  // namespace neardup::joins
