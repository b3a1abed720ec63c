// Streams and arrays that lie, fail or stop halfway. All of this also runs under the address sanitizer.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "base/random.h"
#include "neardup/collection.h"
#include "support.h"

namespace neardup::test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::vector<std::string> kNoFields;

// What both kinds of sources say of a script, "" when all of it can be read. Everything is released in any case.
std::string failure_of(ErrorCode code, const Script& script, const ArrowColumns& columns = {}) {
  const Alive alive = count_alive();
  std::vector<std::string> said;
  const auto attempt = [&](const auto& read) {
    try {
      read();
      said.emplace_back();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), code) << error.what();
      said.emplace_back(error.what());
    }
    EXPECT_EQ(*alive, 0) << "released";
  };
  attempt([&] {
    const auto factory = [&](std::span<const std::string>) { return export_script(script, alive); };
    read_rows(*arrow_documents(factory, columns));
  });
  for (const std::size_t memory : {0u, 4u}) {
    attempt([&] {
      read_rows(*arrow_documents(export_script(script, alive), columns, kNoFields, {.memory_bytes = memory}));
    });
  }
  EXPECT_EQ(said[1], said[0]);
  EXPECT_EQ(said[2], said[0]);
  return said[0];
}

std::string damage_of(const Column& rows, const ArrowColumns& columns = {}) {
  return failure_of(ErrorCode::input, {.schema = rows, .batches = {rows}}, columns);
}
std::string refusal_of(const Column& rows, const ArrowColumns& columns = {}) {
  return failure_of(ErrorCode::usage, {.schema = rows, .batches = {rows}}, columns);
}

Column changed(Column column, const std::function<void(Column&)>& change) {
  change(column);
  return column;
}

template <class T>
std::string raw(std::initializer_list<T> numbers) {
  std::string bytes;
  for (const T number : numbers) append_value(bytes, number);
  return bytes;
}

TEST(ArrowStream, ThatFailsSaysWhatItsProducerSays) {
  const Column rows = table({strings({"a"})});
  EXPECT_EQ(failure_of(ErrorCode::input, {.schema = rows, .batches = {rows, rows}, .failure = "row group 7 is torn"}),
            "the Arrow stream failed: row group 7 is torn");
  EXPECT_THAT(failure_of(ErrorCode::input, {.schema = rows, .failure = ""}), HasSubstr("Input/output error"));
  EXPECT_THAT(failure_of(ErrorCode::input, {.schema = rows, .failure = "no \xFF schema", .fails_at_schema = true}),
              HasSubstr("no \uFFFD schema"));
}

TEST(ArrowStream, MayBeEmpty) {
  const Column rows = table({strings({})});
  EXPECT_EQ(failure_of(ErrorCode::input, {.schema = rows}), "");
  EXPECT_EQ(failure_of(ErrorCode::input, {.schema = rows, .batches = {rows}}), "");
  // Without rows there need not be any buffers.
  Column bare = table({Column{.name = "text", .format = "u", .buffers = {std::nullopt, std::nullopt, std::nullopt}}});
  EXPECT_EQ(failure_of(ErrorCode::input, {.schema = rows, .batches = {bare}}), "");
}

TEST(ArrowStream, ThatWasReleasedIsRefused) {
  EXPECT_THAT(error_of(ErrorCode::input, [] { (void)arrow_documents(ArrowArrayStream{}, {}, kNoFields, {}); }),
              HasSubstr("released already"));
  EXPECT_THAT(error_of(ErrorCode::input, [] { (void)arrow_documents([](auto) { return ArrowArrayStream{}; }); }),
              HasSubstr("released already"));
}

TEST(ArrowStream, IsTakenOverAndReleasedOnce) {
  const Alive alive = count_alive();
  ArrowArrayStream stream = stream_of({table({strings({"a"})})}, alive);
  const auto source = arrow_documents(std::move(stream), {}, kNoFields, {});
  EXPECT_EQ(stream.release, nullptr);  // NOLINT: what is left of it says so
  EXPECT_EQ(*alive, 2) << "the one array that is held, and its column";
}

