// Rules do to texts what docs/algorithms/text.md says, one by one and together.
#include "text/word_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "neardup/error.h"
#include "neardup/text_rules.h"
#include "simd/dispatch.h"
#include "support/scratch.h"
#include "text/fold.h"
#include "text/stop_words.h"

namespace neardup::text {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

std::string ruled(std::string_view text, const TextRules& rules, Spacing spacing = Spacing::plain) {
  Folder folder{spacing, simd::kernels()};
  WordRules applied{rules};
  return std::string{applied.apply(folder.fold(applied.strip(text)))};
}

std::string stripped(std::string_view text, std::vector<std::string> expressions) {
  WordRules rules{{.strip = std::move(expressions)}};
  return std::string{rules.strip(text)};
}

std::string usage_message(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

TEST(Strip, PutsOneSpaceForEveryMatch) { EXPECT_EQ(stripped("at 12:30, or 7:05", {R"(\d+:\d+)"}), "at  , or  "); }

TEST(Strip, SeesTheTextAsItWasRead) { EXPECT_EQ(stripped("Page 1 page 2", {R"(Page \d)"}), "  page 2"); }

TEST(Strip, AppliesExpressionsOneAfterTheOther) { EXPECT_EQ(stripped("abab", {"a", "b +b"}), "  "); }

TEST(Strip, LeavesTheTextAloneWhereAMatchIsEmpty) {
  EXPECT_EQ(stripped("h\u00E9llo", {"x*"}), "h\u00E9llo");
  EXPECT_EQ(stripped("axxb", {"x*"}), "a b");
  EXPECT_EQ(stripped("", {"x*"}), "");
  EXPECT_EQ(stripped("one two", {R"(\b)"}), "one two");
}

TEST(Strip, KnowsWhatStandsBeforeAMatch) {
  EXPECT_EQ(stripped("aaa", {"^a"}), " aa");
  EXPECT_EQ(stripped("1a 1", {R"(1\b)"}), "1a  ");
}

TEST(Strip, MatchesWholeCodePoints) { EXPECT_EQ(stripped("\u00E9\u6F22x", {"."}), "   "); }

TEST(Strip, NamesWhatIsWrongWithAnExpression) {
  EXPECT_THAT(usage_message([] { WordRules{{.strip = {"a(b"}}}; }), HasSubstr("`strip` a(b: missing"));
}

TEST(Strip, TakesLinearTimeWhereNothingMatches) {
  const std::string text(4 << 20, '1');
  EXPECT_EQ(stripped(text, {R"((\d+)*x)", R"(\d+:\d+)"}), text);
}

TEST(Numbers, AreWordsOfDigitsOnly) {
  EXPECT_EQ(ruled("call 555 1234 b2 2nd", {.numbers = Numbers::fold}), "call 0 0 b2 2nd");
  EXPECT_EQ(ruled("call 555 1234 b2 2nd", {.numbers = Numbers::drop}), "call b2 2nd");
  EXPECT_EQ(ruled("call 555", {.numbers = Numbers::keep, .stop_words = {"x"}}), "call 555");
}

TEST(Numbers, OfEveryScriptCount) {
  EXPECT_EQ(ruled("\u0661\u0662 \u2460 x", {.numbers = Numbers::fold}), "0 0 x");  // Arabic digits, circled 1
  EXPECT_EQ(ruled("\u0E51\u0E52", {.numbers = Numbers::fold}), "0 0");             // Thai digits
  EXPECT_EQ(ruled("\u0E51\u0E52", {.numbers = Numbers::fold}, Spacing::words), "0 0");
  EXPECT_EQ(ruled("1\u20E3", {.numbers = Numbers::drop}), "1\u20E3");  // a mark is no digit
}

TEST(MinWord, CountsCodePoints) {
  EXPECT_EQ(ruled("a ab abc \u00E9\u00E9 \u00E9\u00E9\u00E9", {.min_word = 3}), "abc \u00E9\u00E9\u00E9");
}

TEST(MinWord, LeavesScriptsWithoutSpacesAlone) {
  EXPECT_EQ(ruled("a \u6F22\u5B57 ab \u0E01\u0E49x", {.min_word = 2}), "\u6F22\u5B57 ab \u0E01\u0E49");
}

TEST(MinWord, LooksAtNumbersAfterTheyWereFolded) {
  EXPECT_EQ(ruled("in 1984", {.min_word = 2, .numbers = Numbers::fold}), "in");
  EXPECT_EQ(ruled("in 1984", {.min_word = 2}), "in 1984");
}

TEST(StopWords, AreLeftOutInAnyCase) {
  EXPECT_EQ(ruled("The End of THE end", {.stop_words = {"the", "OF"}}), "end end");
}

TEST(StopWords, MustBeOneWordEach) {
  EXPECT_THAT(usage_message([] { WordRules{{.stop_words = {"don't"}}}; }), HasSubstr("\"don't\" is not one word"));
  EXPECT_THAT(usage_message([] { WordRules{{.stop_words = {"?"}}}; }), HasSubstr("not one word"));
}

TEST(StopWords, LeftOutBetweenCharactersLeaveASpace) {
  EXPECT_EQ(ruled("\u6F22\u7684\u5B57", {.stop_words = {"\u7684"}}), "\u6F22 \u5B57");
}

TEST(Stem, IsTakenOfWhatTheOtherRulesLeft) {
  EXPECT_EQ(ruled("Running dogs were running", {.stop_words = {"dogs"}, .stem = "english"}), "run were run");
  EXPECT_EQ(ruled("l\u00E4uft Hunde", {.stem = "de"}), "lauft hund");
}

TEST(Stem, LeavesEndlessWordsWhole) {
  const std::string word(100'000, 's');
  EXPECT_EQ(ruled(word, {.stem = "english"}), word);
}

TEST(Stem, ListsTheLanguages) {
  EXPECT_THAT(usage_message([] { WordRules{{.stem = "klingon"}}; }), HasSubstr("english"));
  EXPECT_THAT(stem_languages(), Contains("german"));
  EXPECT_TRUE(has_stem_language("deu"));
  EXPECT_FALSE(has_stem_language("x"));
}

TEST(Words, ThatStandSideBySideStillDo) {
  const TextRules rules{.numbers = Numbers::drop};
  EXPECT_EQ(ruled("\u6F22\u5B57kana, \u304B", rules), "\u6F22\u5B57kana \u304B");
  EXPECT_EQ(ruled("\u6F22\u5B57kana, \u304B", rules, Spacing::words), "\u6F22 \u5B57 kana \u304B");
}

TEST(Words, CanBeReadBeyondTheirEnd) {
  WordRules rules{{.stop_words = {"a"}}};
  const std::string_view left = rules.apply("a");
  ASSERT_TRUE(left.empty());
  EXPECT_EQ(std::string(left.data(), 64), std::string(64, ' '));
}

TEST(Rules, SayOnOneLineWhatTheyDo) {
  EXPECT_EQ(describe({}), "");
  EXPECT_EQ(describe({.min_word = 1}), "");
  const std::string all =
      describe({.strip = {"a b\n", "c"}, .min_word = 2, .numbers = Numbers::drop, .stop_words = {"x"}, .stem = "en"});
  EXPECT_THAT(all, testing::StartsWith(R"(strip="a b\n" strip="c" numbers=drop min-word=2 stop-words=1:)"));
  EXPECT_THAT(all, testing::EndsWith(" stem=en"));
  EXPECT_EQ(describe({.stop_words = {"a", "b", "a"}}), describe({.stop_words = {"b", "a"}}));
  EXPECT_NE(describe({.stop_words = {"a", "b"}}), describe({.stop_words = {"ab", "c"}}));
}

TEST(StopWordLists, HoldSingleWordsOfTheirLanguage) {
  Context context;
  for (const StopWordList& list : stop_word_lists()) {
    const std::vector<std::string> words = load_stop_words(std::string{list.code}, context);
    EXPECT_GE(words.size(), 60u) << list.code;
    EXPECT_THAT(words, testing::Not(Contains(""))) << list.code;
    EXPECT_EQ(words, load_stop_words(std::string{list.name}, context));
    WordRules{{.stop_words = words}};
  }
  EXPECT_THAT(load_stop_words("en", context), Contains("the"));
  EXPECT_THAT(load_stop_words("ru", context), Contains("\u0438"));
}

TEST(StopWordLists, ThatDoNotExistAreToldWithThoseThatDo) {
  Context context;
  EXPECT_THAT(usage_message([&] { load_stop_words("xx", context); }), HasSubstr("en, english, de, german"));
}

class StopWordFiles : public testing::Test {
 protected:
  std::string write(const std::string& content) {
    const std::string path = folder_ / "list.txt";
    test::write_bytes(path, content);
    return path;
  }
  test::ScratchFolder folder_;
  Context context_;
};

TEST_F(StopWordFiles, HaveAWordALineWithComments) {
  EXPECT_THAT(load_stop_words(write("\xEF\xBB\xBFThe\r\n\n# all\n  of # why\nthe"), context_),
              ElementsAre("of", "the"));
  EXPECT_THAT(load_stop_words(write(""), context_), ElementsAre());
}

TEST_F(StopWordFiles, AreRefusedWithTheLineThatIsNotOneWord) {
  const std::string path = write("a\ndon't\n");
  EXPECT_THAT(usage_message([&] { load_stop_words(path, context_); }), HasSubstr("list.txt:2: \"don't\" is not one"));
}

TEST_F(StopWordFiles, ThatDoNotExistAreAnError) {
  EXPECT_THROW(load_stop_words("./nowhere-to-be-found", context_), Error);
  EXPECT_THROW(load_stop_words(folder_ / ".", context_), Error);
}

}  // namespace
}  // namespace neardup::text
