// Features are what product documentation says they are, whatever the kernels.
#define XXH_INLINE_ALL
#include "features/extractor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <xxhash.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "features/hashing.h"
#include "simd/dispatch.h"

namespace neardup {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Features = std::vector<Feature>;

constexpr FeatureSpec words_of(unsigned length) { return {.kind = FeatureKind::words, .length = length}; }
constexpr FeatureSpec chars_of(unsigned length) { return {.kind = FeatureKind::chars, .length = length}; }

Features occurrences(std::string_view text, const FeatureSpec& spec, std::uint64_t seed = 0) {
  FeatureExtractor extractor{spec, seed};
  Features out{99};
  extractor.occurrences(text, out);
  return out;
}

Features set(std::string_view text, const FeatureSpec& spec, std::uint64_t seed = 0) {
  FeatureExtractor extractor{spec, seed};
  Features out{99};
  extractor.set(text, out);
  return out;
}

TEST(Words, AreRunsOfLettersMarksAndDigitsInLowerCase) {
  EXPECT_THAT(words("Hello, World! It's 4 o'clock\tx_y"),
              ElementsAre("hello", "world", "it", "s", "4", "o", "clock", "x", "y"));
}

TEST(Words, FoldCompatibilityFormsAndCase) {
  EXPECT_THAT(words("\uFB01ne STRASSE Stra\u00DFe \u2168 \uFF21\uFF22"),
              ElementsAre("fine", "strasse", "strasse", "ix", "ab"));
}

TEST(Words, JoinAcrossInvisibleCodePoints) { EXPECT_THAT(words("so\u00ADft\u200Bware"), ElementsAre("software")); }

TEST(Words, SplitWhereFoldingMakesASeparator) {
  EXPECT_THAT(words("1\u00BD a<\u0338b"), ElementsAre("11", "2", "a", "b"));
}

TEST(Words, AreSingleCharactersInScriptsWithoutSpaces) {
  EXPECT_THAT(words("\u6F22\u5B57kana\u304B\u306A"), ElementsAre("\u6F22", "\u5B57", "kana", "\u304B", "\u306A"));
}

TEST(Words, KeepTheMarksThatFollowACharacterWithoutSpaces) {
  EXPECT_THAT(words("\u0E01\u0E48\u0E32x\u0301"), ElementsAre("\u0E01\u0E48", "\u0E32", "x\u0301"));
}

TEST(Words, StartWithAMarkThatFollowsASeparator) {
  EXPECT_THAT(words("\u6F22 \u0E48\u0E01"), ElementsAre("\u6F22", "\u0E48", "\u0E01"));
}

TEST(Words, ComeOutOfTextOfEveryLengthAroundABlock) {
  for (std::size_t n = 0; n <= 200; ++n) {
    ASSERT_EQ(words(std::string(n, 'a')), n == 0 ? std::vector<std::string>{} : std::vector{std::string(n, 'a')});
    ASSERT_EQ(words(std::string(n, ' ') + "b").size(), 1u);
    ASSERT_EQ(words(std::string(n, 'a') + " b ").size(), n == 0 ? 1u : 2u);
  }
}

TEST(FoldedText, CollapsesSeparatorsAndTrimsTheEnds) {
  EXPECT_EQ(folded_text("  Hello,\n\nWORLD \u2014 \u6F22\u5B57! "), "hello world \u6F22\u5B57");
}

TEST(FoldedText, IsEmptyWhenThereAreOnlySeparators) { EXPECT_EQ(folded_text(" \u2026 -- \u00AD\n"), ""); }

TEST(Features, NumberOneForEveryRunOfWords) {
  EXPECT_EQ(occurrences("a b c d e f g", words_of(5)).size(), 3u);
  EXPECT_EQ(occurrences("a b c d e", words_of(5)).size(), 1u);
  EXPECT_EQ(occurrences("a b c d e", words_of(1)).size(), 5u);
}

TEST(Features, AreThoseOfEveryRunInALongText) {
  std::mt19937_64 random(1);
  for (const std::size_t most : {1u, 3u, 12u, 40u, 3'000u}) {
    std::string text;
    std::vector<std::uint64_t> elements;
    for (int i = 0; i < 5'000 && text.size() < 200'000; ++i) {
      std::string word(1 + random() % most, 'a');
      for (char& c : word) c = static_cast<char>('a' + random() % 26);
      elements.push_back(XXH3_64bits_withSeed(word.data(), word.size(), 7));
      text += word + std::string(1 + random() % 3, ' ');
    }
    for (const std::size_t length : {1u, 2u, 5u}) {
      Features expected;
      for (std::size_t i = 0; i + length <= elements.size(); ++i) {
        std::uint64_t run = 0;
        for (std::size_t k = 0; k < length; ++k) run = run * features::kBase + elements[i + k];
        expected.push_back(features::mix(run));
      }
      ASSERT_EQ(occurrences(text, words_of(static_cast<unsigned>(length)), 7), expected) << most << " " << length;
    }
  }
}

TEST(Features, AreOneForTheWholeOfAShortText) {
  EXPECT_EQ(occurrences("a b c", words_of(5)).size(), 1u);
  EXPECT_EQ(occurrences("a b c", words_of(5)), occurrences("A, b. C!", words_of(5)));
  EXPECT_NE(occurrences("a b c", words_of(5)), occurrences("a b", words_of(5)));
  EXPECT_NE(occurrences("a b c", words_of(5)), occurrences("c b a", words_of(5)));
}

TEST(Features, AreNoneWithoutWords) {
  EXPECT_THAT(occurrences("", words_of(5)), IsEmpty());
  EXPECT_THAT(occurrences(" ... \u2026 \n", words_of(5)), IsEmpty());
  EXPECT_THAT(set("", words_of(1)), IsEmpty());
  EXPECT_THAT(set(" - ", chars_of(3)), IsEmpty());
}

TEST(Features, OfTheSameRunAreEqualWhereverItStands) {
  const Features long_text = occurrences("w x a b c d e y z", words_of(5));
  EXPECT_EQ(long_text[2], occurrences("a b c d e", words_of(5))[0]);
}

TEST(Features, OfCodePointsRunOverTheFoldedText) {
  EXPECT_EQ(set("Ab,  c", chars_of(3)), set("ab c", chars_of(3)));
  EXPECT_EQ(occurrences("ab c", chars_of(3)).size(), 2u);
  EXPECT_EQ(occurrences("\u6F22\u5B57\u6F22", chars_of(2)).size(), 2u);
  EXPECT_EQ(occurrences("ab", chars_of(3)).size(), 1u);
  EXPECT_NE(occurrences("ab", chars_of(3)), occurrences("ba", chars_of(3)));
}

TEST(Features, ChangeWithTheSeed) { EXPECT_NE(occurrences("a b", words_of(1), 1), occurrences("a b", words_of(1), 2)); }

TEST(Features, MakeASetThatIsAscendingWithoutRepeats) {
  const Features found = set("a b a b a b c", words_of(2));
  EXPECT_TRUE(std::is_sorted(found.begin(), found.end()));
  EXPECT_EQ(found.size(), 3u);  // a b, b a, b c
}

TEST(Features, NumberRepeatsInABag) {
  FeatureSpec bag = words_of(1);
  bag.bag = true;
  const Features one = occurrences("a", words_of(1));
  const Features found = occurrences("a b a a", bag);
  EXPECT_EQ(found[0], one[0]);
  EXPECT_EQ(found[1], occurrences("b", words_of(1))[0]);
  EXPECT_EQ(found[2], features::repeat_feature(one[0], 1));
  EXPECT_EQ(found[3], features::repeat_feature(one[0], 2));
  EXPECT_EQ(set("a b a a", bag).size(), 4u);
}

TEST(Features, OfDifferentRunsDiffer) {
  std::map<Feature, std::string> seen;
  for (int i = 0; i < 30000; ++i) {
    const std::string text = "w" + std::to_string(i % 173) + " w" + std::to_string(i / 173);
    const Feature f = occurrences(text, words_of(2))[0];
    ASSERT_TRUE(seen.emplace(f, text).second) << text << " and " << seen[f];
  }
}

// Stored in files and promised to be the same on every machine: these numbers never change.
TEST(Features, HaveTheDocumentedValues) {
  EXPECT_THAT(occurrences("near", words_of(1)), ElementsAre(10077562985157228129u));
  EXPECT_THAT(occurrences("near duplicate documents are not", words_of(5)), ElementsAre(1044072294496978430u));
  EXPECT_THAT(occurrences("near duplicate", words_of(5)), ElementsAre(1245537607207283273u));
  EXPECT_THAT(occurrences("\u6F22", words_of(1), 42), ElementsAre(4774521108277656431u));
  EXPECT_THAT(occurrences("ab", chars_of(1)), ElementsAre(5385716116001277786u, 16663789056897459766u));
  EXPECT_THAT(occurrences("ab c", chars_of(4), 42), ElementsAre(6836300402322364897u));
  EXPECT_EQ(features::repeat_feature(1, 1), 10945399932177679502u);
  EXPECT_EQ(features::integer_hash(7, 0), 236966933211079599u);
}

TEST(Features, EqualThePolynomialOfTheirWordsComputedFromScratch) {
  const std::string text = "to be or not to be that is the question to be";
  std::vector<std::uint64_t> elements;
  for (const std::string& word : words(text)) elements.push_back(XXH3_64bits_withSeed(word.data(), word.size(), 9));
  for (const unsigned length : {1u, 2u, 3u, 5u, 8u, 12u, 100u}) {
    const std::size_t run = std::min<std::size_t>(length, elements.size());
    Features expected;
    for (std::size_t first = 0; first + run <= elements.size(); ++first) {
      std::uint64_t polynomial = 0;
      for (std::size_t i = 0; i < run; ++i) polynomial = polynomial * features::kBase + elements[first + i];
      expected.push_back(features::mix(polynomial));
    }
    EXPECT_EQ(occurrences(text, words_of(length), 9), expected) << length;
  }
}

std::string random_text(std::mt19937_64& random) {
  static const std::vector<std::string> pieces{"a",      "Word", " ",      ", ",     "\n",     "\u00E9",     "e\u0301",
                                               "\u2019", "1",    "\u6F22", "\u0E01", "\u0E48", "\U0001F600", "\u00AD"};
  std::string text;
  for (std::size_t k = random() % 200; k != 0; --k) text += pieces[random() % pieces.size()];
  return text;
}

TEST(Features, DoNotDependOnTheKernels) {
  std::mt19937_64 random{5};
  for (const FeatureSpec& spec : {words_of(1), words_of(5), chars_of(3)}) {
    for (int round = 0; round < 500; ++round) {
      const std::string text = random_text(random);
      const Features expected = set(text, spec);
      for (const neardup_kernels* kernels : simd::available()) {
        Features found;
        features::Extractor{spec, 0, *kernels}.set(text, found);
        ASSERT_EQ(found, expected) << kernels->name << ": " << text;
      }
    }
  }
}

TEST(Features, DoNotDependOnEarlierTexts) {
  std::mt19937_64 random{6};
  FeatureExtractor used{words_of(3), 0};
  Features found;
  used.set(std::string(20 << 20, 'x') + " y", found);  // larger than the buffers that are kept
  for (int round = 0; round < 300; ++round) {
    const std::string text = random_text(random);
    used.set(text, found);
    ASSERT_EQ(found, set(text, words_of(3)));
  }
}

TEST(Features, AgreeWithTheListOfWords) {
  std::mt19937_64 random{8};
  for (int round = 0; round < 500; ++round) {
    const std::string text = random_text(random);
    const Features found = occurrences(text, words_of(1));
    const std::vector<std::string> listed = words(text);
    ASSERT_EQ(found.size(), listed.size()) << text;
    for (std::size_t i = 0; i < found.size(); ++i) ASSERT_EQ(found[i], occurrences(listed[i], words_of(1))[0]);
  }
}

TEST(TokenSets, KeepEveryDistinctTokenApart) {
  Features out;
  token_set(std::vector<std::uint64_t>{5, 1, 5, 0, UINT64_MAX, 1}, {.kind = FeatureKind::tokens}, 0, out);
  EXPECT_EQ(out.size(), 4u);
  EXPECT_TRUE(std::is_sorted(out.begin(), out.end()));
}

TEST(TokenSets, NumberRepeatsInABag) {
  Features out;
  token_set(std::vector<std::uint64_t>{5, 1, 5, 0, 5}, {.kind = FeatureKind::tokens, .bag = true}, 0, out);
  EXPECT_EQ(out.size(), 5u);
}

}  // namespace
}  // namespace neardup
