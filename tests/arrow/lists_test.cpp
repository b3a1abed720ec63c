// Lists, structures and runs: texts of several parts, sets of integers, fields by path.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/support.h"
#include "support.h"

namespace neardup::test {
namespace {

using ::testing::ElementsAre;
using Int32s = std::vector<std::optional<std::int32_t>>;
using Int64s = std::vector<std::optional<std::int64_t>>;
using Whole = std::vector<std::optional<bool>>;

Column text_column(Column column) { return table({column.named("text")}); }

std::vector<std::vector<std::uint64_t>> sets(const std::vector<Row>& rows) {
  std::vector<std::vector<std::uint64_t>> out;
  for (const Row& row : rows) out.push_back(row.tokens);
  return out;
}

TEST(ArrowSets, AreListsOfIntegersOfAnyLayout) {
  const auto expected = ElementsAre(ElementsAre(3, 1), ElementsAre(), ElementsAre(7, 7, 9));
  const Counts counts{2, 0, 3};
  const Int64s numbers{3, 1, 7, 7, 9};
  const auto all = [&](const Column& child) {
    EXPECT_THAT(sets(rows_of({text_column(lists(counts, child))})), expected) << child.format;
    EXPECT_THAT(sets(rows_of({text_column(lists(counts, child, "+L"))})), expected) << child.format;
    EXPECT_THAT(sets(rows_of({text_column(list_views({{{0, 2}}, {{5, 0}}, {{2, 3}}}, child))})), expected);
  };
  all(values<std::int64_t>(numbers, "l"));
  all(values<std::uint64_t>({3, 1, 7, 7, 9}, "L"));
  all(values<std::int32_t>({3, 1, 7, 7, 9}, "i"));
  all(values<std::uint8_t>({3, 1, 7, 7, 9}, "C"));
  all(dictionary_of(values<std::int8_t>({1, 0, 2, 2, 3}, "c"), values<std::int16_t>({1, 3, 7, 9}, "s")));
  EXPECT_TRUE(
      arrow_documents(factory_of({text_column(lists(counts, values<std::int64_t>(numbers, "l")))}))->has_tokens());
}

TEST(ArrowSets, OfFixedSizeAndSlices) {
  const Column child = values<std::int64_t>({1, 2, 3, 4, 5, 6}, "l");
  EXPECT_THAT(sets(rows_of({text_column(fixed_lists({true, true, true}, 2, child))})),
              ElementsAre(ElementsAre(1, 2), ElementsAre(3, 4), ElementsAre(5, 6)));
  EXPECT_THAT(sets(rows_of({text_column(fixed_lists({true, true, true}, 2, child).slice(1, 2))})),
              ElementsAre(ElementsAre(3, 4), ElementsAre(5, 6)));
  // The child is a slice of its own: lists number the cells that it shows.
  EXPECT_THAT(sets(rows_of({text_column(lists({1, 2}, child.slice(2, 4)))})),
              ElementsAre(ElementsAre(3), ElementsAre(4, 5)));
  EXPECT_THAT(sets(rows_of({text_column(lists({1, 2, 1}, child).slice(1, 2))})),
              ElementsAre(ElementsAre(2, 3), ElementsAre(4)));
}

TEST(ArrowSets, TakeNegativeIntegersAsTheFormatSetsDoes) {
  EXPECT_THAT(sets(rows_of({text_column(lists({2}, values<std::int32_t>({-1, 5}, "i")))})),
              ElementsAre(ElementsAre(UINT64_MAX, 5)));
  EXPECT_EQ(read_one("a.sets", "-1 5\n").tokens, (std::vector<std::uint64_t>{UINT64_MAX, 5}));
}

TEST(ArrowSets, WithNullsAreBad) {
  const Column child = values<std::int64_t>({1, std::nullopt}, "l");
  EXPECT_THAT(texts_of(rows_of({text_column(lists({1, 1, std::nullopt}, child))})),
              ElementsAre("", "BAD: \"text\" has a null in it, expected integers",
                          "BAD: \"text\" is null, expected an array of integers"));
}

TEST(ArrowTextParts, AreJoinedWithANewlineAndNullIsNone) {
  const Column parts = strings({"a", "b", std::nullopt, "c"}, "U");
  EXPECT_THAT(texts_of(rows_of({text_column(lists({2, 0, 2, std::nullopt}, parts))})),
              ElementsAre("a\nb", "", "c", "BAD: \"text\" is null, expected a string"));
  EXPECT_THAT(texts_of(rows_of({text_column(lists({0, 0}, nulls(0)))})), ElementsAre("", ""));
}

// Chat messages of JSON, and the same ones as columns.
TEST(ArrowTextParts, OfMessagesAreWhatTheJsonReaderMakesOfThem) {
  const std::string json = R"({"text":[{"role":"system","content":"Be brief."},{"role":"user","content":"Hi"}]})"
                           "\n"
                           R"({"text":[{"role":"tool","content":null},null,{"role":"user","content":""}]})"
                           "\n"
                           R"({"text":[]})"
                           "\n"
                           R"({"text":null})"
                           "\n";
  const Column messages =
      structs({true, true, true, std::nullopt, true},
              {strings({"system", "user", "tool", std::nullopt, "user"}).named("role"),
               string_views({"Be brief.", "Hi", std::nullopt, "not said: null", ""}).named("content")});
  const auto rows = rows_of({text_column(lists({2, 3, 0, std::nullopt}, messages))});
  EXPECT_EQ(texts_of(rows), texts(read_bytes("a.jsonl", json)));
  EXPECT_EQ(rows[0].text, "Be brief.\nHi");
}

TEST(ArrowTextParts, OfMessagesWhoseContentIsAListOfParts) {
  const std::string json =
      R"({"text":[{"content":[{"type":"text","text":"look:"},{"type":"image"},{"type":"text","text":"nice"}]}]})";
  const Column inner = structs({true, true, true}, {strings({"text", "image", "text"}).named("type"),
                                                    strings({"look:", std::nullopt, "nice"}).named("text")});
  const Column message = structs({true}, {lists({3}, inner).named("content")});
  const auto rows = rows_of({text_column(lists({1}, message))});
  EXPECT_EQ(rows[0].text, "look:\nnice");
  EXPECT_EQ(texts_of(rows), texts(read_bytes("a.jsonl", json)));
}

TEST(ArrowPaths, ReachIntoStructuresAndNullsOfStructuresCount) {
  const Column page = structs({true, std::nullopt, true}, {strings({"a", "b", std::nullopt}).named("body"),
                                                           values<std::int64_t>({1, 2, 3}, "l").named("rank")})
                          .named("page");
  const Column whole = table({page});
  const auto rows = rows_of({whole}, {.text = {{"page.body"}}, .id = "page.rank"}, {"page.rank", "page.none"});
  EXPECT_THAT(texts_of(rows), ElementsAre("a", "BAD: \"page.body\" is null, expected a string",
                                          "BAD: \"page.body\" is null, expected a string"));
  EXPECT_EQ(rows[0].key, "1");
  EXPECT_THAT(rows[0].fields, ElementsAre("1", std::nullopt));
  // Structures and their members may each be slices.
  Column shifted = page.slice(1, 2);
  shifted.children[0] = strings({"zero", "one", "two", "three"}).slice(1, 3).named("body");
  EXPECT_THAT(texts_of(rows_of({table({shifted})}, {.text = {{"page.body"}}})),
              ElementsAre("BAD: \"page.body\" is null, expected a string", "three"));
}

TEST(ArrowPaths, PreferAColumnOfThatVeryName) {
  const Column page = structs({true}, {strings({"inner"}).named("body")}).named("page");
  EXPECT_THAT(texts_of(rows_of({table({page, strings({"outer"}).named("page.body")})}, {.text = {{"page.body"}}})),
              ElementsAre("outer"));
}

TEST(ArrowRuns, ShowTheValueOfTheirRun) {
  const Column ends = values<std::int32_t>({2, 3, 6}, "i");
  const Column words = strings({"a", std::nullopt, "b"});
  const Column column = runs(6, ends, words);
  const std::string null = "BAD: \"text\" is null, expected a string";
  EXPECT_THAT(texts_of(rows_of({text_column(column)})), ElementsAre("a", "a", null, "b", "b", "b"));
  EXPECT_THAT(texts_of(rows_of({text_column(column.slice(1, 3))})), ElementsAre("a", null, "b"));
  EXPECT_THAT(field_texts(runs(3, values<std::int16_t>({1, 3}, "s"), values<double>({0.5, 2}, "g"))),
              ElementsAre("0.5", "2.0", "2.0"));
}

}  // namespace
}  // namespace neardup::test
