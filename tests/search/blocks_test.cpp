#include "search/blocks.h"

#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <set>
#include <vector>

#include "base/random.h"

namespace neardup::test {
namespace {

using search::BlockPlan;
using search::plan_blocks;

struct RandomSets {
  std::vector<Unit> units;
  PerUnit<Unit> groups;
  PerUnit<std::uint32_t> sizes;
};

RandomSets random_collection(std::uint64_t seed, std::size_t count, std::uint64_t group_count, std::uint64_t largest) {
  base::Random random(seed);
  RandomSets c;
  std::map<std::uint64_t, Unit> first;
  for (const Unit unit : all<Unit>(count)) {
    c.groups.push_back(first.emplace(random.below(group_count), unit).first->second);
    c.sizes.push_back(static_cast<std::uint32_t>(1 + random.below(largest)));
    if (random.below(10) != 0) c.units.push_back(unit);  // the others are needed by nobody
  }
  return c;
}

void expect_every_pair_to_meet_once(const RandomSets& c, std::uint64_t block_features) {
  const BlockPlan plan = plan_blocks(c.units, c.groups, c.sizes, block_features);
  std::multiset<Unit> placed;
  for (const auto& block : plan.blocks) {
    EXPECT_FALSE(block.empty());
    std::uint64_t features = 0;
    for (const Unit unit : block) features += c.sizes[unit];
    EXPECT_TRUE(features <= block_features || block.size() == 1) << features << " in a block of " << block_features;
    placed.insert(block.begin(), block.end());
  }
  EXPECT_EQ(placed, std::multiset<Unit>(c.units.begin(), c.units.end())) << "each unit stands in one block";

  std::map<std::pair<Unit, Unit>, int> met;
  for (const auto& [first, second] : plan.meetings) {
    ASSERT_NE(first, second);
    const auto& a = plan.blocks[first];
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (second == BlockPlan::kAlone) {
        for (std::size_t j = i + 1; j < a.size(); ++j) ++met[std::minmax(a[i], a[j])];
      } else {
        for (const Unit other : plan.blocks[second]) ++met[std::minmax(a[i], other)];
      }
    }
  }
  for (const auto& [pair, times] : met) EXPECT_EQ(times, 1);
  for (const Unit a : c.units) {
    for (const Unit b : c.units) {
      if (a < b && c.groups[a] == c.groups[b]) {
        EXPECT_TRUE(met.contains({a, b})) << index(a) << " " << index(b);
      }
    }
  }
}

TEST(Blocks, LetEveryTwoUnitsOfAGroupMeetOnceAndStayBounded) {
  for (const std::uint64_t groups : {1u, 3u, 20u, 100u}) {
    for (const std::uint64_t block_features : {1u, 10u, 50u, 400u, 100'000u}) {
      expect_every_pair_to_meet_once(random_collection(groups, 90, groups, 20), block_features);
    }
  }
}

TEST(Blocks, PutASetLargerThanABlockIntoOneOfItsOwn) {
  RandomSets c{.units = {Unit{0}, Unit{1}, Unit{2}},
               .groups = PerUnit<Unit>(3, Unit{0}),
               .sizes = PerUnit<std::uint32_t>(std::vector<std::uint32_t>{5, 1000, 5})};
  expect_every_pair_to_meet_once(c, 10);
  EXPECT_EQ(plan_blocks(c.units, c.groups, c.sizes, 10).blocks.size(), 3u);
}

TEST(Blocks, AreOneWhenEverythingFits) {
  const RandomSets c = random_collection(1, 50, 7, 10);
  const BlockPlan plan = plan_blocks(c.units, c.groups, c.sizes, ~std::uint64_t{0} / 2);
  EXPECT_EQ(plan.blocks.size(), 1u);
  EXPECT_EQ(plan.meetings.size(), 1u);
}

TEST(Blocks, PackWholeGroupsTogetherSoThatFewBlocksMeet) {
  RandomSets c;
  for (const Unit unit : all<Unit>(1000)) {
    c.units.push_back(unit);
    c.groups.push_back(Unit{index(unit) / 2 * 2});
    c.sizes.push_back(5);
  }
  const BlockPlan plan = plan_blocks(c.units, c.groups, c.sizes, 100);
  EXPECT_EQ(plan.blocks.size(), 50u);
  EXPECT_EQ(plan.meetings.size(), 50u) << "no block meets another: no group was cut";
}

TEST(Blocks, OfNobodyAreNone) { EXPECT_TRUE(plan_blocks({}, {}, {}, 10).meetings.empty()); }

}  // namespace
}  // namespace neardup::test