TEST(ArrowStream, OfAnotherSchemaThanBeforeIsAnError) {
  const Column before = table({strings({"a"}), strings({"b"}).named("rank")});
  const auto second = [&](const Column& rows) {
    int readings = 0;
    const auto source =
        arrow_documents([&](std::span<const std::string>) { return stream_of({readings++ == 0 ? before : rows}); });
    return error_of(ErrorCode::input, [&] { read_rows(*source, {"rank"}); });
  };
  EXPECT_THAT(second(table({strings({"a"}).named("x"), strings({"b"}).named("rank")})),
              AllOf(HasSubstr("not the same as before"), HasSubstr("no column \"text\"")));
  EXPECT_THAT(second(table({strings({"a"})})), HasSubstr("not the same as before"));
}

TEST(ArrowStream, PassesOnWhatItsFactoryThrows) {
  const auto source = arrow_documents([](std::span<const std::string> columns) {
    if (!columns.empty()) throw Error(ErrorCode::interrupted, "enough");
    return stream_of({table({strings({"a"})})});
  });
  EXPECT_EQ(error_of(ErrorCode::interrupted, [&] { read_rows(*source); }), "enough");
  EXPECT_THAT(
      error_of(ErrorCode::internal,
               [] { (void)arrow_documents([](auto) -> ArrowArrayStream { throw std::runtime_error("odd"); }); }),
      HasSubstr("odd"));
}

TEST(ArrowStream, IsAskedOnlyForTheColumnsThatAreLookedAt) {
  const Column rows = table({strings({"a"}), strings({"1"}).named("id"), strings({"2"}).named("other"),
                             structs({true}, {strings({"x"}).named("y")}).named("s")});
  std::vector<std::vector<std::string>> asked;
  const auto source = arrow_documents([&](std::span<const std::string> columns) {
    asked.emplace_back(columns.begin(), columns.end());
    return stream_of({only(rows, columns)});
  });
  EXPECT_EQ(read_rows(*source, {"s.y", "none"})[0].fields[0], "x");
  EXPECT_THAT(asked, ElementsAre(ElementsAre(), ElementsAre("text", "id", "s")));
}

TEST(ArrowSchema, ThatIsNotAStructureIsRefused) {
  EXPECT_THAT(damage_of(strings({"a"})), HasSubstr("the Arrow stream holds utf8, expected a struct"));
}

TEST(ArrowSchema, WithoutTheColumnNamesTheNearestOne) {
  EXPECT_EQ(refusal_of(table({strings({"a"}).named("txet"), strings({"b"}).named("x")})),
            "no column \"text\"; it has: txet, x; did you mean txet?");
  EXPECT_EQ(refusal_of(table({strings({"a"}).named("x"), strings({"b"}).named("raw_content")})),
            "no column \"text\"; it has: x, raw_content; did you mean `text_fields=raw_content`?");
  EXPECT_EQ(refusal_of(table({strings({"a"})}), {.id = "key"}), "no column \"key\"; it has: text");
  EXPECT_EQ(refusal_of(table({})), "no column \"text\"; it has: nothing");
  EXPECT_EQ(
      refusal_of(table({structs({true}, {strings({"a"}).named("body")}).named("page")}), {.text = {{"page.bodi"}}}),
      "no column \"page.bodi\"; \"page\" has: body; did you mean page.body?");
  EXPECT_EQ(refusal_of(table({strings({"a"})}), {.text = {std::vector<std::string>{}}}),
            "no column is named as the text");
}

TEST(ArrowSchema, WithTwoColumnsOfAName) {
  EXPECT_EQ(refusal_of(table({strings({"a"}), strings({"b"})})), "two columns are called \"text\"");
  EXPECT_EQ(refusal_of(table({strings({"a"}), strings({"b"}).named("x"), strings({"b"}).named("x")})), "");
}

