// Every algorithm finds exactly the pairs that comparing everything with everything finds.
#include "join/edit_join.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "base/random.h"
#include "join/edit_segment_index.h"
#include "join/edit_support.h"
#include "neardup/error.h"
#include "neardup/join.h"

namespace neardup::joins {
namespace {

using test::Found;
using test::FoundPairs;
using test::plain_join;
using test::Texts;

JoinOptions options(std::uint64_t most, const std::string& algorithm) {
  JoinOptions options;
  options.measure = Measure::edit;
  options.threshold = {most, 1};
  options.algorithm = algorithm;
  return options;
}

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

// Strings as different as a test needs: an alphabet of code points, a common start, random edits of each other.
struct Recipe {
  std::vector<std::string> alphabet;
  std::string start;
  std::size_t shortest, longest;
};

Texts cook(const Recipe& recipe, std::size_t count, std::uint64_t seed) {
  base::Random random(seed);
  std::vector<std::vector<std::string>> made;
  const auto letter = [&] { return recipe.alphabet[random.below(recipe.alphabet.size())]; };
  for (std::size_t i = 0; i < count; ++i) {
    if (!made.empty() && random.below(2) == 0) {  // a variant of one that is there
      auto text = made[random.below(made.size())];
      for (std::uint64_t edits = random.below(6); edits > 0; --edits) {
        const auto at = static_cast<std::ptrdiff_t>(random.below(text.size() + 1));
        if (random.below(2) == 0 || at == std::ssize(text)) {
          text.insert(text.begin() + at, letter());
        } else {
          text.erase(text.begin() + at);
        }
      }
      made.push_back(text);
    } else {
      std::vector<std::string> text;
      for (std::size_t n = recipe.shortest + random.below(recipe.longest - recipe.shortest + 1); n > 0; --n) {
        text.push_back(letter());
      }
      made.push_back(text);
    }
  }
  Texts texts;
  for (const auto& parts : made) {
    texts.push_back(parts.empty() ? "" : recipe.start);
    for (const std::string& part : parts) texts.back() += part;
  }
  return texts;
}

std::vector<std::string> letters(const std::string& ascii) {
  std::vector<std::string> parts;
  for (const char c : ascii) parts.emplace_back(1, c);
  return parts;
}

std::map<std::string, Recipe> recipes() {
  std::vector<std::string> many;  // more than 256 code points
  for (char32_t c = 0x4E00; c < 0x4E00 + 400; ++c) {
    char bytes[4];
    many.emplace_back(bytes, text::encode(c, bytes));
  }
  return {
      {"TwoLetters", {letters("ab"), "", 0, 12}},
      {"Names", {letters("abcdefghijklmnopqrstuvwxyz0123456789-"), "", 1, 25}},
      {"SharedStart", {letters("abcdefgh"), "react-native-", 0, 9}},
      {"AroundOneWord", {letters("abcdef"), "", 55, 70}},
      {"Long", {letters("acgt"), "", 120, 200}},
      {"Accents", {{"a", "e", "\xC3\xA9", "\xC3\xBC", "\xC3\x9F"}, "", 0, 15}},
      {"Astral", {{"\xF0\x9F\x98\x80", "\xF0\x9F\x98\x81", "x"}, "", 0, 10}},
      {"ManyCodePoints", {many, "", 2, 12}},
  };
}

class EveryEditAlgorithm : public testing::TestWithParam<std::string> {};

TEST_P(EveryEditAlgorithm, EqualsThePlainJoinWithinOneCollection) {
  for (const auto& [name, recipe] : recipes()) {
    const Texts texts = cook(recipe, recipe.longest > 50 ? 60 : 130, 1);
    for (const std::uint64_t most : {0, 1, 2, 3, 5, 8, 20}) {
      const auto expected = plain_join(texts, texts, most);
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
    for (const std::uint64_t most : {0, 1, 2, 3, 5, 8, 20}) {
      ASSERT_EQ(found_between(left, right, options(most, GetParam()), 1), plain_join(left, right, most)) << name;
      ASSERT_EQ(found_between(right, left, options(most, GetParam()), 3), plain_join(right, left, most)) << name;
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
  PairOutput output(pairs, 0);
  JoinStats stats;
  Context context{.observer = &listener};
  const EditJoin join{strings, join_options, output, stats, context};
  warn_if_many_comparisons(join, 1e10);
  EXPECT_TRUE(listener.warnings.empty());
  warn_if_many_comparisons(join, 3e10);
  ASSERT_EQ(listener.warnings.size(), 1u);
  EXPECT_NE(listener.warnings[0].find("--threshold"), std::string::npos);
}

// Small groups are scanned; here even they are looked up by their segments.
TEST(Segments, FindsEveryPairThroughTheIndexAlone) {
  for (const auto& [name, recipe] : recipes()) {
    const Texts texts = cook(recipe, recipe.longest > 50 ? 80 : 250, 6);
    std::vector<SourceString> sources;
    for (std::uint32_t i = 0; i < texts.size(); ++i) sources.push_back({texts[i], i, 0});
    const JoinOptions join_options = options(0, "segments");
    for (const std::uint64_t most : {0, 1, 2, 3, 5, 8}) {
      JoinOptions changed = join_options;
      changed.threshold = {most, 1};
      Context context{.threads = 2};
      const StringSet strings(1, sources, context);
      FoundPairs pairs;
      PairOutput output(pairs, 0);
      JoinStats stats;
      edit_segments({strings, changed, output, stats, context}, 0);
      ASSERT_EQ(pairs.sorted(), plain_join(texts, texts, most)) << name << ", " << most;
      EXPECT_GT(stats.index_entries, 0u);
    }
  }
}

TEST(Segments, FindsEveryPairOfTwoCollectionsThroughTheIndexAlone) {
  for (const auto& [name, recipe] : recipes()) {
    const Texts left = cook(recipe, 60, 7), right = cook(recipe, 90, 7);
    std::vector<SourceString> sources;
    for (std::uint32_t i = 0; i < left.size(); ++i) sources.push_back({left[i], i, 0});
    for (std::uint32_t i = 0; i < right.size(); ++i) sources.push_back({right[i], i, 1});
    for (const std::uint64_t most : {0, 1, 2, 4}) {
      const JoinOptions join_options = options(most, "segments");
      Context context{.threads = 2};
      const StringSet strings(2, sources, context);
      FoundPairs pairs;
      PairOutput output(pairs, 0);
      JoinStats stats;
      edit_segments({strings, join_options, output, stats, context}, 0);
      ASSERT_EQ(pairs.sorted(), plain_join(left, right, most)) << name << ", " << most;
    }
  }
}

TEST(Segments, CoverAStringEvenly) {
  for (std::uint32_t length = 1; length <= 40; ++length) {
    for (std::uint32_t segments = 1; segments <= length; ++segments) {
      std::uint32_t at = 0, least = length, most = 0;
      for (std::uint32_t s = 0; s < segments; ++s) {
        const Segment segment = segment_of(length, segments, s);
        ASSERT_EQ(segment.start, at);
        at += segment.length;
        least = std::min(least, segment.length);
        most = std::max(most, segment.length);
      }
      ASSERT_EQ(at, length);
      ASSERT_LE(most - least, 1u);
      ASSERT_GE(least, 1u);
    }
  }
}

}  // namespace
}  // namespace neardup::joins
