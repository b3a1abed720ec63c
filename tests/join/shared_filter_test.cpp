#include "join/shared_filter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <thread>
#include <vector>

#include "base/random.h"
#include "join/support.h"

namespace neardup::joins {
namespace {

using namespace neardup::joins::test;

Set kept(const SharedFilter& filter, unsigned side, const Set& set) {
  Set shared;
  filter.keep_shared(side, set, 0, shared);
  return shared;
}

TEST(SharedFilter, KeepsWhatTwoSetsHaveAndDropsTheRest) {
  SharedFilter filter(1, 1'000, kEnoughBytes);
  const Set a{1, 2, 3}, b{3, 4, 5}, c{6};
  for (const Set& set : {a, b, c}) filter.add(0, set);
  EXPECT_EQ(kept(filter, 0, a), Set{3});
  EXPECT_EQ(kept(filter, 0, b), Set{3});
  EXPECT_EQ(kept(filter, 0, c), Set{});
  EXPECT_EQ(filter.distinct_shared(), 1u);
  EXPECT_EQ(filter.shared_tokens(), 2u);
}

TEST(SharedFilter, KeepsWhatTheOtherSideHas) {
  SharedFilter filter(2, 1'000, kEnoughBytes);
  const Set left{1, 2, 3}, left_too{1, 7}, right{3, 4}, right_too{4, 9};
  filter.add(0, left);
  filter.add(0, left_too);
  filter.add(1, right);
  filter.add(1, right_too);
  EXPECT_EQ(kept(filter, 0, left), Set{3});
  EXPECT_EQ(kept(filter, 0, left_too), Set{}) << "twice on one side is not shared";
  EXPECT_EQ(kept(filter, 1, right), Set{3});
  EXPECT_EQ(kept(filter, 1, right_too), Set{});
}

TEST(SharedFilter, GivesUpOnSetsThatShareTooLittle) {
  base::Random random(3);
  SharedFilter filter(1, 100'000, kEnoughBytes);
  const Sets sets = random_sets(random, 400, 200, 30'000);
  for (const Set& set : sets) filter.add(0, set);
  for (const Set& set : sets) {
    const Set all = kept(filter, 0, set);
    for (const std::uint64_t least :
         {std::uint64_t{0}, std::uint64_t{1}, all.size() + 0, all.size() + 1, set.size() + 1}) {
      Set shared{7, 7};
      ASSERT_EQ(filter.keep_shared(0, set, least, shared), all.size() >= least);
      if (all.size() >= least) {
        ASSERT_EQ(shared, all);
      }
    }
  }
}

// Every shared token is kept, and about as many are promised as there are.
void expect_no_shared_token_lost(const SharedFilter& filter, const std::vector<Sets>& sides) {
  const auto ranks = ranks_by_rarity(sides);
  std::uint64_t occurrences = 0;
  for (unsigned side = 0; side < sides.size(); ++side) {
    for (const Set& set : sides[side]) {
      Set expected;
      std::copy_if(set.begin(), set.end(), std::back_inserter(expected),
                   [&](std::uint64_t token) { return ranks.contains(token); });
      const Set result = kept(filter, side, set);
      EXPECT_TRUE(std::includes(result.begin(), result.end(), expected.begin(), expected.end()));
      EXPECT_TRUE(std::includes(set.begin(), set.end(), result.begin(), result.end()));
      occurrences += expected.size();
    }
  }
  EXPECT_GT(filter.shared_tokens(), occurrences * 9 / 10);
  EXPECT_GT(filter.distinct_shared(), ranks.size() * 9 / 10);
}

TEST(SharedFilter, LosesNoSharedTokenHoweverSmallItIs) {
  base::Random random(1);
  for (const std::uint64_t most_bytes : {std::uint64_t{0}, std::uint64_t{2'000}, kEnoughBytes}) {
    for (const unsigned side_count : {1u, 2u}) {
      std::vector<Sets> sides;
      for (unsigned side = 0; side < side_count; ++side) sides.push_back(random_sets(random, 300, 30, 4'000));
      SharedFilter filter(side_count, 6'000, most_bytes);
      for (unsigned side = 0; side < side_count; ++side) {
        for (const Set& set : sides[side]) filter.add(side, set);
      }
      const auto ranks = ranks_by_rarity(sides);
      for (unsigned side = 0; side < side_count; ++side) {
        for (const Set& set : sides[side]) {
          const Set result = kept(filter, side, set);
          for (const std::uint64_t token : set) {
            if (ranks.contains(token)) {
              EXPECT_TRUE(std::binary_search(result.begin(), result.end(), token));
            }
          }
        }
      }
    }
  }
}

TEST(SharedFilter, LosesNothingWhenManyThreadsBringTheSameTokens) {
  constexpr unsigned kThreads = 8;
  for (std::uint64_t round = 0; round < 20; ++round) {
    // Every token is in exactly two sets, which two threads bring at about the same time.
    std::vector<Sets> sides(1);
    constexpr std::uint64_t kTokens = 4'000;
    for (std::uint64_t half = 0; half < 2; ++half) {
      for (std::uint64_t set = 0; set < kThreads / 2; ++set) {
        Set& tokens = sides[0].emplace_back();
        for (std::uint64_t token = set; token < kTokens; token += kThreads / 2) tokens.push_back(round << 32 | token);
      }
    }
    SharedFilter filter(1, kTokens, kEnoughBytes);
    std::vector<std::thread> threads;
    for (unsigned thread = 0; thread < kThreads; ++thread) {
      threads.emplace_back([&, thread] { filter.add(0, sides[0][thread]); });
    }
    for (std::thread& thread : threads) thread.join();
    expect_no_shared_token_lost(filter, sides);
    for (const Set& set : sides[0]) ASSERT_EQ(kept(filter, 0, set), set);
  }
}

TEST(SharedFilter, DropsNearlyAllUnsharedTokensWhenItHasTheRoomItAskedFor) {
  base::Random random(3);
  constexpr std::uint64_t kTokens = 200'000;
  SharedFilter filter(1, kTokens, kEnoughBytes);
  std::vector<Set> sets(kTokens / 100, Set(100));
  for (Set& set : sets) {
    for (std::uint64_t& token : set) token = random.next();
    std::sort(set.begin(), set.end());
    filter.add(0, set);
  }
  std::size_t taken_for_shared = 0;
  for (const Set& set : sets) taken_for_shared += kept(filter, 0, set).size();
  EXPECT_LT(taken_for_shared, kTokens / 20);
}

TEST(SharedFilter, TellsSmallAndLargeIntegersApart) {
  for (const std::uint64_t first : {std::uint64_t{0}, std::uint64_t{1} << 32, UINT64_MAX - 20'000}) {
    for (const std::uint64_t step : {1u, 2u}) {
      SharedFilter filter(1, 10'000, kEnoughBytes);
      Set sets[2];
      for (std::uint64_t i = 0; i < 10'000; ++i) sets[i % 2].push_back(first + i * step);
      for (const Set& set : sets) filter.add(0, set);
      EXPECT_LT(kept(filter, 0, sets[0]).size(), 1'500u) << first << " " << step;
    }
  }
}

}  // namespace
}  // namespace neardup::joins
