#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support.h"

namespace neardup::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Optional;
using ::testing::StartsWith;

Seen json(const std::string& line, const ReadOptions& options = {}) {
  return read_one("a.jsonl", line + "\n", options);
}

TEST(Jsonl, ReadsTextAndId) {
  const Seen seen = json(R"({"id":"a1","text":"hello\nworld \u00e9 \ud83d\ude00","other":[1,{"x":null}]})");
  EXPECT_EQ(seen.key, "a1");
  EXPECT_EQ(seen.text, "hello\nworld \u00e9 \U0001F600");
  EXPECT_FALSE(seen.repaired);
}

TEST(Jsonl, SkipsBlankLinesButCountsThem) {
  const auto all = read_bytes("a.jsonl", "{\"text\":\"x\"}\n\n  \t\r\n{\"text\":\"y\"}");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[1].number, 4u);
}

TEST(Jsonl, PrintsANumericIdAsWritten) {
  EXPECT_EQ(json(R"({"id":12345678901234567890123456789012345678901,"text":""})").key,
            "12345678901234567890123456789012345678901");
  EXPECT_EQ(json(R"({"id": 1.50e+1 ,"text":""})").key, "1.50e+1");
}

TEST(Jsonl, HasNoKeyWhenTheIdIsMissingOrNull) {
  EXPECT_EQ(json(R"({"text":"x"})").key, "");
  EXPECT_EQ(json(R"({"id":null,"text":"x"})").key, "");
}

TEST(Jsonl, RefusesAMissingIdThatTheUserAskedFor) {
  const ReadOptions options{.id_field = "uid"};
  EXPECT_EQ(json(R"({"id":1,"text":"x"})", options).reason, "no field \"uid\"; it has: id, text; did you mean id?");
  EXPECT_EQ(json(R"({"uid":null,"text":"x"})", options).reason, "\"uid\" is null, expected a string or a number");
  EXPECT_EQ(json(R"({"uid":"","text":"x"})", options).reason, "\"uid\" is empty");
}

TEST(Jsonl, RefusesAnIdThatIsNeitherStringNorNumber) {
  for (const char* id : {"{}", "[]", "true"}) {
    EXPECT_THAT(json(std::string(R"({"text":"x","id":)") + id + "}").reason,
                HasSubstr("expected a string or a number"));
  }
}

TEST(Jsonl, SaysWhatStandsWhereTextShouldBe) {
  EXPECT_EQ(json(R"({"text":5})").reason, "\"text\" is a number, expected a string");
  EXPECT_EQ(json(R"({"text":null})").reason, "\"text\" is null, expected a string");
  EXPECT_EQ(json(R"({"text":{"a":"b"}})").reason, "\"text\" is an object, expected a string");
  EXPECT_EQ(json(R"({"id":1,"score":2})").reason, "no field \"text\"; it has: id, score");
}

TEST(Jsonl, JoinsSeveralTextFieldsWithANewlineInTheOrderAsked) {
  const ReadOptions options{.text_fields = {{"title", "body"}}};
  EXPECT_EQ(json(R"({"body":"b","title":"t"})", options).text, "t\nb");
  EXPECT_EQ(json(R"({"body":"b"})", options).reason,
            "no field \"title\"; it has: body; did you mean `text_fields=body`?");
}

TEST(Jsonl, ReachesIntoNestedObjects) {
  const ReadOptions options{.text_fields = {{"a.b"}}, .id_field = "a.c.d"};
  const Seen seen = json(R"({"a":{"x":{"b":"no"},"b":"yes","c":{"d":7}},"b":"no"})", options);
  EXPECT_EQ(seen.text, "yes");
  EXPECT_EQ(seen.key, "7");
}

TEST(Jsonl, PrefersAKeyThatIsWrittenWithTheDot) {
  const ReadOptions options{.text_fields = {{"a.b"}}};
  EXPECT_EQ(json(R"({"a.b":"literal","a":{"b":"nested"}})", options).text, "literal");
  EXPECT_EQ(json(R"({"a":{"b":"nested"},"a.b":"literal"})", options).text, "literal");
}

