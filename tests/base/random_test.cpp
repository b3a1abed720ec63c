#include "base/random.h"

#include <gtest/gtest.h>

#include <array>
#include <set>

namespace neardup::base {
namespace {

TEST(Random, GivesTheseNumbersOnEveryMachine) {
  Random zero(0), forty_two(42);
  EXPECT_EQ(zero.next(), 0xe220a8397b1dcdafu);  // the published first outputs of splitmix64
  EXPECT_EQ(zero.next(), 0x6e789e6aa1b965f4u);
  EXPECT_EQ(zero.next(), 0x06c45d188009454fu);
  EXPECT_EQ(forty_two.next(), 0xbdd732262feb6e95u);
  EXPECT_EQ(forty_two.next(), 0x28efe333b266f103u);
}

TEST(Random, MixesZeroToZeroAndNothingElse) {
  EXPECT_EQ(mix64(0), 0u);
  std::set<std::uint64_t> seen;
  for (std::uint64_t x = 0; x < 10'000; ++x) EXPECT_TRUE(seen.insert(mix64(x)).second) << x;
}

TEST(Random, StaysBelowItsBoundAndReachesAllOfIt) {
  Random random(7);
  std::array<int, 6> counts{};
  for (int i = 0; i < 6000; ++i) ++counts.at(random.below(6));
  for (const int count : counts) EXPECT_NEAR(count, 1000, 150);
  EXPECT_EQ(random.below(1), 0u);
  for (int i = 0; i < 100; ++i) EXPECT_LT(random.below(~std::uint64_t{0}), ~std::uint64_t{0});
}

}  // namespace
}  // namespace neardup::base
