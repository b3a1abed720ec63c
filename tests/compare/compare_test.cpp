#include "neardup/compare.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <string>
#include <vector>

#include "base/random.h"
#include "compare/edit.h"
#include "neardup/error.h"
#include "neardup/features.h"
#include "similarity/edit_distance.h"
#include "similarity/word_diff.h"
#include "support/scratch.h"

namespace neardup::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

NamedDocument text(std::string name, std::string words) {
  NamedDocument out;
  out.name = std::move(name);
  out.document.text = std::move(words);
  return out;
}

NamedDocument set_of(std::vector<std::uint64_t> tokens) {
  NamedDocument out;
  out.document.tokens = std::move(tokens);
  out.is_set = true;
  return out;
}

const Definition kWords{.features = {.kind = FeatureKind::words, .length = 1}};

Comparison compared(const std::string& a, const std::string& b, const Definition& definition = kWords,
                    const CompareOptions& options = {}) {
  Context context;
  return compare(text("a", a), text("b", b), definition, options, context);
}

const MeasureScore& score(const Comparison& comparison, Measure measure) {
  for (const MeasureScore& one : comparison.scores) {
    if (one.measure == measure) return one;
  }
  throw std::logic_error("a measure is missing");
}

std::vector<std::string> texts(const std::vector<ShownFeature>& features) {
  std::vector<std::string> out;
  for (const ShownFeature& feature : features) out.push_back(feature.text);
  return out;
}

// The diff as one line: words of both, of `a` alone as -word, of `b` alone as +word.
std::string woven(const Comparison& comparison) {
  std::string out;
  const WordDiff& diff = *comparison.diff;
  const auto add = [&](const char* mark, const std::string& all, const std::vector<std::uint32_t>& starts,
                       std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t i = begin; i < end; ++i) out += mark + all.substr(starts[i], starts[i + 1] - starts[i]) + "|";
  };
  for (const DiffPart& part : diff.parts) {
    const bool equal = part.kind == DiffPart::Kind::equal;
    add(equal ? "" : "-", comparison.a.text, diff.a_starts, part.a_begin, part.a_end);
    if (!equal) add("+", comparison.b.text, diff.b_starts, part.b_begin, part.b_end);
  }
  return out;
}

TEST(Compare, GivesEveryMeasureWithItsExactScore) {
  const Comparison c = compared("a b c d", "a b c e");
  EXPECT_EQ(c.shared, 3u);
  EXPECT_EQ(score(c, Measure::jaccard).exact, "3/5");
  EXPECT_EQ(score(c, Measure::cosine).exact, "3/sqrt(4*4)");
  EXPECT_EQ(score(c, Measure::dice).exact, "6/8");
  EXPECT_DOUBLE_EQ(*score(c, Measure::overlap).score, 3);
  EXPECT_DOUBLE_EQ(*score(c, Measure::edit).score, 1);
  EXPECT_DOUBLE_EQ(*score(c, Measure::hamming).score, std::popcount(c.a.simhash->bits ^ c.b.simhash->bits));
  EXPECT_EQ(c.scores.size(), 8u);
}

TEST(Compare, ThresholdsAreRoundedDownSoThatTheyAreMet) {
  const Comparison c = compared("a b c", "a b c d e f");  // jaccard 1/2, cosine 3/sqrt(18) = 0.7071067..., dice 2/3
  EXPECT_EQ(to_string(*score(c, Measure::jaccard).passes), "0.5");
  EXPECT_EQ(to_string(*score(c, Measure::cosine).passes), "0.707106");
  EXPECT_EQ(to_string(*score(c, Measure::dice).passes), "0.666666");
  EXPECT_EQ(to_string(*score(c, Measure::overlap).passes), "3");
}

TEST(Compare, TheThresholdItNamesIsTheLargestThatIsMet) {
  base::Random random(3);
  for (int round = 0; round < 200; ++round) {
    std::string a, b;
    for (int i = 0; i < 12; ++i) {
      a += " " + std::to_string(random.below(15));
      b += " " + std::to_string(random.below(15));
    }
    for (const Measure measure : {Measure::jaccard, Measure::cosine, Measure::dice}) {
      const auto passes = score(compared(a, b), measure).passes;
      if (!passes) continue;
      Definition definition = kWords;
      definition.measure = measure;
      definition.threshold = *passes;
      EXPECT_EQ(compared(a, b, definition).verdict->answer, Verdict::Answer::near_duplicates);
      const std::uint64_t millionths = passes->num * (1'000'000 / passes->den) + 1;
      if (millionths > 1'000'000) continue;
      definition.threshold = parse_threshold(std::to_string(millionths) + "/1000000");
      EXPECT_EQ(compared(a, b, definition).verdict->answer, Verdict::Answer::different);
    }
  }
}