TEST(Jsonl, TakesTheLastOfRepeatedKeys) {
  EXPECT_EQ(json(R"({"text":"one","text":"two"})").text, "two");
  EXPECT_EQ(json(R"({"text":"one","text":2})").reason, "\"text\" is a number, expected a string");
  EXPECT_EQ(json(R"({"a":{"b":"one"},"a":{"b":"two"}})", {.text_fields = {{"a.b"}}}).text, "two");
}

TEST(Jsonl, GivesExtraFieldsByValue) {
  const ReadOptions options{.extra_fields = {"s", "n", "b", "z", "o", "gone", "m.x"}};
  const Seen seen = json(R"({"text":"","s":"v\t","n":1.50,"b":true,"z":null,"o":{},"m":{"x":3}})", options);
  EXPECT_THAT(seen.fields,
              ElementsAre(Optional(std::string("v\t")), Optional(std::string("1.50")), Optional(std::string("true")),
                          std::nullopt, std::nullopt, std::nullopt, Optional(std::string("3"))));
}

TEST(Jsonl, UnescapesKeys) { EXPECT_EQ(json(R"({"te\u0078t":"found"})").text, "found"); }

TEST(Jsonl, AcceptsNumbersNoTypeCanHold) {
  EXPECT_EQ(json(R"({"text":"ok","a":1e999,"b":-0.0e-99999,"c":9999999999999999999999999999999999999999})").reason, "");
}

TEST(Jsonl, RefusesWhatIsNotJsonAnywhereInTheRecord) {
  for (const char* line : {R"({"text":"a","x":01})",
                           R"({"text":"a","x":1.})",
                           R"({"text":"a","x":-})",
                           R"({"text":"a","x":+1})",
                           R"({"text":"a","x":.5})",
                           R"({"text":"a","x":1e})",
                           R"({"text":"a","x":tru})",
                           R"({"text":"a","x":nullx})",
                           R"({"text":"a",})",
                           R"({"text":"a" "x":1})",
                           R"({"text":"a","x"})",
                           R"({"text":"a","x":[1,]})",
                           R"({"text":"a","x":[1 2]})",
                           R"({"text":"a","x":[1})",
                           R"({"text":"a","x":{"y"}})",
                           R"({"text":"a"}{"text":"b"})",
                           R"({"text":"a"}x)",
                           R"({"text":"a"} })",
                           R"({"text":"a","x":"\q"})",
                           R"({"text":"a","x":"\u12"})",
                           R"({"text":"a","x":"\u12g4"})",
                           R"({"text":"a)",
                           R"({"text":"a")",
                           R"({,"text":"a"})",
                           R"({"text":"a",1:2})",
                           R"({"text"::"a"})",
                           R"(["text"])",
                           R"("text")",
                           "5",
                           "{",
                           "}",
                           "text",
                           R"({"text":"a","x":'y'})",
                           R"({"text":"a"]})"}) {
    EXPECT_NE(json(line).reason, "") << line;
  }
}

TEST(Jsonl, RefusesRawControlCharactersInStrings) {
  for (const char c : {'\0', '\x01', '\t', '\x1F'}) {
    EXPECT_THAT(json("{\"text\":\"a" + std::string(1, c) + "b\"}").reason, HasSubstr("control character")) << int{c};
  }
}

TEST(Jsonl, KeepsAnEscapedNul) { EXPECT_EQ(json(R"({"text":"a\u0000b"})").text, std::string("a\0b", 3)); }

TEST(Jsonl, LimitsDepth) {
  const auto nested = [](int depth) {
    return R"({"text":"a","x":)" + std::string(depth, '[') + std::string(depth, ']') + "}";
  };
  EXPECT_EQ(json(nested(400)).reason, "");
  EXPECT_THAT(json(nested(600)).reason, HasSubstr("nested deeper"));
  EXPECT_THAT(json(nested(1'000'000)).reason, HasSubstr("nested deeper"));
}