TEST(ArrowSchema, OfTypesThatAreNotReadIsRefused) {
  const Column number = values<std::int64_t>({1}, "l");
  EXPECT_EQ(refusal_of(table({number.named("text")})), "column \"text\" holds int64, expected strings");
  EXPECT_EQ(refusal_of(table({structs({true}, {number}).named("text"), number})),
            "column \"text\" holds struct, expected strings");
  EXPECT_EQ(refusal_of(table({lists({1}, values<double>({1}, "g")).named("text")})),
            "column \"text\" holds list<float64>, expected strings");
  EXPECT_EQ(refusal_of(table({lists({1}, structs({true}, {strings({"a"}).named("value")})).named("text")})),
            "column \"text\" holds list<struct>, expected strings");
  EXPECT_EQ(refusal_of(table({lists({1}, number).named("a"), strings({"b"}).named("b")}), {.text = {{"a", "b"}}}),
            "column \"a\" holds list<int64>, expected strings: only a single column can be sets of integers");
  EXPECT_EQ(refusal_of(table({strings({"a"}), booleans({true}).named("id")})),
            "column \"id\" holds bool, expected strings or numbers");
  EXPECT_EQ(refusal_of(table({Column{.name = "text", .format = "+ud:0,1", .length = 1}})),
            "column \"text\" holds the type \"+ud:0,1\", expected strings");
}

TEST(ArrowSchema, ThatIsDamagedIsAnErrorAndNothingWorse) {
  for (const char* format : {"d:9", "d:9,x", "d:9,2,77", "d:9,9999999", "w:", "w:-1", "w:99999999999", "+w:x", ""}) {
    const Column odd = Column{.name = "text", .format = format, .length = 1, .buffers = {std::nullopt, "abcdefgh"}};
    EXPECT_NE(failure_of(*format == '\0' ? ErrorCode::usage : ErrorCode::input, {.schema = table({odd})}), "")
        << format;
  }
  for (const char* format : {"+l", "+w:2", "+r"}) {
    const Column odd = Column{.name = "text", .format = format, .length = 1};
    EXPECT_THAT(damage_of(table({odd})), HasSubstr("with 0 children")) << format;
  }
  EXPECT_THAT(damage_of(table({dictionary_of(strings({"a"}), strings({"a"}))})), HasSubstr("dictionary indexes"));
  EXPECT_THAT(damage_of(table({runs(1, strings({"a"}), strings({"a"})).named("text")})), HasSubstr("run ends"));
}

TEST(ArrowSchema, OfGreatDepthIsNotFollowed) {
  Column deep = strings({"a"});
  for (int i = 0; i < 200; ++i) deep = lists({1}, deep.named("item"));
  EXPECT_THAT(refusal_of(table({deep.named("text")})), HasSubstr("too deeply nested data"));
  EXPECT_EQ(refusal_of(table({strings({"a"}), deep.named("other")})), "") << "a column nobody reads";
}

TEST(ArrowArray, ThatDoesNotFitItsTypeIsAnError) {
  const Column text = strings({"a", "b"});
  const auto said = [](const Column& column, const std::function<void(Column&)>& change) {
    return damage_of(table({changed(column.named("text"), change)}));
  };
  EXPECT_THAT(said(text, [](Column& c) { c.length = -1; }), HasSubstr("length -1"));
  EXPECT_THAT(said(text, [](Column& c) { c.offset = -1; }), HasSubstr("offset -1"));
  EXPECT_THAT(said(text, [](Column& c) { c.offset = INT64_MAX; }), HasSubstr("offset"));
  EXPECT_THAT(said(text, [](Column& c) { c.buffers.pop_back(); }), HasSubstr("2 buffers, expected 3"));
  EXPECT_THAT(said(text, [](Column& c) { c.buffers.clear(); }), HasSubstr("0 buffers, expected 3"));
  EXPECT_THAT(said(text, [](Column& c) { c.buffers[1].reset(); }), HasSubstr("a buffer is missing"));
  EXPECT_THAT(said(text, [](Column& c) { c.buffers[2].reset(); }), HasSubstr("bytes of its strings are missing"));
  EXPECT_THAT(said(text,
                   [](Column& c) {
                     c.buffers[1] = raw<std::int32_t>({-1, 0, 2});
                   }),
              HasSubstr("offsets from -1"));
  EXPECT_THAT(said(text,
                   [](Column& c) {
                     c.buffers[1] = raw<std::int32_t>({2, 1, 0});
                   }),
              HasSubstr("offsets from 2 to 0"));
  const Column view = string_views({"a string of more than twelve bytes"});
  EXPECT_THAT(said(view, [](Column& c) { c.buffers.back().reset(); }), HasSubstr("sizes of its buffers are missing"));
  const Column list = lists({2}, values<std::int64_t>({1, 2}, "l"));
  EXPECT_THAT(said(list,
                   [](Column& c) {
                     c.buffers[1] = raw<std::int32_t>({0, 3});
                   }),
              HasSubstr("offsets from 0 to 3"));
  EXPECT_THAT(said(list, [](Column& c) { c.buffers[1].reset(); }), HasSubstr("a buffer is missing"));
  EXPECT_THAT(said(fixed_lists({true, true}, 2, values<std::int64_t>({1, 2, 3}, "l")), [](Column&) {}),
              HasSubstr("a child of length 3, expected 4"));
  EXPECT_THAT(said(list_views({{{0, 1}}}, values<std::int64_t>({1}, "l")), [](Column& c) { c.buffers[2].reset(); }),
              HasSubstr("sizes of its lists are missing"));
}

