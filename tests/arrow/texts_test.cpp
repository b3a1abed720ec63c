// Texts and ids of every layout.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support.h"

namespace neardup::test {
namespace {

using ::testing::ElementsAre;

const Strings kCells{"first", std::nullopt, "", "a string of more than twelve bytes",
                     "another one of more than twelve"};
const std::string kNull = "BAD: \"text\" is null, expected a string";

TEST(ArrowTexts, AreReadFromEveryLayoutOfStrings) {
  for (const Column& text : {strings(kCells, "u"), strings(kCells, "U"), strings(kCells, "z"), strings(kCells, "Z"),
                             string_views(kCells, "vu"), string_views(kCells, "vz")}) {
    EXPECT_THAT(texts_of(rows_of({table({text})})), ElementsAre("first", kNull, "", *kCells[3], *kCells[4]))
        << text.format;
  }
}

TEST(ArrowTexts, OfSlicesBeginWhereTheSliceDoes) {
  for (const Column& text : {strings(kCells, "u"), strings(kCells, "U"), string_views(kCells)}) {
    EXPECT_THAT(texts_of(rows_of({table({text.slice(1, 3)})})), ElementsAre(kNull, "", *kCells[3]));
    // A slice of the table shifts what its columns show, and both shifts add up.
    Column rows = table({text.slice(1, 4)});
    rows = rows.slice(2, 2);
    EXPECT_THAT(texts_of(rows_of({rows})), ElementsAre(*kCells[3], *kCells[4]));
  }
}

TEST(ArrowTexts, OfDictionariesAreWhatTheirIndexesNumber) {
  const Column words = strings({"zero", "one", std::nullopt, "a word of more than twelve bytes"}, "U");
  const auto expected = ElementsAre("one", "one", "BAD: \"text\" is null, expected a string", "zero",
                                    "BAD: \"text\" is null, expected a string", "a word of more than twelve bytes");
  const auto check = [&](const auto zero, const std::string& format) {
    using T = decltype(zero);
    const Column indexes = values<T>({T{1}, T{1}, T{2}, T{0}, std::nullopt, T{3}}, format).named("text");
    EXPECT_THAT(texts_of(rows_of({table({dictionary_of(indexes, words)})})), expected) << format;
    EXPECT_EQ(texts_of(rows_of({table({dictionary_of(indexes, words).slice(3, 1)})}))[0], "zero") << format;
  };
  check(std::int8_t{}, "c");
  check(std::uint8_t{}, "C");
  check(std::int16_t{}, "s");
  check(std::uint16_t{}, "S");
  check(std::int32_t{}, "i");
  check(std::uint32_t{}, "I");
  check(std::int64_t{}, "l");
  check(std::uint64_t{}, "L");
}

TEST(ArrowTexts, OfSeveralColumnsAreJoinedAndOneThatIsNullMakesTheRowBad) {
  const Column title = strings({"T", "U", std::nullopt}, "U").named("title");
  const Column body = string_views({"body", std::nullopt, "x"}).named("body");
  EXPECT_THAT(
      texts_of(rows_of({table({body, title})}, {.text = {{"title", "body"}}})),
      ElementsAre("T\nbody", "BAD: \"body\" is null, expected a string", "BAD: \"title\" is null, expected a string"));
}

TEST(ArrowTexts, OfAStreamWithOneColumnNeedNoName) {
  EXPECT_THAT(texts_of(rows_of({table({strings({"a", "b"}).named("content")})})), ElementsAre("a", "b"));
}

TEST(ArrowTexts, ComeInAsManyArraysAsTheStreamHas) {
  const auto rows = rows_of({table({strings({"a", "b"})}), table({strings({})}), table({strings({"c"})})});
  EXPECT_THAT(texts_of(rows), ElementsAre("a", "b", "c"));
}

TEST(ArrowIds, AreStringsOrNumbersAndMayBeMissing) {
  const Column text = strings({"a", "b", "c"});
  EXPECT_THAT(keys_of(rows_of({table({text, strings({"x", std::nullopt, ""}).named("id")})})),
              ElementsAre("x", "", ""));
  EXPECT_THAT(keys_of(rows_of({table({text, values<std::int64_t>({-5, std::nullopt, INT64_MIN}, "l").named("id")})})),
              ElementsAre("-5", "", "-9223372036854775808"));
  EXPECT_THAT(keys_of(rows_of({table({text, values<std::uint64_t>({0, 7, UINT64_MAX}, "L").named("id")})})),
              ElementsAre("0", "7", "18446744073709551615"));
}

TEST(ArrowIds, ThatWereAskedForMustBeThere) {
  const Column text = strings({"a", "b", "c"}), id = strings({"x", std::nullopt, ""}).named("key");
  EXPECT_THAT(keys_of(rows_of({table({text, id})}, {.id = "key"})),
              ElementsAre("x", "BAD: \"key\" is null, expected a string or a number", "BAD: \"key\" is empty"));
}

}  // namespace
}  // namespace neardup::test
