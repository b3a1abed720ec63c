// The public joins of sets: whole collections, with everything that real ones bring along.
#include "neardup/join.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <stop_token>
#include <string>
#include <vector>

#include "base/random.h"
#include "join/support.h"
#include "support/scratch.h"

namespace neardup::joins {
namespace {

using namespace neardup::joins::test;
using neardup::test::error_of;
using ::testing::HasSubstr;

TokenSets token_sets(const Sets& sets) {
  TokenSets out;
  for (const Set& set : sets) out.add(set);
  return out;
}

Found join_all(std::span<const Sets> sides, const JoinOptions& options, Context context = {}) {
  PairCollector collector;
  Found found;
  const TokenSets left = token_sets(sides.front()), right = token_sets(sides.back());
  found.stats = sides.size() == 1 ? neardup::join(left, options, collector, context)
                                  : neardup::join(left, right, options, collector, context);
  found.pairs = collector.sorted();
  return found;
}
Found join_all(const Sets& sets, const JoinOptions& options, Context context = {}) {
  return join_all(std::span(&sets, 1), options, std::move(context));
}

// Random sets of which every third is a copy of an earlier one, and some are empty.
Sets with_copies(base::Random& random, std::size_t count, std::uint64_t max_size, std::uint64_t universe) {
  Sets sets = random_sets(random, count, max_size, universe);
  for (std::size_t i = 1; i < sets.size(); i += 3) sets[i] = sets[random.below(i)];
  return sets;
}

TEST(TokenSets, SortsASetAndCountsRepeatsOnce) {
  TokenSets sets;
  sets.add({5, 1, 5, 3, 1});
  sets.add({});
  sets.add({UINT64_MAX, 0});
  EXPECT_EQ(sets.size(), 3u);
  EXPECT_EQ(sets.tokens(), 5u);
  EXPECT_THAT(sets[0], ::testing::ElementsAre(1, 3, 5));
  EXPECT_TRUE(sets[1].empty());
  EXPECT_THAT(sets[2], ::testing::ElementsAre(0, UINT64_MAX));
}

class EveryJoinByName : public ::testing::TestWithParam<std::string> {
 protected:
  [[nodiscard]] static JoinOptions options(Measure measure, Threshold threshold) {
    return {.measure = measure, .threshold = threshold, .algorithm = GetParam()};
  }
};

TEST_P(EveryJoinByName, FindsEveryPairAlsoOfCopiesAndNoneOfEmptySets) {
  base::Random random(1);
  for (const auto& [measure, threshold] : settings()) {
    const Sets sets = with_copies(random, 60, 2 + random.below(20), 5 + random.below(60));
    const JoinOptions how = options(measure, threshold);
    EXPECT_EQ(join_all(sets, how).pairs, naive_pairs(std::span(&sets, 1), how))
        << to_string(measure) << " " << to_string(threshold);
  }
}

TEST_P(EveryJoinByName, FindsEveryPairOfTwoCollectionsWithCopies) {
  base::Random random(2);
  for (const auto& [measure, threshold] : settings()) {
    const std::uint64_t universe = 5 + random.below(60);
    std::vector<Sets> sides{with_copies(random, 30, 15, universe), with_copies(random, 50, 15, universe)};
    sides[1][3] = sides[0][0];
    const JoinOptions how = options(measure, threshold);
    EXPECT_EQ(join_all(sides, how).pairs, naive_pairs(sides, how)) << to_string(measure) << " " << to_string(threshold);
    std::swap(sides[0], sides[1]);
    EXPECT_EQ(join_all(sides, how).pairs, naive_pairs(sides, how)) << to_string(measure) << " " << to_string(threshold);
  }
}

TEST_P(EveryJoinByName, TakesTokensOfEveryValue) {
  const Sets sets{{0, 1, 2, UINT64_MAX},
                  {0, 1, 2, UINT64_MAX - 1},
                  {0, UINT32_MAX, 1ull << 32, UINT64_MAX},
                  {0, UINT32_MAX, (1ull << 32) + 1, UINT64_MAX},
                  {0},
                  {UINT64_MAX}};
  const JoinOptions how = options(Measure::jaccard, {3, 5});
  EXPECT_EQ(join_all(sets, how).pairs, (std::vector<Pair>{{0, 1, .6}, {2, 3, .6}}));
  EXPECT_EQ(join_all(std::vector<Sets>{sets, sets}, how).pairs.size(), 6u + 4u);
}

TEST_P(EveryJoinByName, StopsAtTheSamePairsForEveryNumberOfThreads) {
  base::Random random(3);
  const Sets sets = with_copies(random, 300, 12, 20);
  JoinOptions how = options(Measure::jaccard, {1, 2});
  const std::size_t all = join_all(sets, how).pairs.size();
  ASSERT_GT(all, 1'000u);
  for (const std::uint64_t most : {std::uint64_t{1}, std::uint64_t{100}, std::uint64_t{999}, std::uint64_t{all - 1}}) {
    how.max_pairs = most;
    const Found one = join_all(sets, how, {.threads = 1});
    EXPECT_EQ(one.pairs.size(), most);
    EXPECT_TRUE(one.stats.stopped);
    for (const unsigned threads : {2u, 8u}) EXPECT_EQ(join_all(sets, how, {.threads = threads}).pairs, one.pairs);
  }
  for (const std::uint64_t most : {std::uint64_t{all}, std::uint64_t{all + 1}}) {
    how.max_pairs = most;
    const Found whole = join_all(sets, how);
    EXPECT_EQ(whole.pairs.size(), all);
    EXPECT_FALSE(whole.stats.stopped) << "there was nothing more to find";
  }
}

TEST_P(EveryJoinByName, GivesTheSamePairsOnEveryNumberOfThreads) {
  base::Random random(4);
  const Sets sets = with_copies(random, 2'000, 20, 300);
  const JoinOptions how = options(Measure::cosine, {7, 10});
  const std::vector<Pair> one = join_all(sets, how, {.threads = 1}).pairs;
  EXPECT_GT(one.size(), 1'000u);
  for (const unsigned threads : {2u, 8u}) EXPECT_EQ(join_all(sets, how, {.threads = threads}).pairs, one);
}

TEST_P(EveryJoinByName, AsksAboutEveryPairOfRecordsToBeSkipped) {
  base::Random random(5);
  const Sets sets = with_copies(random, 60, 10, 20);
  JoinOptions how = options(Measure::jaccard, {1, 2});
  std::vector<Pair> expected = naive_pairs(std::span(&sets, 1), how);
  how.skip = [](DocId left, DocId right) { return (left + right) % 3 == 0; };
  std::erase_if(expected, [&](const Pair& pair) { return how.skip(pair.left, pair.right); });
  EXPECT_EQ(join_all(sets, how).pairs, expected);
}

TEST_P(EveryJoinByName, EndsHalfWayWhenItIsToldTo) {
  base::Random random(6);
  const Sets sets = random_sets(random, 40'000, 12, 2'000);
  for (const unsigned threads : {1u, 4u}) {
    std::stop_source source;
    struct Stopper final : PairSink {
      bool accept(std::span<const Pair>) override {
        source->request_stop();
        return true;
      }
      std::stop_source* source = nullptr;
    } stopper;
    stopper.source = &source;
    Context context{.stop = source.get_token(), .threads = threads};
    const TokenSets tokens = token_sets(sets);
    (void)error_of(ErrorCode::interrupted, [&] {
      (void)neardup::join(tokens, options(Measure::jaccard, {1, 10}), stopper, context);
    });
  }
}

TEST_P(EveryJoinByName, CountsWhatItDid) {
  const Sets sets{{1, 2, 3, 4}, {1, 2, 3, 5}, {1, 2, 3, 4}, {}, {8, 9}};
  const JoinStats stats = join_all(sets, options(Measure::jaccard, {3, 5})).stats;
  EXPECT_EQ(stats.records, 5u);
  EXPECT_EQ(stats.distinct, 3u);
  EXPECT_EQ(stats.pairs, 1u);
  EXPECT_GE(stats.candidates, 1u);
  EXPECT_GE(stats.seconds.join, 0);
  EXPECT_GT(stats.peak_bytes, 0u);
  EXPECT_FALSE(stats.stopped);
  EXPECT_EQ(stats.algorithm, GetParam() == "auto" ? "signature" : GetParam());
}

INSTANTIATE_TEST_SUITE_P(Names, EveryJoinByName, ::testing::ValuesIn(join_algorithms(Measure::jaccard)),
                         [](const auto& name) {
                           std::string out;
                           for (const char c : name.param) out += c == '-' ? "_" : c == '+' ? "_plus" : std::string{c};
                           return out;
                         });

TEST(Join, RefusesAnUnknownAlgorithmAndSaysWhichThereAre) {
  EXPECT_THAT(error_of(ErrorCode::usage, [] { join_all(Sets{{1}}, {.algorithm = "magic"}); }),
              ::testing::AllOf(HasSubstr("magic"), HasSubstr("ppjoin+"), HasSubstr("signature")));
}

TEST(Join, RefusesThresholdsOutOfRangeAndDistances) {
  for (const Threshold threshold : {Threshold{0, 1}, Threshold{2, 1}, Threshold{10'000'001, 10'000'000}}) {
    EXPECT_THAT(error_of(ErrorCode::usage, [&] { join_all(Sets{{1}}, {.threshold = threshold}); }),
                HasSubstr("threshold"));
  }
  for (const Measure measure : {Measure::edit, Measure::hamming}) {
    EXPECT_THAT(error_of(ErrorCode::usage,
                         [&] {
                           join_all(Sets{{1}}, {.measure = measure, .threshold = {1, 1}});
                         }),
                HasSubstr(to_string(measure)));
  }
}

TEST(Join, TakesNothingAndOnlyEmptySets) {
  EXPECT_TRUE(join_all(Sets{}, {}).pairs.empty());
  EXPECT_TRUE(join_all(Sets(100), {.threshold = {1, 100}}).pairs.empty());
  EXPECT_TRUE(join_all(std::vector<Sets>{Sets(10), Sets(10)}, {.threshold = {1, 100}}).pairs.empty());
}

// The table of tokens is first made for few different ones.
TEST(Join, TakesHundredThousandsOfDifferentTokens) {
  Sets sets;
  for (std::uint64_t i = 0; i < 20'000; ++i) {
    Set& set = sets.emplace_back();
    for (std::uint64_t k = 0; k < 20; ++k) set.push_back(i / 2 * 1'000 + k + (k == 19 ? i % 2 : 0));
  }
  EXPECT_EQ(join_all(sets, {.threshold = {4, 5}}).pairs.size(), 10'000u);
}

TEST(Join, PassesOnAnErrorOfTheSink) {
  struct Failing final : PairSink {
    bool accept(std::span<const Pair>) override { throw Error(ErrorCode::output, "no room"); }
  } failing;
  Context context;
  const TokenSets sets = token_sets({{1, 2}, {1, 2}, {1, 2, 3}});
  EXPECT_EQ(error_of(ErrorCode::output,
                     [&] {
                       (void)neardup::join(sets, {.threshold = {1, 2}}, failing, context);
                     }),
            "no room");
}

// --- Hostile collections: the right answer, soon. ---

TEST(HostileJoin, OfEqualSetsStopsAtOnceWhenToldHowMuchIsEnough) {
  const Found found = join_all(Sets(20'000, Set{1, 2, 3}), {.max_pairs = 1'000});
  EXPECT_EQ(found.pairs.size(), 1'000u);
  EXPECT_TRUE(found.stats.stopped);
  EXPECT_EQ(found.stats.distinct, 1u);
}

TEST(HostileJoin, OfSetsThatAllShareOneTokenLooksAtFewPairs) {
  Sets sets;
  for (std::uint64_t i = 0; i < 50'000; ++i) {
    Set& set = sets.emplace_back(Set{0});
    for (std::uint64_t k = 1; k <= 9; ++k) set.push_back(i * 10 + k);
  }
  for (const std::string algorithm : {"signature", "ppjoin+", "ppjoin", "all-pairs"}) {
    const Found found = join_all(sets, {.algorithm = algorithm});
    EXPECT_TRUE(found.pairs.empty());
    EXPECT_EQ(found.stats.candidates, 0u) << algorithm;
  }
}

TEST(HostileJoin, OfTwoHugeSetsAmongSmallOnesFindsTheirPair) {
  constexpr std::uint64_t kHuge = 400'000;
  Sets sets;
  for (std::uint64_t i = 0; i < 2'000; ++i) sets.push_back({i, i + 1, i + 2});
  for (const std::uint64_t missing : {0u, 5u}) {
    Set& huge = sets.emplace_back();
    for (std::uint64_t token = 0; token < kHuge; ++token) {
      if (missing == 0 || token % missing != 0) huge.push_back(token);
    }
  }
  for (const std::string algorithm : {"signature", "ppjoin+", "ppjoin"}) {
    EXPECT_EQ(join_all(sets, {.algorithm = algorithm}).pairs, (std::vector<Pair>{{2'000, 2'001, .8}})) << algorithm;
    EXPECT_TRUE(join_all(sets, {.threshold = {320'001, 400'000}, .algorithm = algorithm}).pairs.empty());
  }
  EXPECT_EQ(join_all(sets, {.measure = Measure::overlap, .threshold = {280'000, 1}}).pairs,
            (std::vector<Pair>{{2'000, 2'001, 320'000}}));
}

TEST(HostileJoin, OfSingletonsFindsOnlyTheirCopies) {
  Sets sets;
  for (std::uint64_t i = 0; i < 300'000; ++i) sets.push_back({i});
  sets.push_back({77});
  EXPECT_EQ(join_all(sets, {.threshold = {1, 100}}).pairs, (std::vector<Pair>{{77, 300'000, 1}}));
}

TEST(HostileJoin, AtAnOverlapLargerThanAnySetFindsNothing) {
  for (const std::uint64_t overlap :
       {std::uint64_t{4}, std::uint64_t{1} << 33, std::uint64_t{1'000'000'000'000'000'000}}) {
    EXPECT_TRUE(join_all(Sets{{1, 2, 3}, {1, 2, 3}, {1, 2}}, {.measure = Measure::overlap, .threshold = {overlap, 1}})
                    .pairs.empty());
  }
}

}  // namespace
}  // namespace neardup::joins