// The schema of the stream, and an array that has fewer children, rows or dictionaries than it says.
TEST(ArrowArray, ThatDoesNotFitItsSchemaIsAnError) {
  const Column whole = table({strings({"a"}), strings({"1"}).named("id")});
  const auto said = [&](const Column& schema, const Column& rows) {
    return failure_of(ErrorCode::input, {.schema = schema, .batches = {rows}});
  };
  EXPECT_THAT(said(whole, table({strings({"a"})})), HasSubstr("column \"id\" is not valid: 1 children"));
  EXPECT_THAT(said(whole, changed(whole, [](Column& c) { c.length = 5; })),
              HasSubstr("a child of length 1, expected 5"));
  EXPECT_THAT(said(whole, changed(whole, [](Column& c) { c.offset = 1; })),
              HasSubstr("a child of length 1, expected 2"));
  EXPECT_THAT(said(whole, changed(whole, [](Column& c) { c.length = -4; })), HasSubstr("length -4"));
  const Column coded = table({dictionary_of(values<std::int8_t>({0}, "c").named("text"), strings({"a"}))});
  EXPECT_THAT(said(coded, changed(coded, [](Column& c) { c.children[0].dictionary.clear(); })),
              HasSubstr("its dictionary is missing"));
}

TEST(ArrowArray, WithACellThatLeadsNowhereHasABadRow) {
  const std::string bad = "BAD: \"text\" is damaged: an offset or index leads nowhere";
  const auto seen = [](const Column& column) { return texts_of(rows_of({table({column.named("text")})})); };
  // Offsets that go back in between.
  const auto backwards = [](Column& c) { c.buffers[1] = raw<std::int32_t>({0, 2, 1, 3}); };
  EXPECT_THAT(seen(changed(strings({"a", "b", "c"}), backwards)), ElementsAre("ab", bad, "bc"));
  const auto beyond = [](Column& c) { c.buffers[1] = raw<std::int32_t>({0, 1'000'000, -7, 3}); };
  EXPECT_THAT(seen(changed(strings({"a", "b", "c"}), beyond)), ElementsAre(bad, bad, bad));
  // Indexes beside the dictionary.
  EXPECT_THAT(seen(dictionary_of(values<std::int8_t>({0, 1, -1, 127}, "c"), strings({"a"}))),
              ElementsAre("a", bad, bad, bad));
  EXPECT_THAT(seen(dictionary_of(values<std::uint64_t>({UINT64_MAX, 0}, "L"), strings({"a"}))), ElementsAre(bad, "a"));
  // Views: a negative size, a buffer that is not there, beyond its end.
  const std::string inside = raw<std::int32_t>({20, 0, 0, 3});
  for (const std::string& view :
       {raw<std::int32_t>({-1, 0, 0, 0}), raw<std::int32_t>({20, 0, 1, 0}), raw<std::int32_t>({20, 0, -1, 0}),
        raw<std::int32_t>({20, 0, 0, -1}), raw<std::int32_t>({20, 0, 0, 4}), raw<std::int32_t>({INT32_MAX, 0, 0, 3})}) {
    const auto lie = [&](Column& c) { c.buffers[1] = inside + view; };
    const std::string twenty(20, 'x');
    EXPECT_THAT(seen(changed(string_views({twenty, "b"}), lie)), ElementsAre(twenty, bad));
  }
  // Lists.
  const Column numbers = values<std::int64_t>({1, 2, 3}, "l");
  const auto list_back = [](Column& c) { c.buffers[1] = raw<std::int32_t>({0, 2, 1, 3}); };
  EXPECT_THAT(seen(changed(lists({1, 1, 1}, numbers), list_back)), ElementsAre("", bad, ""));
  EXPECT_THAT(seen(list_views({{{0, 3}}, {{1, 3}}, {{-1, 1}}, {{3, 0}}, {{4, 0}}, {{0, -1}}}, numbers)),
              ElementsAre("", bad, bad, "", bad, bad));
  // Runs that end before the rows do.
  EXPECT_THAT(seen(runs(3, values<std::int16_t>({1}, "s"), strings({"a"}))), ElementsAre("a", bad, bad));
}