TEST(Compare, JudgesByTheDefinitionAndSaysWhatWasNeeded) {
  Definition definition = kWords;
  definition.threshold = {3, 5};
  EXPECT_EQ(compared("a b c d", "a b c e", definition).verdict->answer, Verdict::Answer::near_duplicates);
  definition.threshold = {4, 5};
  const Comparison c = compared("a b c d", "a b c e", definition);
  EXPECT_EQ(c.verdict->answer, Verdict::Answer::different);
  EXPECT_EQ(c.verdict->shared_needed, 4u);
  definition = {.measure = Measure::edit, .threshold = {1, 1}};
  EXPECT_EQ(compared("abcd", "abce", definition).verdict->answer, Verdict::Answer::near_duplicates);
  EXPECT_EQ(compared("abcd", "abef", definition).verdict->answer, Verdict::Answer::different);
}

TEST(Compare, GivesNoVerdictWhenNobodyAskedForOne) {
  EXPECT_FALSE(compared("a", "b", {.measure = Measure::hamming}, {.judge = false}).verdict);
}

TEST(Compare, DocumentsWithoutWordsAreInNoPair) {
  const Comparison c = compared("!?", "!?");
  EXPECT_EQ(c.verdict->answer, Verdict::Answer::different);
  for (const MeasureScore& one : c.scores) EXPECT_FALSE(one.score) << to_string(one.measure);
  EXPECT_FALSE(c.a.simhash);
}

TEST(Compare, NamesTheBitsThatDifferWithTheirSums) {
  const std::string a = "one two three four five six", b = "one two three four seven eight";
  const Comparison c = compared(a, b);
  ASSERT_FALSE(c.bits.empty());
  FeatureExtractor extractor(kWords.features, 0);
  std::vector<Feature> features;
  extractor.occurrences(a, features);
  const SimhashSums sums = simhash_sums(features);
  for (const DifferingBit& bit : c.bits) {
    EXPECT_EQ(bit.a_sum, sums[bit.bit]);
    EXPECT_NE(bit.a_sum >= 0, bit.b_sum >= 0);
  }
}

TEST(Compare, ShowsTheHeaviestFeaturesAsText) {
  const Comparison c = compared("the cat the dog the bird", "The CAT, the fish; the fish");
  EXPECT_EQ(texts(c.shared_features), (std::vector<std::string>{"the", "cat"}));
  EXPECT_EQ(c.shared_features.front().a_count, 3u);
  EXPECT_EQ(texts(c.only_a), (std::vector<std::string>{"dog", "bird"}));
  EXPECT_EQ(texts(c.only_b), (std::vector<std::string>{"fish"}));
  EXPECT_EQ(c.only_b.front().b_count, 2u);
}

TEST(Compare, ShowsRunsOfWordsAndOfCharacters) {
  const Comparison words = compared("one two three", "two three four", {.features = {.length = 2}});
  EXPECT_EQ(texts(words.shared_features), (std::vector<std::string>{"two three"}));
  EXPECT_EQ(texts(words.only_a), (std::vector<std::string>{"one two"}));
  const Comparison chars = compared("Añb", "ñB c", {.features = {.kind = FeatureKind::chars, .length = 2}});
  EXPECT_EQ(texts(chars.shared_features), (std::vector<std::string>{"ñb"}));
  EXPECT_EQ(texts(chars.only_b), (std::vector<std::string>{"b ", " c"}));
}

TEST(Compare, ABagCountsWhatOneHasMoreOf) {
  Definition definition = kWords;
  definition.features.bag = true;
  const Comparison c = compared("x x x y", "x y", definition);
  EXPECT_EQ(c.shared, 2u);
  EXPECT_EQ(c.a.features, 4u);
  EXPECT_EQ(texts(c.only_a), (std::vector<std::string>{"x"}));
}

TEST(Compare, PrefersFeaturesThatDoNotOverlap) {
  CompareOptions options{.features_shown = 2};
  const Comparison c = compared("a b c d e f g h", "z", {.features = {.length = 3}}, options);
  EXPECT_EQ(texts(c.only_a), (std::vector<std::string>{"a b c", "d e f"}));
}