TEST(Jsonl, RepairsInvalidUtf8BeforeParsing) {
  const Seen seen = json(
      "{\"text\":\"a\xFF"
      "b\xE2\x82"
      "c\",\"id\":\"k\xC0\"}");
  EXPECT_EQ(seen.text, "a\uFFFDb\uFFFDc");
  EXPECT_EQ(seen.key, "k\uFFFD");
  EXPECT_TRUE(seen.repaired);
}

TEST(Jsonl, ReplacesLoneSurrogates) {
  for (const auto& [escaped, text] :
       std::vector<std::pair<std::string, std::string>>{{R"(a\ud800b)", "a\uFFFDb"},
                                                        {R"(a\udc00b)", "a\uFFFDb"},
                                                        {R"(\ud800\u0041)", "\uFFFDA"},
                                                        {R"(\ud800\n)", "\uFFFD\n"},
                                                        {R"(\uDBFF\ud800\udc00)", "\uFFFD\U00010000"},
                                                        {R"(\udc00\ud800)", "\uFFFD\uFFFD"},
                                                        {R"(\ud800)", "\uFFFD"}}) {
    const Seen seen = json("{\"text\":\"" + escaped + "\"}");
    EXPECT_EQ(seen.text, text) << escaped;
    EXPECT_TRUE(seen.repaired) << escaped;
  }
}

TEST(Jsonl, DoesNotTakeAnEscapedBackslashForASurrogate) {
  const Seen seen = json(R"({"text":"\\ud800"})");
  EXPECT_EQ(seen.text, "\\ud800");
  EXPECT_FALSE(seen.repaired);
}

TEST(Jsonl, GoesOnBehindABrokenLine) {
  EXPECT_EQ(texts(read_bytes("a.jsonl", "{\"text\":\"one\"}\n{\"text\n{\"text\":\"two\"}\n")).back(), "two");
}

TEST(Json, CutsAnArrayIntoItsElements) {
  const auto all = read_bytes("a.json", " [ {\"text\":\"one, ]\\\"\"} ,\n{\"x\":[{}],\"text\":\"two\"}\n]\n");
  EXPECT_THAT(texts(all), ElementsAre("one, ]\"", "two"));
  EXPECT_EQ(all[0].raw, "{\"text\":\"one, ]\\\"\"}");
  EXPECT_EQ(all[1].number, 2u);
}

TEST(Json, NamesTheLineOfASignOutOfPlaceWhereverBatchesEnd) {
  for (const std::size_t batch : {1u, 4u, 4096u}) {
    const auto all = read_bytes("a.json", "[\n\n,{\"text\":\"one\"}\n]", {}, batch);
    EXPECT_EQ(all.front().number, 3u) << batch;
  }
}

TEST(Json, ReadsAnEmptyArray) { EXPECT_TRUE(read_bytes("a.json", " [ ] ").empty()); }

TEST(Json, ReportsElementsThatAreNotObjects) {
  EXPECT_THAT(
      texts(read_bytes("a.json", R"([1,"a,b",null,[{}],{"text":"x"}])")),
      ElementsAre(StartsWith("BAD: not a JSON object but a value;"), StartsWith("BAD: not a JSON object but a string;"),
                  StartsWith("BAD: not a JSON object but a value;"), StartsWith("BAD: not a JSON object but an array;"),
                  "x"));
}

TEST(Json, ReportsMisplacedCommas) {
  EXPECT_THAT(
      texts(read_bytes("a.json", R"([{"text":"a"} {"text":"b"},,{"text":"c"},])")),
      ElementsAre("a", "BAD: a comma is missing before this element", "BAD: a comma without an element before it", "c",
                  "BAD: there is a comma before the closing bracket of the array"));
}

TEST(Json, ReportsWhatFollowsTheArrayOnce) {
  EXPECT_THAT(
      texts(read_bytes("a.json",
                       R"([{"text":"a"}] {"text":"b"} and much more text than fits into one tiny batch of bytes)")),
      ElementsAre("a", "BAD: something follows the JSON array"));
}

