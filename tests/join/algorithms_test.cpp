// Does every algorithm find the same pairs as a double loop?
#include "join/algorithms.h"

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <numeric>
#include <stop_token>
#include <string>
#include <vector>

#include "join/support.h"
#include "neardup/error.h"

namespace neardup::joins {
namespace {

using namespace neardup::joins::test;

class EveryJoin : public testing::TestWithParam<SetAlgorithm> {
 protected:
  [[nodiscard]] static Found join(std::span<const Sets> sides, const JoinOptions& options) {
    return run(GetParam().run, ordered(sides), options);
  }
  [[nodiscard]] static Found join(const Sets& sets, const JoinOptions& options) {
    return join(std::span(&sets, 1), options);
  }
  static void expect_all_pairs(std::span<const Sets> given, const JoinOptions& options) {
    std::vector<Sets> sides(given.begin(), given.end());
    if (options.measure == Measure::contained && (sides.size() == 1 || !GetParam().knows_sides)) return;
    if (sides.size() == 1) sides[0] = distinct(sides[0]);
    EXPECT_EQ(join(sides, options).pairs, naive_pairs(sides, options))
        << to_string(options.measure) << " " << to_string(options.threshold);
  }
  static void expect_all_pairs_in_every_setting(std::span<const Sets> sides) {
    for (const auto& [measure, threshold] : settings()) {
      expect_all_pairs(sides, {.measure = measure, .threshold = threshold});
      if (measure == Measure::containment)
        expect_all_pairs(sides, {.measure = Measure::contained, .threshold = threshold});
    }
  }
  static void expect_all_pairs_in_every_setting(const Sets& sets) {
    expect_all_pairs_in_every_setting(std::span(&sets, 1));
  }
};

TEST_P(EveryJoin, FindsAPairWhoseOverlapIsExactlyTheBound) {
  EXPECT_EQ(join({letters("abcd"), letters("abce")}, {.threshold = {3, 5}}).pairs, (std::vector<Pair>{{0, 1, 0.6}}));
}

TEST_P(EveryJoin, LeavesOutAPairOneTokenShortOfTheBound) {
  EXPECT_TRUE(join({letters("abcd"), letters("abce")}, {.threshold = {601, 1000}}).pairs.empty());
}

TEST_P(EveryJoin, PutsTheSmallerNumberLeftWhateverTheSizes) {
  EXPECT_EQ(join({letters("abcde"), letters("abcd")}, {.threshold = {4, 5}}).pairs, (std::vector<Pair>{{0, 1, 0.8}}));
  EXPECT_EQ(join({letters("abcd"), letters("abcde")}, {.threshold = {4, 5}}).pairs, (std::vector<Pair>{{0, 1, 0.8}}));
}

TEST_P(EveryJoin, PutsTheFirstCollectionLeftWhateverTheNumbers) {
  const std::vector<Sets> sides{{{}, letters("xyz"), letters("abcde")}, {letters("abcd")}};
  EXPECT_EQ(join(sides, {.threshold = {4, 5}}).pairs, (std::vector<Pair>{{2, 0, 0.8}}));
}

TEST_P(EveryJoin, DoesNotPairSetsOfTheSameCollectionWhenThereAreTwo) {
  const std::vector<Sets> sides{{letters("abcd"), letters("abcde")}, {letters("abcdef"), letters("uvw")}};
  EXPECT_EQ(join(sides, {.threshold = {2, 3}}).pairs, (std::vector<Pair>{{0, 0, 4.0 / 6}, {1, 0, 5.0 / 6}}));
}

TEST_P(EveryJoin, AgreesWithTheDoubleLoopOnRandomSets) {
  base::Random random(1);
  for (int round = 0; round < 10; ++round) {
    expect_all_pairs_in_every_setting(random_sets(random, 60, 2 + random.below(25), 5 + random.below(60)));
  }
}

TEST_P(EveryJoin, AgreesWithTheDoubleLoopBetweenTwoCollections) {
  base::Random random(2);
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t universe = 5 + random.below(60);
    expect_all_pairs_in_every_setting(std::vector<Sets>{random_sets(random, 40, 2 + random.below(25), universe),
                                                        random_sets(random, 40, 2 + random.below(25), universe)});
  }
}

TEST_P(EveryJoin, AgreesWithTheDoubleLoopAtEveryHundredth) {
  base::Random random(3);
  const Sets one = random_sets(random, 50, 12, 30);
  const std::vector<Sets> two{random_sets(random, 30, 12, 20), random_sets(random, 30, 8, 20)};
  for (const Measure measure :
       {Measure::jaccard, Measure::cosine, Measure::dice, Measure::containment, Measure::contained}) {
    for (std::uint64_t k = 1; k <= 100; ++k) {
      const JoinOptions options{.measure = measure, .threshold = fraction(k, 100)};
      expect_all_pairs(std::span(&one, 1), options);
      expect_all_pairs(two, options);
    }
  }
}

TEST_P(EveryJoin, AgreesWithTheDoubleLoopOnLongSets) {
  base::Random random(4);
  Sets sets;
  for (int cluster = 0; cluster < 4; ++cluster) {
    Set original;
    for (std::uint64_t token = 0; token < 600; ++token) {
      if (random.below(2) == 0) original.push_back(token);
    }
    for (int copy = 0; copy < 6; ++copy) {
      Set edited;
      for (const std::uint64_t token : original) {
        if (random.below(100) >= static_cast<std::uint64_t>(copy) * 4) edited.push_back(token);
      }
      sets.push_back(edited);
    }
  }
  expect_all_pairs_in_every_setting(sets);
}

TEST_P(EveryJoin, AgreesWithTheDoubleLoopOnManySetsThatShareMuch) {
  base::Random random(9);
  expect_all_pairs_in_every_setting(random_sets(random, 150, 120, 200));
}

TEST_P(EveryJoin, AgreesWithTheDoubleLoopWhereManySetsHaveAToken) {
  base::Random random(11);
  const std::vector<Sets> sides{random_sets(random, 900, 12, 14), random_sets(random, 700, 12, 14)};
  for (const Measure measure : {Measure::jaccard, Measure::cosine, Measure::containment, Measure::contained}) {
    expect_all_pairs(std::span(sides).first(1), {.measure = measure, .threshold = {3, 5}});
    expect_all_pairs(sides, {.measure = measure, .threshold = {3, 5}});
  }
}

TEST_P(EveryJoin, FindsPairsWhoseFirstCommonTokenStandsFarBack) {
  constexpr std::uint64_t kOwn = 70'000, kCommon = 100'000;
  const auto range = [](Set& set, std::uint64_t first, std::uint64_t count) {
    for (std::uint64_t token = first; token < first + count; ++token) set.push_back(token);
  };
  // Of the first set's own tokens, all are in the third set too, and none of the second's are anywhere else.
  Sets sets(3);
  range(sets[0], 0, kOwn + kCommon);
  range(sets[1], kOwn, kCommon);
  range(sets[1], 1'000'000, kOwn);
  range(sets[2], 0, kOwn);
  const Found found = join(sets, {.threshold = {2, 5}});
  EXPECT_EQ(found.pairs, (std::vector<Pair>{{0, 1, 100.0 / 240}, {0, 2, 70.0 / 170}}));
}

TEST_P(EveryJoin, AgreesWithTheDoubleLoopWhenAllSetsHaveOneSize) {
  base::Random random(5);
  Sets sets;
  for (int i = 0; i < 60; ++i) {
    std::set<std::uint64_t> set;
    while (set.size() < 8) set.insert(random.below(14));
    sets.emplace_back(set.begin(), set.end());
  }
  expect_all_pairs_in_every_setting(sets);
}

TEST_P(EveryJoin, AgreesWithTheDoubleLoopWhenOneTokenIsInEverySet) {
  base::Random random(6);
  Sets sets = random_sets(random, 60, 10, 40);
  for (Set& set : sets) set.push_back(1'000);
  expect_all_pairs_in_every_setting(sets);
}

TEST_P(EveryJoin, AgreesWithTheDoubleLoopWhenOneSetHoldsAllOthers) {
  base::Random random(7);
  Sets sets = random_sets(random, 40, 10, 300);
  Set& huge = sets.emplace_back();
  for (std::uint64_t token = 0; token < 300; ++token) huge.push_back(token);
  expect_all_pairs_in_every_setting(sets);
  expect_all_pairs_in_every_setting(std::vector<Sets>{sets, {huge}});
}

TEST_P(EveryJoin, AgreesWithTheDoubleLoopWhenTheCollectionsDifferInSizeOfSets) {
  base::Random random(8);
  Sets small = random_sets(random, 40, 5, 12), large;
  for (const Set& set : small) {
    std::set<std::uint64_t> grown(set.begin(), set.end());
    for (int i = 0; i < 3; ++i) grown.insert(random.below(12));
    large.emplace_back(grown.begin(), grown.end());
  }
  expect_all_pairs_in_every_setting(std::vector<Sets>{small, large});
  expect_all_pairs_in_every_setting(std::vector<Sets>{large, small});
}

// The list of `shared` is long, is the last of all, and holds nobody who is large enough for those who look it up. (The
// tokens that come after `shared` stand behind every prefix, and have no lists.) Reading beyond it is what a sanitizer
// sees.
TEST_P(EveryJoin, LooksNoFurtherThanALongListWithNobodyInReach) {
  constexpr std::uint64_t kShared = 1, kFrequent = 2;  // and 3 and 4
  std::uint64_t own = 100;
  Sets large, small;
  for (int i = 0; i < 100; ++i) large.push_back({kShared, kFrequent, kFrequent + 1, kFrequent + 2, own++});
  for (int i = 0; i < 300; ++i) small.push_back({kShared});
  for (int i = 0; i < 500; ++i, own += 2) small.push_back({kFrequent, kFrequent + 1, kFrequent + 2, own, own + 1});
  expect_all_pairs(std::vector<Sets>{large, small}, {.threshold = {4, 5}});
}

TEST_P(EveryJoin, PairsEqualSetsAcrossCollections) {
  const Sets sets{letters("abc"), letters("bcd"), letters("x")};
  expect_all_pairs_in_every_setting(std::vector<Sets>{sets, sets});
}

TEST_P(EveryJoin, FindsNothingAmongSingletonsOfTheirOwn) {
  Sets sets;
  for (std::uint64_t token = 0; token < 1'000; ++token) sets.push_back({token});
  EXPECT_TRUE(join(sets, {.threshold = {1, 100}}).pairs.empty());
  EXPECT_TRUE(join(std::vector<Sets>{sets, {letters("ab")}}, {.threshold = {1, 1}}).pairs.size() == 0);
}

TEST_P(EveryJoin, FindsNothingWhenTheOverlapIsLargerThanAnySet) {
  const Sets sets{letters("abc"), letters("abcd"), letters("bcde")};
  for (const std::uint64_t overlap : {std::uint64_t{5}, std::uint64_t{1} << 33, ~std::uint64_t{0}}) {
    EXPECT_TRUE(join(sets, {.measure = Measure::overlap, .threshold = {overlap, 1}}).pairs.empty());
  }
}

TEST_P(EveryJoin, LetsSetsTooSmallForTheOverlapOutAndKeepsTheOthers) {
  const Sets sets{letters("ab"), letters("abc"), letters("abcd"), letters("abcde")};
  EXPECT_EQ(join(sets, {.measure = Measure::overlap, .threshold = {4, 1}}).pairs, (std::vector<Pair>{{2, 3, 4}}));
}

TEST_P(EveryJoin, TakesNoSetsAndOneSet) {
  EXPECT_TRUE(join(Sets{}, {}).pairs.empty());
  EXPECT_TRUE(join(Sets{letters("abc")}, {}).pairs.empty());
  EXPECT_TRUE(join(std::vector<Sets>{{}, {letters("abc")}}, {}).pairs.empty());
}

TEST_P(EveryJoin, LeavesOutWhatTheCallerSkips) {
  const Sets sets{letters("abcde"), letters("abcd"), letters("abcdef")};
  JoinOptions options{.threshold = {1, 2}};
  const Found all = join(sets, options);
  ASSERT_EQ(all.pairs.size(), 3u);
  options.skip = [](DocId left, DocId right) { return left == 0 && right == 1; };
  const Found some = join(sets, options);
  EXPECT_EQ(some.pairs, (std::vector<Pair>{all.pairs[1], all.pairs[2]}));
  EXPECT_EQ(some.stats.candidates + 1, all.stats.candidates);
}

// Whoever only asks what is connected is not told of every pair, but of enough.
TEST_P(EveryJoin, ConnectsTheSameSetsWhenWhatIsSettledIsLeftOut) {
  base::Random random(9);
  Sets sets;
  for (int family = 0; family < 4; ++family) {
    for (int copy = 0; copy < 60; ++copy) {
      Set set;
      for (std::uint64_t token = 0; token < 40; ++token)
        set.push_back(random.below(20) == 0 ? 10'000 + random.below(1'000'000) : 100 * family + token);
      std::sort(set.begin(), set.end());
      sets.push_back(set);
    }
  }
  sets = distinct(sets);
  const auto components = [&](const std::vector<Pair>& pairs) {
    std::vector<std::size_t> root(sets.size());
    std::iota(root.begin(), root.end(), std::size_t{0});
    for (const Pair& pair : pairs) {
      const std::size_t from = root[pair.right], to = root[pair.left];
      std::replace(root.begin(), root.end(), std::max(from, to), std::min(from, to));
    }
    return root;
  };
  const auto expected = components(naive_pairs(std::span(&sets, 1), {.threshold = {7, 10}}));
  std::vector<Pair> told;
  std::vector<std::size_t> known = components({});
  std::mutex mutex;
  JoinOptions options{.threshold = {7, 10}};
  options.settled = [&](std::span<const DocId> some) {
    const std::lock_guard lock(mutex);
    return std::ranges::all_of(some, [&](DocId set) { return expected[set] == expected[some.front()]; }) &&
           std::ranges::all_of(some, [&](DocId set) { return known[set] == known[some.front()]; });
  };
  known = expected;  // as if all pairs had come already: nothing more is needed
  const Found late = join(sets, options);
  known = components({});
  const Found found = join(sets, options);
  EXPECT_EQ(components(found.pairs), expected);
  EXPECT_LE(late.pairs.size(), found.pairs.size());
}

TEST_P(EveryJoin, AsksAboutPairsInTheOrderItReportsThem) {
  const std::vector<Sets> sides{{letters("xy"), letters("abcde")}, {letters("abcd")}};
  JoinOptions options{.threshold = {1, 2}};
  options.skip = [](DocId left, DocId right) { return left == 1 && right == 0; };
  EXPECT_TRUE(join(sides, options).pairs.empty());
}

TEST_P(EveryJoin, HandsOverNoMorePairsThanAskedFor) {
  Sets sets;
  for (std::uint64_t token = 100; token < 300; ++token) sets.push_back({1, 2, 3, 4, token});
  const JoinOptions options{.threshold = {1, 2}, .max_pairs = 10};
  EXPECT_EQ(join(sets, options).pairs.size(), 10u);
}

TEST_P(EveryJoin, EndsWhenItIsToldTo) {
  std::stop_source source;
  source.request_stop();
  try {
    (void)run(GetParam().run, ordered(Sets{letters("abc"), letters("abd")}), {}, {.stop = source.get_token()});
    FAIL() << "it went on";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::interrupted);
  }
}

TEST_P(EveryJoin, TellsTheObserverAboutEverySetOnce) {
  struct Counter final : Observer {
    void stage(std::string_view, std::uint64_t, std::string_view) override {}
    void advance(std::uint64_t amount) override { total += amount; }
    void warning(std::string_view) override {}
    std::uint64_t total = 0;
  } counter;
  Sets sets;
  for (std::uint64_t token = 0; token < 10'000; ++token) sets.push_back({token / 2});
  (void)run(GetParam().run, ordered(sets), {}, {.observer = &counter});
  EXPECT_EQ(counter.total, 10'000u);
}

TEST(Signature, EndsSoonAfterItIsToldToAlsoWhereEverySetHasEveryOtherAsPartner) {
  Sets sets;
  for (std::uint64_t own = 100; own < 1100; ++own) sets.push_back({1, 2, 3, 4, 5, 6, 7, 8, 9, own});
  std::stop_source source;
  std::atomic<int> asked = 0;
  JoinOptions options{.threshold = {4, 5}};
  options.skip = [&](DocId, DocId) {
    if (++asked == 10) source.request_stop();
    return false;
  };
  try {
    (void)run(signature, ordered(sets), options, {.stop = source.get_token(), .threads = 1});
    FAIL() << "it went on";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::interrupted);
  }
  EXPECT_LT(asked, 2000) << "of half a million";
}

TEST(Signature, LeavesOutSetsThatOnlyACopyWouldMatch) {
  Sets sets;
  for (std::uint64_t last = 100; last < 110; ++last) sets.push_back({1, 2, 3, 4, 5, 6, 7, last});
  sets.push_back({1, 2, 3, 4, 5, 6, 7});
  const JoinOptions options{.threshold = {9, 10}};
  EXPECT_EQ(run(signature, ordered(sets), options).stats.index.entries, 0u);
  // Of two collections, copies are pairs.
  EXPECT_EQ(run(signature, ordered(std::vector<Sets>{sets, sets}), options).pairs.size(), sets.size());
}

INSTANTIATE_TEST_SUITE_P(Algorithms, EveryJoin, testing::ValuesIn(set_algorithms().begin(), set_algorithms().end()),
                         [](const auto& param_info) {
                           std::string name;
                           for (const char c : param_info.param.name)
                             name += c == '-' ? "_" : c == '+' ? "_plus" : std::string(1, c);
                           return name;
                         });

}  // namespace
}  // namespace neardup::joins