TEST(Compare, TokensOfSetsAreFeaturesAndTheirDiffIsOfTokens) {
  Context context;
  const Comparison c = compare(set_of({7, 8, 9}), set_of({8, 9, 10}), {}, {}, context);
  EXPECT_EQ(c.shared, 2u);
  EXPECT_EQ(texts(c.only_a), (std::vector<std::string>{"7"}));
  EXPECT_EQ(woven(c), "-7 |8 |9|+10|");
  EXPECT_FALSE(score(c, Measure::edit).score);
}

TEST(Compare, RefusesWhatHasNothingInCommon) {
  Context context;
  EXPECT_THROW(compare(set_of({1}), text("b", "x"), {}, {}, context), Error);
  EXPECT_THROW(compare(set_of({1}), set_of({1}), kWords, {}, context), Error);
  EXPECT_THROW(compare(text("a", "x"), text("b", "x"), {.weights = Weights::tfidf}, {}, context), Error);
}

TEST(WordsOfADiff, AreComparedFoldedAndShownAsTheyStand) {
  EXPECT_EQ(woven(compared("The ﬁrst, “word”!", "the FIRST word.")), "The |ﬁrst, |“word”!|");
}

TEST(WordsOfADiff, KeepTheSignsThatLeanOnThem) {
  EXPECT_EQ(woven(compared("say (hello) - now", "say (bye) - now")), "say |-(hello) - |+(bye) - |now|");
}

TEST(WordsOfADiff, OfScriptsWithoutSpacesAreCharacters) {
  EXPECT_EQ(woven(compared("漢字だ", "漢語だ")), "漢|-字|+語|だ|");
}

TEST(WordsOfADiff, MayHoldInvisibleCharacters) {
  EXPECT_EQ(woven(compared("so\u00ADft x", "soft x")), "so\u00ADft |x|");
}

TEST(WordsOfADiff, CoverBothTextsWholly) {
  base::Random random(5);
  const std::vector<std::string> pieces{"a",       "B",      " ", "\n", "-",      "漢", "é",
                                        "e\u0301", "\u00AD", "½", "ﷺ",  "\u0301", "ก็",  "❤"};
  for (int round = 0; round < 500; ++round) {
    std::string a, b;
    for (std::uint64_t i = random.below(20); i > 0; --i) a += pieces[random.below(pieces.size())];
    for (std::uint64_t i = random.below(20); i > 0; --i) b += pieces[random.below(pieces.size())];
    Context context;
    const WordDiff diff = similarity::diff_words(a, b, 1 << 20, context);
    ASSERT_EQ(diff.a_starts.back(), a.size());
    ASSERT_TRUE(diff.a_starts.size() == 1 || diff.a_starts.front() == 0);
    ASSERT_TRUE(std::is_sorted(diff.a_starts.begin(), diff.a_starts.end()));
    std::uint32_t i = 0, j = 0;
    for (const DiffPart& part : diff.parts) {
      ASSERT_EQ(part.a_begin, i);
      ASSERT_EQ(part.b_begin, j);
      i = part.a_end;
      j = part.b_end;
    }
    ASSERT_EQ(i + 1, diff.a_starts.size());
    ASSERT_EQ(j + 1, diff.b_starts.size());
  }
}

TEST(BoundedDistance, EqualsTheDistanceWhereItIsKnown) {
  base::Random random(6);
  for (int round = 0; round < 300; ++round) {
    std::string a, b;
    const std::vector<std::string> pieces{"a", "b", "é", "è", "漢", "渢"};  // some share their first bytes
    for (std::uint64_t i = random.below(150); i > 0; --i) a += pieces[random.below(pieces.size())];
    for (std::uint64_t i = random.below(150); i > 0; --i) b += pieces[random.below(pieces.size())];
    const auto found = comparison::edit_distance_bounded(a, b, 1 << 20, {});
    ASSERT_EQ(found.distance, similarity::edit_distance_within(a, b, 1000));
  }
}

TEST(BoundedDistance, SaysWhatItKnowsWhenItGivesUp) {
  base::Random random(6);
  std::string a, b;
  for (int i = 0; i < 20'000; ++i) {
    a += static_cast<char>('a' + random.below(26));
    b += static_cast<char>('a' + random.below(26));
  }
  const auto found = comparison::edit_distance_bounded(a, b, 1 << 20, {});
  EXPECT_FALSE(found.distance);
  EXPECT_GE(found.more_than, 64u);
}

TEST(Compare, IsUndecidedWhenADistanceStaysUnknown) {
  const std::string a = std::string(3000, 'a') + "x", b = "x" + std::string(3000, 'b');
  const CompareOptions options{.edit_steps = 10};
  const Comparison c = compared(a, b, {.measure = Measure::edit, .threshold = {5000, 1}}, options);
  EXPECT_EQ(c.verdict->answer, Verdict::Answer::unknown);
  EXPECT_FALSE(score(c, Measure::edit).score);
}

