#include "join/token_dictionary.h"

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
using Slots = std::vector<TokenDictionary::Slot>;

TEST(TokenCount, CountsNoFurtherThanItsLimitAndNeverIntoTheFlags) {
  constexpr std::uint32_t kLeft = TokenCount::kSideFlag, kRight = kLeft << 1;
  std::uint32_t count = kLeft | (TokenCount::kMost - 2);
  for (int i = 0; i < 5; ++i) TokenCount::add(count, kLeft);
  EXPECT_EQ(TokenCount::sets(count), TokenCount::kMost);
  EXPECT_FALSE(TokenCount::is_on_both_sides(count));
  TokenCount::add(count, kRight);
  EXPECT_EQ(TokenCount::sets(count), TokenCount::kMost);
  EXPECT_TRUE(TokenCount::is_on_both_sides(count));
}

TEST(TokenCount, IsTheSameWhetherThreadsPassTheLimitTogetherOrNot) {
  EXPECT_EQ(TokenCount::sets(TokenCount::kMost + 7), TokenCount::sets(TokenCount::kMost));
}

// The rank of every token, encoded set by set.
std::map<std::uint64_t, Rank> ranks_of(TokenDictionary& dictionary, const std::vector<Sets>& sides) {
  std::map<std::uint64_t, TokenDictionary::Slot> slot_of;
  for (unsigned side = 0; side < sides.size(); ++side) {
    for (const Set& set : sides[side]) {
      Slots slots;
      EXPECT_TRUE(dictionary.encode(side, set, slots));
      EXPECT_EQ(slots.size(), set.size());
      for (std::size_t i = 0; i < set.size(); ++i) {
        EXPECT_EQ(slot_of.emplace(set[i], slots[i]).first->second, slots[i]) << "a token has one slot";
      }
    }
  }
  const Rank count = dictionary.make_ranks();
  std::map<std::uint64_t, Rank> ranks;
  std::set<Rank> seen;
  for (const auto& [token, slot] : slot_of) {
    const Rank rank = dictionary.rank(slot);
    if (rank == TokenDictionary::kHidden) continue;
    EXPECT_LT(rank, count);
    EXPECT_TRUE(seen.insert(rank).second) << "two tokens have one rank";
    ranks[token] = rank;
  }
  EXPECT_EQ(ranks.size(), count);
  return ranks;
}

std::map<std::uint64_t, std::uint64_t> frequencies(const std::vector<Sets>& sides) {
  std::map<std::uint64_t, std::uint64_t> counts;
  for (const Sets& sets : sides) {
    for (const Set& set : sets) {
      for (const std::uint64_t token : set) ++counts[token];
    }
  }
  return counts;
}

TEST(TokenDictionary, RanksSharedTokensByRarityAndHidesTheOthers) {
  base::Random random(1);
  for (const std::size_t side_count : {1u, 2u}) {
    std::vector<Sets> sides;
    for (std::size_t side = 0; side < side_count; ++side) sides.push_back(random_sets(random, 100, 20, 300));
    TokenDictionary dictionary(static_cast<unsigned>(side_count), 300, 5);
    const auto ranks = ranks_of(dictionary, sides);
    const auto expected = ranks_by_rarity(sides);
    ASSERT_EQ(ranks.size(), expected.size());
    const auto frequency = frequencies(sides);
    for (const auto& [token, rank] : expected) {
      ASSERT_TRUE(ranks.contains(token));
      for (const auto& [other, other_rank] : expected) {
        if (frequency.at(token) < frequency.at(other)) {
          EXPECT_LT(ranks.at(token), ranks.at(other));
        }
      }
    }
  }
}

