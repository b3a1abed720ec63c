#include "hamming/flip_sets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace neardup::hamming {
namespace {

// The bits of a set as the paper writes them: ranks from 1, ascending.
std::string written(std::uint64_t set) {
  std::string text;
  for (; set != 0; set &= set - 1) {
    text += (text.empty() ? "" : ",") + std::to_string(std::countr_zero(set) + 1);
  }
  return text;
}

std::uint64_t root(unsigned size) { return (std::uint64_t{1} << size) - 1; }

// The top levels of a tree, level by level, left before right.
std::vector<std::vector<std::string>> levels(unsigned size, unsigned bits, int depth) {
  std::vector<std::vector<std::string>> result;
  std::vector<std::uint64_t> level{root(size)};
  for (; depth > 0; --depth) {
    result.emplace_back();
    std::vector<std::uint64_t> next;
    for (const std::uint64_t set : level) {
      result.back().push_back(written(set));
      for (const std::uint64_t child : {left_child(set, bits), right_child(set)}) {
        if (child != 0) next.push_back(child);
      }
    }
    level = next;
  }
  return result;
}

using Levels = std::vector<std::vector<std::string>>;

TEST(VoshTree, OfSingleBitsIsAChain) { EXPECT_EQ(levels(1, 64, 5), (Levels{{"1"}, {"2"}, {"3"}, {"4"}, {"5"}})); }

TEST(VoshTree, OfPairsMovesTheLastBitOrClosesAGapOfOne) {
  EXPECT_EQ(levels(2, 64, 5), (Levels{{"1,2"}, {"1,3"}, {"1,4", "2,3"}, {"1,5", "2,4"}, {"1,6", "2,5", "3,4"}}));
}

TEST(VoshTree, OfTriplesLooksPastTheRunAtTheEnd) {
  EXPECT_EQ(levels(3, 64, 5), (Levels{{"1,2,3"},
                                      {"1,2,4"},
                                      {"1,2,5", "1,3,4"},
                                      {"1,2,6", "1,3,5", "2,3,4"},
                                      {"1,2,7", "1,3,6", "1,4,5", "2,3,5"}}));
}

TEST(VoshTree, HoldsEverySetOfItsSizeOnceAndNoChildComesBeforeItsParent) {
  for (unsigned bits = 1; bits <= 12; ++bits) {
    for (unsigned size = 1; size <= std::min(bits, 6u); ++size) {
      std::set<std::uint64_t> seen;
      std::vector<std::uint64_t> open{root(size)};
      while (!open.empty()) {
        const std::uint64_t set = open.back();
        open.pop_back();
        ASSERT_TRUE(seen.insert(set).second) << written(set);
        ASSERT_EQ(std::popcount(set), static_cast<int>(size));
        ASSERT_LT(set, std::uint64_t{1} << bits);
        for (const std::uint64_t child : {left_child(set, bits), right_child(set)}) {
          if (child == 0) continue;
          ASSERT_EQ(std::popcount(child & ~set), 1);
          ASSERT_GT(child & ~set, set & ~child);  // one bit moved to a higher rank
          open.push_back(child);
        }
      }
      std::size_t all = 0;
      for (std::uint64_t set = 0; set < std::uint64_t{1} << bits; ++set) {
        all += std::popcount(set) == static_cast<int>(size) ? 1 : 0;
      }
      EXPECT_EQ(seen.size(), all) << bits << " " << size;
    }
  }
}

TEST(VoshTree, ReachesTheHighestRankOf64) {
  EXPECT_EQ(left_child(std::uint64_t{1} << 62, 64), std::uint64_t{1} << 63);
  EXPECT_EQ(left_child(std::uint64_t{1} << 63, 64), 0u);
  EXPECT_EQ(right_child(~std::uint64_t{0}), 0u);
  EXPECT_EQ(right_child(std::uint64_t{5} << 61), std::uint64_t{6} << 61);
}

// Equation (1), straight from the probabilities.
double probability(const std::vector<double>& p, std::uint64_t set) {
  double product = 1;
  for (std::size_t i = 0; i < p.size(); ++i) product *= (set >> i & 1) != 0 ? p[i] : 1 - p[i];
  return product;
}

TEST(Vosh, YieldsEverySetOnceInDescendingProbability) {
  std::mt19937_64 random{1};
  for (unsigned bits = 1; bits <= 12; ++bits) {
    for (unsigned most = 1; most <= 4; ++most) {
      std::vector<FlipCost> costs(bits);
      for (FlipCost& cost : costs) cost = static_cast<FlipCost>(random() % (most % 2 == 0 ? 500000 : 5)) - 1;
      std::vector<double> p(bits);
      for (unsigned i = 0; i < bits; ++i) p[i] = 1 / (1 + std::exp(costs[i] / kCostUnit));

      std::vector<double> expected;
      for (std::uint64_t set = 1; set < std::uint64_t{1} << bits; ++set) {
        if (std::popcount(set) <= static_cast<int>(most)) expected.push_back(probability(p, set));
      }
      std::sort(expected.begin(), expected.end(), std::greater<>());

      FlipSets sets;
      sets.start(costs, most);
      std::set<std::uint64_t> seen;
      for (const double wanted : expected) {
        const FlipSets::Flips flips = sets.next();
        ASSERT_NE(flips.mask, 0u);
        ASSERT_TRUE(seen.insert(flips.mask).second);
        FlipCost cost = 0;
        for (unsigned i = 0; i < bits; ++i) cost += (flips.mask >> i & 1) != 0 ? costs[i] : 0;
        ASSERT_EQ(flips.cost, cost);
        ASSERT_NEAR(probability(p, flips.mask) / wanted, 1, 1e-9);
      }
      EXPECT_EQ(sets.next().mask, 0u);
    }
  }
}

TEST(Vosh, CanBeStartedAgain) {
  FlipSets sets;
  sets.start(std::vector<FlipCost>{30, 10, 20}, 2);
  EXPECT_EQ(sets.next().mask, 0b010u);
  sets.start(std::vector<FlipCost>{1, 7}, 2);
  EXPECT_EQ(sets.next().mask, 0b01u);
  EXPECT_EQ(sets.next().mask, 0b10u);
  EXPECT_EQ(sets.next().mask, 0b11u);
  EXPECT_EQ(sets.next().mask, 0u);
}

TEST(Vosh, OfNoBitsOrNoFlipsHasNoSets) {
  FlipSets sets;
  sets.start({}, 3);
  EXPECT_EQ(sets.next().mask, 0u);
  sets.start(std::vector<FlipCost>{1, 2}, 0);
  EXPECT_EQ(sets.next().mask, 0u);
}

}  // namespace
}  // namespace neardup::hamming