std::string message_of(const std::string& a, const std::string& b, const ReadOptions& reading = {}) {
  Context context;
  try {
    read_two(a, b, reading, context);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

class ReadTwo : public testing::Test {
 protected:
  void SetUp() override {
    write_bytes(
        scratch_ / "in.jsonl",
        "{\"id\":\"d1\",\"text\":\"one\"}\n{\"id\":\"d2\",\"text\":\"two\"}\n{\"id\":\"d1\",\"text\":\"three\"}\n"
        "{\"text\":\"four\"}\n{\"id\":\"x#y\",\"text\":\"five\"}\n");
    write_bytes(scratch_ / "a.txt", "alpha");
    write_bytes(scratch_ / "b#c.txt", "beta");
  }
  [[nodiscard]] std::string path(const std::string& name) const { return (scratch_.path() / name).string(); }
  [[nodiscard]] std::array<NamedDocument, 2> read(const std::string& a, const std::string& b) const {
    Context context;
    return read_two(path(a), path(b), {}, context);
  }
  ScratchFolder scratch_;
};

TEST_F(ReadTwo, TakesWholeFiles) {
  const auto [a, b] = read("a.txt", "b#c.txt");
  EXPECT_EQ(a.document.text, "alpha");
  EXPECT_EQ(b.document.text, "beta");
  EXPECT_EQ(b.name, path("b#c.txt"));
}

TEST_F(ReadTwo, FindsRecordsByTheNamesThatOutputsPrint) {
  EXPECT_EQ(read("in.jsonl#d1", "in.jsonl#d2")[1].document.text, "two");
  EXPECT_EQ(read("in.jsonl#d1", "in.jsonl#d1#2")[1].document.text, "three");
  EXPECT_EQ(read("in.jsonl#d1#2", "in.jsonl#d1")[0].name, "d1#2");
  EXPECT_EQ(read("a.txt", "in.jsonl#" + path("in.jsonl") + ":4")[1].document.text, "four");
  EXPECT_EQ(read("a.txt", "in.jsonl#:4")[1].document.text, "four");
  EXPECT_EQ(read("a.txt", "in.jsonl#x#y")[1].document.text, "five");
}

TEST_F(ReadTwo, TheSameRecordMayStandOnBothSides) {
  const auto [a, b] = read("in.jsonl#d2", "in.jsonl#d2");
  EXPECT_EQ(a.document.text, b.document.text);
}

TEST_F(ReadTwo, SuggestsTheNearestId) {
  EXPECT_THAT(message_of(path("in.jsonl#d22"), path("a.txt")), AllOf(HasSubstr("5 records"), HasSubstr("#d2?")));
  EXPECT_THAT(message_of(path("in.jsonl#nothing-like-it"), path("a.txt")),
              AllOf(HasSubstr("5 records"), Not(HasSubstr("did you mean"))));
}

TEST_F(ReadTwo, NamesIdsWhenAFileHoldsSeveral) {
  EXPECT_THAT(message_of(path("in.jsonl"), path("a.txt")), HasSubstr("(d1, d2, d1, ...)"));
}

TEST_F(ReadTwo, TakesTheOnlyRecordOfAFile) {
  write_bytes(scratch_ / "one.jsonl", "{\"id\":\"d1\",\"text\":\"one\"}\n");
  EXPECT_EQ(read("one.jsonl", "a.txt")[0].name, "d1");
}

TEST_F(ReadTwo, ReportsWhyTheOnlyRecordIsBad) {
  write_bytes(scratch_ / "bad.jsonl", "{\"id\":\"d1\",\"text\":1}\n");
  EXPECT_THAT(message_of(path("bad.jsonl"), path("a.txt")), HasSubstr("bad.jsonl:1"));
  EXPECT_THAT(message_of(path("bad.jsonl#d1"), path("a.txt")), HasSubstr("bad.jsonl:1"));
}

TEST_F(ReadTwo, FilesWithoutRecordsAreRefused) {
  write_bytes(scratch_ / "none.jsonl", "\n\n");
  EXPECT_THAT(message_of(path("none.jsonl"), path("a.txt"), {.format = "jsonl"}), HasSubstr("contains no document"));
}

TEST_F(ReadTwo, StandardInputIsOneDocumentOnly) { EXPECT_THAT(message_of("-", "-"), HasSubstr("named twice")); }

}  // namespace
}  // namespace neardup::test