TEST(Json, RefusesAFileThatIsNoArray) {
  EXPECT_THAT(read_one("a", "{\"text\":\"x\"}", {.format = "json"}).reason, HasSubstr("does not begin with ["));
}

TEST(Json, CutAnywhereGivesCompleteElementsAndOneBadRecord) {
  const std::string whole = R"([{"text":"one"},{"text":"t]wo"},{"text":"three"}])";
  for (std::size_t size = 1; size < whole.size(); ++size) {
    const auto all = read_bytes("a.json", whole.substr(0, size), {.format = "json"});
    ASSERT_FALSE(all.empty());
    EXPECT_EQ(all.back().reason, "the file ends before the JSON array is closed");
    const std::vector<std::string> expected{"one", "t]wo", "three"};
    for (std::size_t i = 0; i + 1 < all.size(); ++i) EXPECT_EQ(all[i].text, expected.at(i));
  }
}

TEST(Jsonl, JoinsATextThatIsAnArray) {
  const auto text = [](const std::string& value) { return read_one("a.jsonl", "{\"text\":" + value + "}").text; };
  EXPECT_EQ(text(R"(["one","two"])"), "one\ntwo");
  EXPECT_EQ(text(R"([])"), "");
  EXPECT_EQ(text(R"([{"role":"user","content":"hi"},{"role":"assistant","content":"yes"}])"), "hi\nyes");
  EXPECT_EQ(text(R"([{"role":"user","content":[{"type":"text","text":"a"},{"type":"image","url":"x"}]},"b"])"), "a\nb");
  EXPECT_EQ(text(R"([{"role":"assistant","content":null,"tool_calls":[{"id":1}]},null,"b"])"), "b");
}

TEST(Jsonl, RefusesAnArrayOfSomethingElse) {
  for (const char* value : {"[1]", "[\"a\",[\"b\"]]", "[true]"}) {
    EXPECT_THAT(read_one("a.jsonl", std::string("{\"text\":") + value + "}").reason,
                HasSubstr("is an array, but not of strings"));
  }
  EXPECT_THAT(read_one("a.jsonl", R"({"text":["a",{"content":tru}]})").reason, HasSubstr("not valid JSON"));
}

TEST(Jsonl, SuggestsTheFieldThatProbablyIsTheText) {
  const auto said = [](const std::string& object) { return read_one("a.jsonl", object).reason; };
  EXPECT_EQ(said(R"({"qid":"q1","question":"why?"})"),
            "no field \"text\"; it has: qid, question; did you mean `text_fields=question`?");
  EXPECT_EQ(said(R"({"n":1,"zz":"a rather long string that says something","k":"short"})"),
            "no field \"text\"; it has: n, zz, k; did you mean `text_fields=zz`?");
  EXPECT_EQ(said(R"({"n":1})"), "no field \"text\"; it has: n");
  EXPECT_EQ(said(R"({"messages":[]})"), "no field \"text\"; it has: messages; did you mean `text_fields=messages`?");
}

TEST(Jsonl, SaysHowFarANestedNameLeads) {
  const ReadOptions nested{.text_fields = {{"content.bdy"}}};
  EXPECT_EQ(read_one("a.jsonl", R"({"meta":1,"content":{"title":"t","body":"b"}})", nested).reason,
            "no field \"content.bdy\"; \"content\" has: title, body; did you mean content.body?");
  EXPECT_EQ(read_one("a.jsonl", R"({"content":"b"})", nested).reason,
            "no field \"content.bdy\"; \"content\" is not an object, and so has no fields");
  EXPECT_EQ(read_one("a.jsonl", R"({"contents":{"bdy":"b"}})", nested).reason,
            "no field \"content.bdy\"; it has: contents; did you mean contents?");
}

TEST(Jsonl, KnowsAnObjectThatIsSpreadOverLines) {
  const auto all = read_bytes("a.json", "{\n  \"data\": [\n    {\"text\": \"x\"},\n    1]\n}\n");
  EXPECT_THAT(all.front().reason, HasSubstr("one JSON object, not an array or JSONL"));
}

}  // namespace
}  // namespace neardup::test