TEST(TokenDictionary, GivesTheSameRanksWhateverTheOrderAndTheNumberOfThreads) {
  base::Random random(2);
  // A crowded table: who comes first has a say in where a token stands.
  Sets sets;
  for (int i = 0; i < 2'000; ++i) {
    std::set<std::uint64_t> set;
    while (set.size() < 10) set.insert(random.below(6'000));
    sets.emplace_back(set.begin(), set.end());
  }
  std::map<std::uint64_t, Rank> expected;
  for (const unsigned threads : {1u, 2u, 8u}) {
    for (const bool backwards : {false, true}) {
      TokenDictionary dictionary(1, 4'000, 7);
      std::vector<std::map<std::uint64_t, TokenDictionary::Slot>> slot_of(threads);
      std::vector<std::thread> workers;
      for (unsigned worker = 0; worker < threads; ++worker) {
        workers.emplace_back([&, worker] {
          Slots slots;
          for (std::size_t i = worker; i < sets.size(); i += threads) {
            const Set& set = sets[backwards ? sets.size() - 1 - i : i];
            slots.clear();
            EXPECT_TRUE(dictionary.encode(0, set, slots));
            for (std::size_t k = 0; k < set.size(); ++k) slot_of[worker][set[k]] = slots[k];
          }
        });
      }
      for (std::thread& worker : workers) worker.join();
      dictionary.make_ranks();
      std::map<std::uint64_t, Rank> ranks;
      for (const auto& slots : slot_of) {
        for (const auto& [token, slot] : slots) {
          EXPECT_EQ(ranks.emplace(token, dictionary.rank(slot)).first->second, dictionary.rank(slot));
        }
      }
      if (expected.empty()) expected = ranks;
      EXPECT_EQ(ranks, expected) << threads << (backwards ? " backwards" : "");
    }
  }
}

TEST(TokenDictionary, CountsASharedTokenOnBothSidesOnly) {
  TokenDictionary dictionary(2, 10, 0);
  const auto ranks = ranks_of(dictionary, {{{1, 2, 3}, {1, 2, 9}}, {{2, 5}, {5, 3}}});
  ASSERT_EQ(ranks.size(), 2u);
  EXPECT_EQ(ranks.at(3), 0u);
  EXPECT_EQ(ranks.at(2), 1u);
}

TEST(TokenDictionary, TellsVeryFrequentTokensApartByTheirFrequency) {
  TokenDictionary dictionary(1, 10, 0);
  Sets sets;
  for (std::uint64_t i = 0; i < 40'000; ++i) sets.push_back(i < 30'000 ? Set{1, 2} : i < 35'000 ? Set{1} : Set{1, 3});
  const auto ranks = ranks_of(dictionary, {sets});
  EXPECT_EQ(ranks, (std::map<std::uint64_t, Rank>{{3, 0}, {2, 1}, {1, 2}}));
}

TEST(TokenDictionary, TakesExtremeAndNeighbouringValues) {
  Set values{0, 1, 2, UINT32_MAX - 1ull, UINT32_MAX, 1ull << 32, (1ull << 32) + 1, UINT64_MAX - 1, UINT64_MAX};
  for (std::uint64_t i = 0; i < 3'000; ++i) values.push_back((i + 2) << 40);
  std::sort(values.begin(), values.end());
  for (const std::uint64_t seed : {std::uint64_t{0}, UINT64_MAX, std::uint64_t{1} << 40}) {
    TokenDictionary dictionary(1, values.size(), seed);
    EXPECT_EQ(ranks_of(dictionary, {{values, values}}).size(), values.size());
  }
}

// The inverse of base::mix64.
std::uint64_t unmix64(std::uint64_t x) {
  x ^= x >> 31 ^ x >> 62;
  x *= 0x319642b2d24d8ec3u;
  x ^= x >> 27 ^ x >> 54;
  x *= 0x96de1b173f119089u;
  return x ^ x >> 30 ^ x >> 60;
}

// Tokens that somebody who knows the table puts into one place of it, unless he knows the seed too.
TEST(TokenDictionary, IsNotCrowdedByTokensThatWouldShareAPlaceUnderAnotherSeed) {
  ASSERT_EQ(base::mix64(unmix64(12345)), 12345u);
  Set tokens;
  for (std::uint64_t i = 1; i <= 50'000; ++i) tokens.push_back(unmix64(i));
  std::sort(tokens.begin(), tokens.end());
  TokenDictionary dictionary(1, tokens.size(), 0x1234567);
  EXPECT_EQ(ranks_of(dictionary, {{tokens, tokens}}).size(), tokens.size());
}

TEST(TokenDictionary, SaysThatItIsFullAndNeverGoesOnForever) {
  base::Random random(3);
  for (const bool same_place : {false, true}) {
    TokenDictionary dictionary(1, 10, 0);
    Slots slots;
    bool is_full = false;
    std::uint64_t count = 0;
    for (; !is_full && count < 20'000; ++count) {
      const Set set{same_place ? unmix64(~count) : random.next()};
      is_full = !dictionary.encode(0, set, slots);
    }
    EXPECT_TRUE(is_full);
    EXPECT_GT(count, 1'000u) << "there is room for what was expected";
  }
}

TEST(TokenDictionary, HasRoomForATenthMoreTokensThanExpected) {
  base::Random random(4);
  for (const std::uint64_t expected : {0u, 100u, 10'000u, 300'000u}) {
    TokenDictionary dictionary(1, expected, 9);
    Slots slots;
    Set set(expected + expected / 10);
    for (std::uint64_t& token : set) token = random.next();
    EXPECT_TRUE(dictionary.encode(0, set, slots)) << expected;
  }
}

}  // namespace
}  // namespace neardup::joins
