#include "base/tsv.h"

#include <gtest/gtest.h>

#include <string>

namespace neardup::base {
namespace {

TEST(Tsv, EscapesWhatWouldEndAColumnOrALine) {
  EXPECT_EQ(escape_tsv("a\tb\nc\\d"), "a\\tb\\nc\\\\d");
  EXPECT_EQ(unescape_tsv("a\\tb\\nc\\\\d"), "a\tb\nc\\d");
}

TEST(Tsv, TakesALoneBackslashAtTheEndAsItStands) { EXPECT_EQ(unescape_tsv("a\\"), "a\\"); }

TEST(Tsv, TakesColumnsOffALineUntilNothingIsLeft) {
  std::string_view line = "a\t\tb";
  EXPECT_EQ(take_column(line), "a");
  EXPECT_EQ(take_column(line), "");
  EXPECT_EQ(take_column(line), "b");
  EXPECT_EQ(line, "");
  EXPECT_EQ(take_column(line), "");
}

TEST(Tsv, QuotesOnlyTheBeginningOfALongColumn) {
  EXPECT_EQ(quoted_column("abc"), "\"abc\"");
  EXPECT_EQ(quoted_column(""), "\"\"");
  EXPECT_EQ(quoted_column(std::string(1000, 'x')), '"' + std::string(60, 'x') + "...\"");
  EXPECT_EQ(quoted_column(std::string(59, 'x') + "\xC3\xA9y"), '"' + std::string(59, 'x') + "...\"");
}

TEST(Tsv, ReadsNumbersThatAreFiniteAndNothingElse) {
  EXPECT_EQ(parse_number("-1.5e2"), -150.0);
  for (const char* text : {"", "1x", " 1", "nan", "inf", "1e999", "+1"}) EXPECT_FALSE(parse_number(text)) << text;
}

TEST(Tsv, ReadsWholeNumbersOfDigitsOnly) {
  EXPECT_EQ(parse_whole("0042"), 42u);
  EXPECT_EQ(parse_whole("18446744073709551615"), ~std::uint64_t{0});
  for (const char* text : {"", "-1", "+1", "1.0", "1 ", "18446744073709551616"})
    EXPECT_FALSE(parse_whole(text)) << text;
}

}  // namespace
}  // namespace neardup::base
