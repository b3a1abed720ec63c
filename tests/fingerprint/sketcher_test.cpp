// A sketcher makes of texts held in memory what a run makes of files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "neardup/collection.h"
#include "neardup/error.h"
#include "neardup/similarity.h"
#include "neardup/sketch.h"
#include "support/naive.h"
#include "support/scratch.h"

namespace neardup::test {
namespace {

using Features = std::vector<Feature>;
using ::testing::HasSubstr;

constexpr FeatureSpec kWords{.kind = FeatureKind::words, .length = 1};

Definition words(unsigned length) { return {.features = {.kind = FeatureKind::words, .length = length}}; }
Definition hamming(Weights weights = Weights::occurrences, std::vector<unsigned> field_weights = {}) {
  return {.features = kWords,
          .measure = Measure::hamming,
          .threshold = {3, 1},
          .weights = weights,
          .field_weights = std::move(field_weights)};
}

Features set_of(Sketcher& sketcher, const DocumentView& document) {
  const auto set = sketcher.set(document);
  return {set.begin(), set.end()};
}
Features set_of(const Definition& definition, const DocumentView& document) {
  Sketcher sketcher(definition);
  return set_of(sketcher, document);
}

std::string random_text(std::mt19937_64& random) {
  static constexpr std::string_view kWordList[] = {"one", "Two", "three", "FOUR", "5", ", ", "six-seven", ""};
  std::string text;
  for (auto n = random() % 30; n > 0; --n) (text += kWordList[random() % std::size(kWordList)]) += ' ';
  return text;
}

TEST(Sketcher, ScoresTextsAsTheDefinitionSaysByHand) {
  std::mt19937_64 random{1};
  for (int round = 0; round < 500; ++round) {
    const std::string a = random_text(random), b = random_text(random);
    for (const auto kind : {FeatureKind::words, FeatureKind::chars}) {
      for (const bool bag : {false, true}) {
        const Definition definition{.features = {.kind = kind, .length = 2, .bag = bag}, .threshold = {1, 2}};
        Sketcher sketcher(definition);
        const Features x = set_of(sketcher, a), y = set_of(sketcher, b);
        const NaiveView left(a, definition), right(b, definition);
        ASSERT_EQ(x.size(), left.set.size());
        ASSERT_EQ(Verifier(definition).verify(x, y), naive_score(definition, left, right)) << a << '|' << b;
      }
    }
  }
}

TEST(Sketcher, MakesTheFingerprintThatIsAddedUpBitByBit) {
  std::mt19937_64 random{2};
  for (int round = 0; round < 300; ++round) {
    const std::string text = random_text(random);
    for (const Weights weights : {Weights::occurrences, Weights::binary}) {
      Sketcher sketcher(hamming(weights));
      const auto code = sketcher.simhash(text);
      const auto expected = naive_simhash(text, hamming(weights));
      ASSERT_EQ(code ? std::optional(code->bits) : std::nullopt, expected);
    }
  }
}

TEST(Sketcher, MakesTheStringThatEditCompares) {
  const Definition folded{.measure = Measure::edit, .threshold = {2, 1}};
  EXPECT_EQ(Sketcher(folded).string("  Hello,\tWORLD! "), "hello world");
  Definition as_is = folded;
  as_is.as_is = true;
  EXPECT_EQ(Sketcher(as_is).string("  Hello,\tWORLD! "), "  Hello,\tWORLD! ");
}

TEST(Sketcher, GivesVolatilityWithAFingerprint) {
  Sketcher sketcher(hamming());
  Volatility given;
  ASSERT_TRUE(sketcher.simhash("one two two three", &given));
  FeatureExtractor extractor(kWords, 0);
  Features occurrences, scratch;
  extractor.occurrences("one two two three", occurrences);
  EXPECT_EQ(given, volatility(simhash_sums(occurrences), occurrences, Projection::signs, scratch));
}

TEST(Sketcher, ProjectsAsItsOptionsSay) {
  Sketcher signs(hamming()), gaussian(hamming(), nullptr, {.projection = Projection::gaussian});
  FeatureExtractor extractor(kWords, 0);
  Features occurrences;
  extractor.occurrences("one two two three", occurrences);
  EXPECT_EQ(signs.sums("one two two three"), simhash_sums(occurrences));
  EXPECT_EQ(gaussian.sums("one two two three"), simhash_sums(occurrences, Projection::gaussian));
}

TEST(Sketcher, MakesTheMinwiseSketchOfTheSet) {
  Sketcher sketcher(words(2), nullptr, {.minhash_size = 20, .minhash_seed = 9});
  const auto sketch = sketcher.minhash("one two three four");
  const Features set = set_of(words(2), "one two three four");
  std::vector<std::uint32_t> expected(20);
  MinHasher(20, 9).sketch(set, expected);
  EXPECT_EQ(std::vector(sketch.begin(), sketch.end()), expected);
}

TEST(Sketcher, GivesNothingForADocumentWithoutFeatures) {
  for (const std::string_view text : {"", " ", "\t\n", "... -- !!", "\xFF\xFE"}) {
    Sketcher sketcher(hamming(), nullptr, {.minhash_size = 4});
    EXPECT_TRUE(sketcher.set(text).empty());
    EXPECT_TRUE(sketcher.occurrences(text).empty());
    EXPECT_TRUE(sketcher.weighed(text).empty());
    EXPECT_EQ(sketcher.sums(text), std::nullopt);
    EXPECT_EQ(sketcher.simhash(text), std::nullopt);
    EXPECT_TRUE(sketcher.minhash(text).empty());
  }
  EXPECT_EQ(Sketcher({.measure = Measure::edit, .threshold = {1, 1}}).string("... !"), "");
}

TEST(Sketcher, KeepsOnlyTheSmallestFeaturesOfMinwise) {
  const Features all = set_of(words(1), "a b c d e f g h");
  Definition minwise = words(1);
  minwise.features.minwise = 3;
  EXPECT_EQ(set_of(minwise, "a b c d e f g h"), Features(all.begin(), all.begin() + 3));
}

// Fields

TEST(Sketcher, JoinsFieldsWithANewline) {
  const std::vector<std::string_view> fields{"one two", "three", ""};
  for (const unsigned length : {1u, 2u}) {
    Sketcher sketcher(words(length));
    EXPECT_EQ(set_of(sketcher, DocumentView::of_fields(fields)), set_of(sketcher, "one two\nthree\n"));
  }
  EXPECT_EQ(Sketcher(words(1)).length(DocumentView::of_fields(fields)), 14u);
}

TEST(Sketcher, WeighsFieldsThatAreGivenOneByOneAsThoseOfADocument) {
  Document document;
  document.text = "one two\nthree two";
  document.text_ends = {7, 17};
  const std::vector<std::string_view> fields{"one two", "three two"};
  Sketcher sketcher(hamming(Weights::occurrences, {3, 1}));
  const auto sums = sketcher.sums(document);
  EXPECT_EQ(sketcher.sums(DocumentView::of_fields(fields)), sums);
  // Three times the first field, once the second.
  EXPECT_EQ(Sketcher(hamming()).sums("one two one two one two three two"), sums);
}

TEST(Sketcher, TakesAPlainTextForOneField) {
  EXPECT_EQ(Sketcher(hamming(Weights::occurrences, {2})).simhash("one two"), Sketcher(hamming()).simhash("one two"));
}

TEST(Sketcher, DoesNotCutRunsOfWordsAcrossWeighedFields) {
  Definition definition = hamming(Weights::occurrences, {1, 1});
  definition.features.length = 2;
  const std::vector<std::string_view> fields{"one two", "three four"};
  Sketcher sketcher(definition);
  EXPECT_EQ(sketcher.weighed(DocumentView::of_fields(fields)).size(), 2u);
}

TEST(Sketcher, RefusesAnotherNumberOfFieldsThanOfWeights) {
  Sketcher sketcher(hamming(Weights::occurrences, {3, 1}));
  const std::vector<std::string_view> three{"a", "b", "c"};
  EXPECT_THAT(error_of(ErrorCode::usage, [&] { sketcher.simhash(DocumentView::of_fields(three)); }),
              HasSubstr("3 text fields, but 2 have a weight"));
  EXPECT_THAT(error_of(ErrorCode::usage, [&] { sketcher.simhash("a"); }), HasSubstr("1 text fields"));
}

TEST(Sketcher, RefusesFieldEndsThatAreNotInTheText) {
  Sketcher sketcher(hamming(Weights::occurrences, {3, 1}));
  for (const std::vector<std::size_t>& ends : {std::vector<std::size_t>{1, 9}, {2, 1}, {3, 3}}) {
    DocumentView view("abc");
    view.text_ends = ends;
    EXPECT_THAT(error_of(ErrorCode::usage, [&] { sketcher.simhash(view); }), HasSubstr("ascend"));
  }
}

// Tokens

TEST(Sketcher, HashesTokensAsTheyStand) {
  Definition definition;
  definition.features = {.kind = FeatureKind::tokens, .length = 1};
  const std::vector<std::uint64_t> tokens{7, 3, 7, 9};
  Features expected;
  token_set(tokens, definition.features, 0, expected);
  EXPECT_EQ(set_of(definition, DocumentView::of_tokens(tokens)), expected);
  EXPECT_EQ(Sketcher(definition).occurrences(DocumentView::of_tokens(tokens)).size(), 4u);
  EXPECT_THAT(error_of(ErrorCode::usage, [&] { (void)Sketcher(definition).string("a"); }), HasSubstr("string"));
}

// Rarity

TEST(Sketcher, WeighsRareFeaturesMore) {
  const std::vector<std::string> texts{"common rare", "common", "common other", "..."};
  const Definition definition = hamming(Weights::tfidf);
  auto frequencies = std::make_shared<FeatureFrequencies>();
  Sketcher counting(definition);
  for (const std::string& text : texts) frequencies->add(counting.weighed(text));
  frequencies->finish();
  EXPECT_EQ(frequencies->documents(), 3u);
  const Feature common = set_of(words(1), "common").front(), rare = set_of(words(1), "rare").front();
  ASSERT_LT(frequencies->weight(common), frequencies->weight(rare));

  SimhashSums expected{};
  for (unsigned bit = 0; bit < 64; ++bit) {
    for (const Feature f : {common, rare, rare})
      expected[bit] += (f >> bit & 1 ? 1 : -1) * static_cast<std::int64_t>(frequencies->weight(f));
  }
  EXPECT_EQ(Sketcher(definition, frequencies).sums("rare common rare"), expected);
}

TEST(Sketcher, RefusesToWeighByRarityWithoutFrequencies) {
  EXPECT_THAT(error_of(ErrorCode::usage, [] { Sketcher(hamming(Weights::tfidf)).simhash("a"); }),
              HasSubstr("frequencies"));
}

// Hostile input

TEST(Sketcher, ReadsInvalidUtf8AsFilesAreRead) {
  std::mt19937_64 random{3};
  Definition as_is{.measure = Measure::edit, .threshold = {1, 1}, .as_is = true};
  Definition stripped = words(2);
  stripped.text.strip = {"b.a"};
  for (int round = 0; round < 500; ++round) {
    std::string text;
    for (auto n = random() % 40; n > 0; --n) {
      static constexpr std::string_view kBytes = "ab \xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80\xED\xA0\xFF\xC0\x80";
      text += kBytes[random() % kBytes.size()];
    }
    const auto read = Collection::from_texts({text}).read({});
    Document document;
    ASSERT_TRUE(read->next(document));
    ASSERT_EQ(Sketcher(as_is).string(text), document.text);
    ASSERT_EQ(Sketcher(as_is).length(text), Sketcher(as_is).length(document));
    ASSERT_EQ(set_of(words(2), text), set_of(words(2), document));
    ASSERT_EQ(set_of(stripped, text), set_of(stripped, document));
    const std::vector<std::string_view> fields{text, text};
    ASSERT_EQ(set_of(words(2), DocumentView::of_fields(fields)),
              set_of(words(2), document.text + "\n" + document.text));
  }
}

TEST(Sketcher, ForgetsTheDocumentBefore) {
  Sketcher sketcher(words(2), nullptr, {.minhash_size = 4});
  const Features once = set_of(sketcher, "one two three");
  (void)sketcher.minhash("something else, much longer than that, and \xFF broken");
  EXPECT_EQ(set_of(sketcher, "one two three"), once);
}

TEST(Sketcher, RefusesWhatItCannotMake) {
  EXPECT_THAT(error_of(ErrorCode::usage, [] { Sketcher(words(0)); }), HasSubstr("at least 1"));
  EXPECT_THAT(error_of(ErrorCode::usage, [] { Sketcher(words(1)).minhash("a"); }), HasSubstr("minhash_size"));
  EXPECT_THAT(error_of(ErrorCode::usage, [] { (void)Sketcher(words(1)).string("a"); }), HasSubstr("string"));
}

}  // namespace
}  // namespace neardup::test
