#include "join/set_builder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "base/random.h"
#include "join/support.h"

namespace neardup::joins {
namespace {

using namespace neardup::joins::test;

OrderedSets built(std::span<const Sets> sides, Context context = {}) {
  SetBuilder builder({.sides = static_cast<unsigned>(sides.size()), .distinct_tokens = 10'000, .seed = 3});
  std::vector<SetBuilder::Slot> slots;
  for (unsigned side = 0; side < sides.size(); ++side) {
    for (std::uint32_t number = 0; number < sides[side].size(); ++number) {
      const Set& set = sides[side][number];
      if (set.empty()) continue;
      slots.clear();
      EXPECT_TRUE(builder.encode(side, set, slots));
      builder.add(side, number, static_cast<std::uint32_t>(set.size()), slots);
    }
  }
  return builder.finish(context);
}

// Two constructions may number tokens of one frequency differently and order sets of one size differently. Everything
// else must agree: which sets there are, which tokens are hidden, and that ranks follow frequencies.
void expect_like_the_reference(std::span<const Sets> sides) {
  const OrderedSets sets = built(sides), reference = ordered(sides);
  ASSERT_EQ(sets.size(), reference.size());
  EXPECT_EQ(sets.sides(), reference.sides());
  EXPECT_EQ(sets.universe(), reference.universe());
  EXPECT_EQ(sets.total_tokens(), reference.total_tokens());
  EXPECT_EQ(sets.largest_size(), reference.largest_size());
  std::map<std::pair<unsigned, std::uint32_t>, Place> place_of;
  for (Place place = 0; place < reference.size(); ++place) {
    place_of[{reference.side(place), reference.number(place)}] = place;
  }
  std::map<Rank, Rank> other_rank;
  std::vector<std::uint64_t> frequency(sets.universe());
  std::map<Rank, std::uint64_t> profile;  // one number per token that tells in which sets it is
  std::map<Rank, std::uint64_t> reference_profile;
  for (Place place = 0; place < sets.size(); ++place) {
    ASSERT_TRUE(place_of.contains({sets.side(place), sets.number(place)}));
    const Place other = place_of.at({sets.side(place), sets.number(place)});
    EXPECT_EQ(sets.full_size(place), reference.full_size(other));
    EXPECT_EQ(sets.hidden(place), reference.hidden(other));
    if (place > 0) {
      EXPECT_LE(sets.full_size(place - 1), sets.full_size(place));
    }
    const auto tokens = sets.tokens(place);
    EXPECT_TRUE(std::adjacent_find(tokens.begin(), tokens.end(), std::greater_equal<>()) == tokens.end());
    const std::uint64_t mark = base::mix64(1 + (std::uint64_t{sets.side(place)} << 32 | sets.number(place)));
    for (const Rank token : tokens) {
      ASSERT_LT(token, sets.universe());
      ++frequency[token];
      profile[token] += mark;
    }
    for (const Rank token : reference.tokens(other)) reference_profile[token] += mark;
  }
  EXPECT_TRUE(std::is_sorted(frequency.begin(), frequency.end())) << "rarest first";
  std::vector<std::uint64_t> profiles, reference_profiles;
  for (const auto& [token, value] : profile) profiles.push_back(value);
  for (const auto& [token, value] : reference_profile) reference_profiles.push_back(value);
  std::sort(profiles.begin(), profiles.end());
  std::sort(reference_profiles.begin(), reference_profiles.end());
  EXPECT_EQ(profiles, reference_profiles) << "every token is in the sets it belongs to";
}

TEST(SetBuilder, OrdersSetsAsTheReferenceDoes) {
  base::Random random(1);
  for (int round = 0; round < 20; ++round) {
    const Sets sets = random_sets(random, 1 + random.below(200), 1 + random.below(30), 5 + random.below(400));
    expect_like_the_reference(std::span(&sets, 1));
  }
}

TEST(SetBuilder, OrdersTwoCollectionsAsTheReferenceDoes) {
  base::Random random(2);
  for (int round = 0; round < 20; ++round) {
    const std::uint64_t universe = 5 + random.below(400);
    expect_like_the_reference(std::vector<Sets>{random_sets(random, 1 + random.below(100), 20, universe),
                                                random_sets(random, random.below(100), 30, universe)});
  }
}

TEST(SetBuilder, SortsLongSetsByTheirDigits) {
  base::Random random(3);
  Sets sets;
  for (const std::size_t size : {191u, 192u, 193u, 1000u, 5000u}) {
    std::set<std::uint64_t> set;
    while (set.size() < size) set.insert(random.below(6000));
    sets.emplace_back(set.begin(), set.end());
    sets.emplace_back(set.begin(), std::next(set.begin(), static_cast<std::ptrdiff_t>(size / 2)));
  }
  expect_like_the_reference(std::span(&sets, 1));
}

TEST(SetBuilder, TakesSetsWhoseUnsharedTokensWereNotEncoded) {
  SetBuilder builder({.distinct_tokens = 10});
  std::vector<SetBuilder::Slot> slots;
  const Set shared{5, 6};
  for (std::uint32_t number = 0; number < 2; ++number) {
    slots.clear();
    ASSERT_TRUE(builder.encode(0, shared, slots));
    builder.add(0, number, 10 - number, slots);
  }
  Context context;
  const OrderedSets sets = builder.finish(context);
  ASSERT_EQ(sets.size(), 2u);
  EXPECT_EQ(sets.number(0), 1u) << "the smaller set comes first";
  EXPECT_EQ(sets.full_size(0), 9u);
  EXPECT_EQ(sets.hidden(0), 7u);
  EXPECT_EQ(sets.hidden(1), 8u);
}

TEST(SetBuilder, MakesTheSameSetsOnAnyNumberOfThreads) {
  base::Random random(4);
  const Sets sets = random_sets(random, 3'000, 30, 2'000);
  const OrderedSets one = built(std::span(&sets, 1), {.threads = 1});
  for (const unsigned threads : {2u, 8u}) {
    const OrderedSets many = built(std::span(&sets, 1), {.threads = threads});
    ASSERT_EQ(many.size(), one.size());
    for (Place place = 0; place < one.size(); ++place) {
      ASSERT_EQ(many.number(place), one.number(place));
      ASSERT_TRUE(std::ranges::equal(many.tokens(place), one.tokens(place)));
    }
  }
}

TEST(SetBuilder, TakesNothing) {
  Context context;
  EXPECT_EQ(SetBuilder({.sides = 2}).finish(context).size(), 0u);
}

TEST(SetBuilder, SaysWhenThereAreMoreTokensThanExpected) {
  SetBuilder builder({.distinct_tokens = 10});
  Set set(20'000);
  base::Random random(5);
  for (std::uint64_t& token : set) token = random.next();
  std::vector<SetBuilder::Slot> slots;
  EXPECT_FALSE(builder.encode(0, set, slots));
}

}  // namespace
}  // namespace neardup::joins