TEST(ArrowArray, WithADamagedIdHasABadRowAndWithADamagedFieldNone) {
  const Column lost = dictionary_of(values<std::int8_t>({5}, "c"), strings({"a"}));
  const auto rows = rows_of({table({strings({"t"}), lost.named("f")})}, {}, {"f"});
  EXPECT_EQ(rows[0].fields[0], std::nullopt);
  EXPECT_EQ(rows_of({table({strings({"t"}), lost.named("id")})})[0].problem,
            "\"id\" is damaged: an offset or index leads nowhere");
}

// Every list shows all cells of the next level: 50 bytes a level that claim 1000 to the power of the depth.
TEST(ArrowArray, OfListsThatShowTheSameCellsAgainAndAgainEnds) {
  Column inner = strings(Strings(1000));
  for (int level = 0; level < 8; ++level) {
    const std::vector<std::optional<std::pair<int, int>>> all(1000, std::pair{0, 1000});
    inner =
        structs(std::vector<std::optional<bool>>(1000, true), {list_views(all, inner.named("item")).named("content")});
  }
  const Column text = lists({1000}, inner).named("text");
  const auto source = arrow_documents(factory_of({table({text})}));
  EXPECT_EQ(read_rows(*source)[0].problem, "\"text\" is too long: more than 2 GiB or 4,194,304 parts");
}

// Bytes of valid arrays, changed at random: whatever they claim, nothing is read beside the buffers. A changed last
// offset of strings cannot be noticed, so that those stay as they are.
TEST(ArrowArray, WithRandomBytesCrashesNothing) {
  base::Random random(11);
  const Column word = strings({"some", "words", std::nullopt, "to be read"});
  const std::vector<Column> columns{
      string_views({"a", "a string of more than twelve bytes", std::nullopt, "another string of many bytes"}),
      dictionary_of(values<std::int16_t>({0, 1, 2, 3}, "s"), word),
      list_views({{{0, 1}}, {{1, 2}}, std::nullopt, {{0, 4}}}, word),
      lists({1, 1, 0, 2}, values<std::int32_t>({1, 2, 3, 4}, "i")),
      runs(4, values<std::int32_t>({1, 3, 4}, "i"), word)};
  for (int round = 0; round < 3000; ++round) {
    Column column = columns[random.below(columns.size())];
    Column& target = column.buffers.size() < 2 ? column.children[0] : column;
    std::string& chosen = *target.buffers[1];
    for (int change = 0; change < 3; ++change)
      chosen[random.below(chosen.size())] = static_cast<char>(random.below(256));
    const Column rows = table({column.named("text")});
    try {
      EXPECT_EQ(read_rows(*arrow_documents(factory_of({rows}))).size(), 4u);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::input) << error.what();
    }
  }
}

}  // namespace
}  // namespace neardup::test
