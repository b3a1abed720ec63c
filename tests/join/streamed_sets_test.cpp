#include "join/streamed_sets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "base/random.h"
#include "join/support.h"
#include "neardup/similarity.h"

namespace neardup::joins {
namespace {

using namespace neardup::joins::test;

constexpr std::uint32_t kFarApart = 3'000;  // numbers of sets, in some tests: farther than a token's word can say

struct Way {
  unsigned writers = 1, threads = 1;
  std::uint32_t apart = 1;
  std::uint64_t expected_tokens = 1'000;
};

// Sets go to the writers in turn.
void write(std::span<const Sets> sides, const Way& way, TokenStreams& streams) {
  for (unsigned side = 0; side < sides.size(); ++side) {
    std::vector<std::unique_ptr<TokenStreams::Writer>> writers;
    for (unsigned w = 0; w < way.writers; ++w) writers.push_back(std::make_unique<TokenStreams::Writer>(streams, side));
    for (std::uint32_t number = 0; number < sides[side].size(); ++number)
      writers[number % way.writers]->add(number * way.apart, sides[side][number]);
  }
}

template <class Least>
OrderedSets streamed(std::span<const Sets> sides, const Way& way, const Least& least) {
  TokenStreams streams(static_cast<unsigned>(sides.size()), way.expected_tokens, kEnoughBytes, {});
  write(sides, way, streams);
  EXPECT_TRUE(streams.is_complete());
  StreamedSets sets(streams,
                    [&](unsigned side, std::uint32_t number) {
                      const auto size = static_cast<std::uint32_t>(sides[side].at(number / way.apart).size());
                      return SetFacts{number / way.apart, size, least(size)};
                    },
                    {.threads = way.threads});
  OrderedSets ordered = sets.order(7);
  EXPECT_EQ(streams.memory_bytes(), 0u);
  return ordered;
}
OrderedSets streamed(std::span<const Sets> sides, const Way& way) {
  return streamed(sides, way, [](std::uint64_t) { return 1u; });
}

// Small numbers have the same first bits. Hashes do not.
Sets spread(Sets sets) {
  for (Set& set : sets) {
    for (std::uint64_t& token : set) token = base::mix64(token + 1);
    std::sort(set.begin(), set.end());
  }
  return sets;
}

// One number for each token that tells in which sets it is, ascending.
std::vector<std::uint64_t> profiles(const OrderedSets& sets) {
  std::map<Rank, std::uint64_t> profile;
  for (Place place = 0; place < sets.size(); ++place) {
    for (const Rank token : sets.tokens(place))
      profile[token] += base::mix64(1 + (std::uint64_t{sets.side(place)} << 32 | sets.number(place)));
  }
  std::vector<std::uint64_t> values;
  for (const auto& [token, value] : profile) values.push_back(value);
  std::sort(values.begin(), values.end());
  return values;
}

void expect_like_the_reference(std::span<const Sets> sides, const Way& way) {
  const OrderedSets sets = streamed(sides, way), reference = ordered(sides);
  std::map<std::pair<unsigned, std::uint32_t>, Place> place_of;
  for (Place place = 0; place < reference.size(); ++place) {
    if (!reference.tokens(place).empty()) place_of[{reference.side(place), reference.number(place)}] = place;
  }
  ASSERT_GE(sets.size(), place_of.size());
  EXPECT_EQ(sets.universe(), reference.universe());
  EXPECT_EQ(sets.total_tokens(), reference.total_tokens());
  std::vector<std::uint64_t> frequency(sets.universe());
  for (Place place = 0; place < sets.size(); ++place) {
    if (place > 0) {
      EXPECT_LE(sets.full_size(place - 1), sets.full_size(place));
    }
    const auto tokens = sets.tokens(place);
    EXPECT_TRUE(std::adjacent_find(tokens.begin(), tokens.end(), std::greater_equal<>()) == tokens.end());
    for (const Rank token : tokens) ++frequency.at(token);
    const auto found = place_of.find({sets.side(place), sets.number(place)});
    ASSERT_EQ(found != place_of.end(), !tokens.empty());
    if (found == place_of.end()) continue;
    EXPECT_EQ(sets.full_size(place), reference.full_size(found->second));
    EXPECT_EQ(sets.hidden(place), reference.hidden(found->second));
  }
  EXPECT_EQ(profiles(sets), profiles(reference)) << "every token is in the sets it belongs to";
  std::uint64_t most = 0;
  for (const std::uint64_t times : frequency) {
    EXPECT_GE(times + times / 4, most) << "rarer tokens come first, up to a quarter of their frequency";
    most = std::max(most, times);
  }
}

TEST(StreamedSets, AreThoseOfTheReference) {
  base::Random random(1);
  for (int round = 0; round < 20; ++round) {
    const Sets sets = random_sets(random, 1 + random.below(200), 1 + random.below(30), 5 + random.below(400));
    for (const Sets& some : {sets, spread(sets)}) {
      expect_like_the_reference(std::span(&some, 1), {});
      expect_like_the_reference(std::span(&some, 1), {.writers = 3, .threads = 4, .apart = kFarApart});
    }
  }
}

TEST(StreamedSets, AreThoseOfTheReferenceForTwoCollections) {
  base::Random random(2);
  for (int round = 0; round < 20; ++round) {
    const std::uint64_t universe = 5 + random.below(400);
    const std::vector<Sets> sides{spread(random_sets(random, 1 + random.below(100), 20, universe)),
                                  spread(random_sets(random, random.below(100), 30, universe))};
    expect_like_the_reference(sides, {.writers = 2, .threads = 2});
  }
}

TEST(StreamedSets, FillManyBlocksOfAStream) {
  base::Random random(3);
  const Sets sets = random_sets(random, 3'000, 60, 3'000);  // one partition
  expect_like_the_reference(std::span(&sets, 1), {.writers = 2, .threads = 2});
  const Sets hashes = spread(random_sets(random, 5'000, 60, 50'000));
  expect_like_the_reference(std::span(&hashes, 1), {.writers = 2, .threads = 2, .expected_tokens = 1u << 27});
}

TEST(StreamedSets, LoseNoPairWhereSetsThatShareTooLittleAreLeftOut) {
  base::Random random(4);
  for (int round = 0; round < 2; ++round) {
    for (const unsigned side_count : {1u, 2u}) {
      std::vector<Sets> sides;
      for (unsigned side = 0; side < side_count; ++side)
        sides.push_back(spread(distinct(random_sets(random, 120, 25, 300))));
      for (const Setting& setting : settings()) {
        const JoinOptions options{.measure = setting.measure, .threshold = setting.threshold};
        const Verifier verifier(Definition{.measure = setting.measure, .threshold = setting.threshold});
        const OrderedSets sets = streamed(sides, {.writers = 2, .threads = 2},
                                          [&](std::uint64_t size) { return verifier.min_overlap_any(size); });
        const Found found = run(signature, sets, options);
        ASSERT_EQ(found.pairs, naive_pairs(sides, options));
      }
    }
  }
}

TEST(StreamedSets, AreTheSameOnAnyNumberOfThreadsAndWriters) {
  base::Random random(5);
  const Sets sets = spread(random_sets(random, 3'000, 30, 2'000));
  const OrderedSets one = streamed(std::span(&sets, 1), {});
  for (const unsigned threads : {2u, 8u}) {
    const OrderedSets many = streamed(std::span(&sets, 1), {.writers = threads, .threads = threads});
    ASSERT_EQ(many.size(), one.size());
    for (Place place = 0; place < one.size(); ++place) {
      ASSERT_EQ(many.number(place), one.number(place));
      ASSERT_TRUE(std::ranges::equal(many.tokens(place), one.tokens(place)));
    }
  }
}

TEST(TokenStreams, TakeNumbersInAnyOrder) {
  base::Random random(6);
  const Sets sets = random_sets(random, 300, 20, 500);
  TokenStreams streams(1, 100, kEnoughBytes, {});
  {
    TokenStreams::Writer writer(streams, 0);
    for (const std::uint32_t first : {200u, 0u, 100u})
      for (std::uint32_t number = first; number < first + 100; ++number) writer.add(number, sets[number]);
  }
  EXPECT_EQ(streams.runs().size(), 2u) << "one until numbers fall";
  StreamedSets made(streams,
                    [&](unsigned, std::uint32_t number) {
                      return SetFacts{number, static_cast<std::uint32_t>(sets[number].size()), 1};
                    },
                    {});
  EXPECT_EQ(profiles(made.order(1)), profiles(ordered(sets)));
}

TEST(TokenStreams, AreDroppedWhenTheyTakeMoreThanTheyMay) {
  MemoryBudget budget(std::size_t{64} << 20);
  for (const std::uint64_t most_bytes : {std::uint64_t{5} << 20, kEnoughBytes}) {
    TokenStreams streams(1, 1'000, most_bytes, Reservation(budget));
    std::vector<std::thread> threads;
    for (std::uint32_t thread = 0; thread < 2; ++thread) {
      threads.emplace_back([&, thread] {
        TokenStreams::Writer writer(streams, 0);
        base::Random random(thread);
        Set set(1'000);
        for (std::uint32_t number = 0; number < 10'000; ++number) {
          for (std::uint64_t& token : set) token = random.next();
          writer.add(number, set);
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_FALSE(streams.is_complete());
    EXPECT_LE(streams.memory_bytes(), std::min(most_bytes, std::uint64_t{64} << 20));
    streams.clear();
    EXPECT_EQ(budget.reserved(), 0u);
  }
}

TEST(TokenStreams, TakeNothing) {
  TokenStreams streams(2, 0, kEnoughBytes, {});
  StreamedSets sets(streams, [](unsigned, std::uint32_t) { return SetFacts{}; }, {});
  EXPECT_EQ(sets.order(1).size(), 0u);
}

}  // namespace
}  // namespace neardup::joins
