// Every algorithm finds exactly the pairs that comparing everything with everything finds.
#include "join/edit_join.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <mutex>
#include <string>
#include <vector>

#include "base/random.h"
#include "join/edit_support.h"
#include "neardup/error.h"
#include "neardup/join.h"

namespace neardup::joins::edit {
namespace {

using neardup::test::cook;
using neardup::test::Found;
using neardup::test::FoundPairs;
using neardup::test::options;
using neardup::test::plain_join;
using neardup::test::PlainJoin;
using neardup::test::recipes;
using neardup::test::Texts;

std::vector<Found> found_in(const Texts& texts, const JoinOptions& join_options, unsigned threads = 2) {
  Context context{.threads = threads};
  FoundPairs pairs;
  join_strings(texts, join_options, pairs, context);
  return pairs.sorted();
}

std::vector<Found> found_between(const Texts& left, const Texts& right, const JoinOptions& join_options,
                                 unsigned threads = 2) {
  Context context{.threads = threads};
  FoundPairs pairs;
  join_strings(left, right, join_options, pairs, context);
  return pairs.sorted();
}

class EveryEditAlgorithm : public testing::TestWithParam<std::string> {};

TEST_P(EveryEditAlgorithm, EqualsThePlainJoinWithinOneCollection) {
  for (const auto& [name, recipe] : recipes()) {
    const Texts texts = cook(recipe, recipe.longest > 50 ? 60 : 130, 1);
    const PlainJoin plain(texts, texts, 20);
    for (const std::uint64_t most : {0, 1, 2, 3, 5, 8, 20}) {
      const auto expected = plain.within(most);
      for (const unsigned threads : {1u, 3u}) {
        ASSERT_EQ(found_in(texts, options(most, GetParam()), threads), expected) << name << ", " << most;
      }
    }
  }
}

TEST_P(EveryEditAlgorithm, EqualsThePlainJoinBetweenTwoCollections) {
  for (const auto& [name, recipe] : recipes()) {
    const Texts all = cook(recipe, recipe.longest > 50 ? 60 : 130, 2);
    const Texts left(all.begin(), all.begin() + 25), right(all.begin() + 20, all.end());  // five are in both
    const PlainJoin forth(left, right, 20), back(right, left, 20);
    for (const std::uint64_t most : {0, 1, 2, 3, 5, 8, 20}) {
      ASSERT_EQ(found_between(left, right, options(most, GetParam()), 1), forth.within(most)) << name;
      ASSERT_EQ(found_between(right, left, options(most, GetParam()), 3), back.within(most)) << name;
    }
  }
}

TEST_P(EveryEditAlgorithm, GivesEmptyStringsNoPartner) {
  EXPECT_EQ(found_in({"", "", "a", "b"}, options(5, GetParam())), (std::vector<Found>{{2, 3, 1}}));
  EXPECT_EQ(found_between({"", "a"}, {"", "b"}, options(5, GetParam())), (std::vector<Found>{{1, 1, 1}}));
  EXPECT_TRUE(found_in({"", ""}, options(5, GetParam())).empty());
  EXPECT_TRUE(found_in({}, options(5, GetParam())).empty());
  EXPECT_TRUE(found_between({"a"}, {}, options(5, GetParam())).empty());
}

TEST_P(EveryEditAlgorithm, ListsEveryPairOfEqualStrings) {
  const Texts texts(300, "the same");
  EXPECT_EQ(found_in(texts, options(0, GetParam())), plain_join(texts, texts, 0));
  EXPECT_EQ(found_in(texts, options(3, GetParam())).size(), 300u * 299 / 2);
  const Texts left(20, "the same"), right(30, "the same");
  EXPECT_EQ(found_between(left, right, options(1, GetParam())).size(), 600u);
}

TEST_P(EveryEditAlgorithm, ListsEveryPairOfCopiesOfSimilarStrings) {
  const Texts texts{"abcdef", "abcdeg", "abcdef", "xyz", "abcdeg", "abcdef"};
  EXPECT_EQ(found_in(texts, options(1, GetParam())), plain_join(texts, texts, 1));
}

TEST_P(EveryEditAlgorithm, JoinsStringsOfOneCodePoint) {
  Texts texts;
  for (char c = 'a'; c <= 'z'; ++c) texts.emplace_back(1, c);
  EXPECT_EQ(found_in(texts, options(1, GetParam())).size(), 26u * 25 / 2);
  EXPECT_TRUE(found_in(texts, options(0, GetParam())).empty());
}

TEST_P(EveryEditAlgorithm, TakesADistanceBeyondEveryLength) {
  const Texts texts{"a", "bb", "ccc", "dddddddd"};
  for (const std::uint64_t most : {std::uint64_t{8}, std::uint64_t{1000}, std::uint64_t{1'000'000'000'000'000'000}}) {
    EXPECT_EQ(found_in(texts, options(most, GetParam())).size(), 6u) << most;
  }
}

TEST_P(EveryEditAlgorithm, JoinsStringsOfAHundredThousandCodePoints) {
  base::Random random(9);
  std::string text(100'000, ' ');
  for (char& c : text) c = static_cast<char>('a' + random.below(26));
  Texts texts{text, text, text + "!", "!!" + text, std::string(100'000, 'a'), std::string(99'999, 'a')};
  texts[1][500] = '.';
  const std::vector<Found> expected{{0, 1, 1}, {0, 2, 1}, {0, 3, 2}, {1, 2, 2}, {4, 5, 1}};
  EXPECT_EQ(found_in(texts, options(2, GetParam())), expected);
}

TEST_P(EveryEditAlgorithm, LeavesOutWhatTheCallerSkips) {
  const Texts texts = cook(recipes().at("TwoLetters"), 120, 3);
  JoinOptions join_options = options(2, GetParam());
  std::mutex mutex;
  bool ordered = true;
  join_options.skip = [&](DocId left, DocId right) {
    const std::lock_guard lock(mutex);
    ordered &= left < right;
    return (left + right) % 3 == 0;
  };
  auto expected = plain_join(texts, texts, 2);
  std::erase_if(expected, [](const Found& f) { return (std::get<0>(f) + std::get<1>(f)) % 3 == 0; });
  EXPECT_EQ(found_in(texts, join_options), expected);
  EXPECT_TRUE(ordered);
}

TEST_P(EveryEditAlgorithm, AsksBeforeItVerifiesAPair) {
  JoinOptions join_options = options(1, GetParam());
  join_options.skip = [](DocId, DocId) { return true; };
  Context context;
  FoundPairs pairs;
  const JoinStats stats = join_strings(Texts{"abcdef", "abcdeg", "abcdeh"}, join_options, pairs, context);
  EXPECT_EQ(stats.candidates, 0u);
  EXPECT_TRUE(pairs.found.empty());
}

TEST_P(EveryEditAlgorithm, StopsAtTheSamePairsForEveryNumberOfThreads) {
  Texts texts = cook(recipes().at("SharedStart"), 900, 4);
  texts.insert(texts.end(), 400, texts[7]);
  const std::size_t all = found_in(texts, options(2, GetParam())).size();
  ASSERT_GT(all, 70'000u);
  for (const std::uint64_t most : {std::uint64_t{1}, std::uint64_t{1000}, std::uint64_t{66'000}, std::uint64_t{all}}) {
    JoinOptions join_options = options(2, GetParam());
    join_options.max_pairs = most;
    std::vector<Found> first;
    for (const unsigned threads : {1u, 2u, 5u}) {
      Context context{.threads = threads};
      FoundPairs pairs;
      const JoinStats stats = join_strings(texts, join_options, pairs, context);
      EXPECT_EQ(pairs.found.size(), most);
      EXPECT_EQ(stats.stopped, most < all);
      if (threads == 1) first = pairs.found;
      EXPECT_EQ(pairs.found, first);
    }
  }
}

TEST_P(EveryEditAlgorithm, EndsWhenTheSinkHasHadEnough) {
  struct One : PairSink {
    int batches = 0;
    bool accept(std::span<const Pair>) override { return ++batches < 1; }
  } sink;
  Context context;
  const JoinStats stats = join_strings(Texts(5000, "x"), options(1, GetParam()), sink, context);
  EXPECT_EQ(sink.batches, 1);
  EXPECT_TRUE(stats.stopped);
}

TEST_P(EveryEditAlgorithm, PassesOnWhatTheSinkThrows) {
  struct Broken : PairSink {
    bool accept(std::span<const Pair>) override { throw Error{ErrorCode::output, "full"}; }
  } sink;
  JoinOptions join_options = options(2, GetParam());
  for (const std::uint64_t most : {0, 100'000}) {
    join_options.max_pairs = most;
    Context context{.threads = 3};
    EXPECT_THROW(join_strings(cook(recipes().at("TwoLetters"), 2000, 5), join_options, sink, context), Error);
  }
}

TEST_P(EveryEditAlgorithm, EndsWhenAskedToStop) {
  std::stop_source stop;
  stop.request_stop();
  Context context{.stop = stop.get_token()};
  FoundPairs pairs;
  try {
    join_strings(Texts{"a", "b"}, options(1, GetParam()), pairs, context);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::interrupted);
  }
}

TEST_P(EveryEditAlgorithm, EndsHalfWayWhenAskedToStop) {
  struct Stopper : PairSink {
    std::stop_source stop;
    bool accept(std::span<const Pair>) override { return stop.request_stop(), true; }
  } sink;
  JoinOptions join_options = options(2, GetParam());
  for (const std::uint64_t most : {0, 10'000'000}) {
    join_options.max_pairs = most;
    sink.stop = {};
    Context context{.stop = sink.stop.get_token(), .threads = 3};
    EXPECT_THROW(join_strings(Texts(5000, "x"), join_options, sink, context), Error);
  }
}

// More than 65,536 different code points. Strings of code points that no other has are far from each other.
TEST_P(EveryEditAlgorithm, TellsEveryCodePointFromEveryOther) {
  Texts texts;
  char32_t next = 0x10000;
  for (int i = 0; i < 175; ++i) {
    texts.emplace_back();
    for (int k = 0; k < 400; ++k) {
      char bytes[4];
      texts.back().append(bytes, base::encode(next++, bytes));
    }
  }
  texts.push_back(texts[5] + "a");
  texts.push_back(texts[174].substr(4));  // each takes four bytes
  EXPECT_EQ(found_in(texts, options(1, GetParam())), (std::vector<Found>{{5, 175, 1}, {174, 176, 1}}));
}

TEST_P(EveryEditAlgorithm, SaysWhatItDid) {
  Context context;
  FoundPairs pairs;
  const Texts texts{"abcdefgh", "abcdefgx", "abcdefgh", "qrstuvwx", ""};
  const JoinStats stats = join_strings(texts, options(1, GetParam()), pairs, context);
  EXPECT_EQ(stats.algorithm, GetParam() == "auto" ? "segments" : GetParam());
  EXPECT_EQ(stats.records, 5u);
  EXPECT_EQ(stats.distinct, 3u);
  EXPECT_EQ(stats.pairs, 1u);
  EXPECT_EQ(pairs.found.size(), 3u);  // two across, one between the copies
  EXPECT_EQ(stats.filters.front().name, "length");
  EXPECT_EQ(stats.filters.front().pairs, 3u);
  EXPECT_GE(stats.candidates, 1u);
  EXPECT_GT(stats.peak_bytes, 0u);
  EXPECT_FALSE(stats.stopped);
}

std::vector<std::string> names() {
  std::vector<std::string> all{"auto"};
  for (const EditAlgorithm& algorithm : edit_algorithms()) all.emplace_back(algorithm.name);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Join, EveryEditAlgorithm, testing::ValuesIn(names()), [](const auto& name) {
  std::string word = name.param;
  std::replace(word.begin(), word.end(), '-', '_');
  return word;
});

TEST(JoinStrings, RefusesAnUnknownAlgorithmAndOtherMeasures) {
  Context context;
  FoundPairs pairs;
  EXPECT_THROW(join_strings(Texts{"a"}, options(1, "ppjoin"), pairs, context), Error);
  JoinOptions jaccard;
  EXPECT_THROW(join_strings(Texts{"a"}, jaccard, pairs, context), Error);
}

TEST(JoinStrings, WarnsBeforeVeryManyComparisons) {
  struct Listener : Observer {
    std::vector<std::string> warnings;
    void stage(std::string_view, std::uint64_t, std::string_view) override {}
    void advance(std::uint64_t) override {}
    void warning(std::string_view message) override { warnings.emplace_back(message); }
  } listener;
  const StringSet strings;
  const JoinOptions join_options = options(1, "segments");
  FoundPairs pairs;
  base::PairOutput output(pairs, 0);
  JoinStats stats;
  Context context{.observer = &listener};
  const EditJoin join{strings, join_options, output, stats, context};
  warn_if_many_comparisons(join, 1e9);
  EXPECT_TRUE(listener.warnings.empty());
  warn_if_many_comparisons(join, 3e9);
  ASSERT_EQ(listener.warnings.size(), 1u);
  EXPECT_NE(listener.warnings[0].find("`threshold`"), std::string::npos);
}

}  // namespace
}  // namespace neardup::joins::edit
