// Fields for keep rules: every type as the text that JSON has for the same value.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <limits>

#include "base/random.h"
#include "cluster/keep_rules.h"
#include "support.h"

namespace neardup::test {
namespace {

using ::testing::ElementsAre;

TEST(ArrowFields, AreAbsentWhereTheyAreNull) {
  EXPECT_THAT(field_texts(strings({"a", std::nullopt, ""})), ElementsAre("a", "-", ""));
  EXPECT_THAT(field_texts(nulls(2)), ElementsAre("-", "-"));
}

TEST(ArrowFields, AreWrittenAsJsonHasThem) {
  EXPECT_THAT(field_texts(booleans({true, false, std::nullopt})), ElementsAre("true", "false", "-"));
  EXPECT_THAT(field_texts(values<std::int8_t>({-128, 127}, "c")), ElementsAre("-128", "127"));
  EXPECT_THAT(field_texts(values<std::uint8_t>({255}, "C")), ElementsAre("255"));
  EXPECT_THAT(field_texts(values<std::int16_t>({-3}, "s")), ElementsAre("-3"));
  EXPECT_THAT(field_texts(values<std::uint16_t>({65535}, "S")), ElementsAre("65535"));
  EXPECT_THAT(field_texts(values<std::int32_t>({-1}, "i")), ElementsAre("-1"));
  EXPECT_THAT(field_texts(values<std::uint32_t>({4'294'967'295u}, "I")), ElementsAre("4294967295"));
  EXPECT_THAT(field_texts(values<std::int64_t>({INT64_MIN, INT64_MAX}, "l")),
              ElementsAre("-9223372036854775808", "9223372036854775807"));
  EXPECT_THAT(field_texts(values<std::uint64_t>({UINT64_MAX}, "L")), ElementsAre("18446744073709551615"));
  EXPECT_THAT(field_texts(dictionary_of(values<std::int8_t>({1, 0, std::nullopt}, "c"), strings({"en", "de"}))),
              ElementsAre("de", "en", "-"));
  EXPECT_THAT(field_texts(fixed({"abc", std::nullopt}, "w:3", 3)), ElementsAre("abc", "-"));
}

TEST(ArrowFields, ThatAreFloatsHaveTheShortestFormAndNoNan) {
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_THAT(field_texts(values<double>({0.1, 1.0, -2.5, 1e16, 1e-5, 123456789.0, NAN, inf, -0.0}, "g")),
              ElementsAre("0.1", "1.0", "-2.5", "1e+16", "1e-05", "123456789.0", "-", "-", "-0.0"));
  EXPECT_THAT(field_texts(values<float>({0.1f, 3.0f}, "f")), ElementsAre("0.1", "3.0"));
  // 1.5, -2, the smallest one of all, infinity, not a number
  EXPECT_THAT(field_texts(values<std::uint16_t>({0x3E00, 0xC000, 0x0001, 0x7C00, 0x7E00}, "e")),
              ElementsAre("1.5", "-2.0", "5.9604645e-08", "-", "-"));
}

std::string little_endian(__int128 value, std::size_t width) {
  std::string bytes;
  for (std::size_t i = 0; i < width; ++i) bytes += static_cast<char>(i < 16 ? value >> (8 * i) : value < 0 ? -1 : 0);
  return bytes;
}

TEST(ArrowFields, ThatAreDecimalsHaveAllTheirDigits) {
  for (const std::size_t width : {4u, 8u, 16u, 32u}) {
    const std::string bits = "," + std::to_string(8 * width);
    const auto cells = [&] {
      Strings all;
      for (const int value : {12345, -5, 0, -2'000'000'000}) all.emplace_back(little_endian(value, width));
      return all;
    }();
    EXPECT_THAT(field_texts(fixed(cells, "d:9,2" + bits, width)),
                ElementsAre("123.45", "-0.05", "0.00", "-20000000.00"));
    EXPECT_THAT(field_texts(fixed(cells, "d:9,0" + bits, width)), ElementsAre("12345", "-5", "0", "-2000000000"));
    EXPECT_THAT(field_texts(fixed(cells, "d:9,-2" + bits, width)),
                ElementsAre("1234500", "-500", "0", "-200000000000"));
  }
  EXPECT_THAT(field_texts(fixed({std::string(15, '\xFF') + '\x7F'}, "d:38,0", 16)),
              ElementsAre("170141183460469231731687303715884105727"));
  EXPECT_THAT(field_texts(fixed({std::string(31, '\0') + '\x80'}, "d:76,0,256", 32)),
              ElementsAre("-57896044618658097711785492504343953926634992332820282019728792003956564819968"));
}

TEST(ArrowFields, ThatAreDatesAndTimesReadAsRfc3339) {
  EXPECT_THAT(field_texts(values<std::int32_t>({0, -1, 20119, std::nullopt}, "tdD")),
              ElementsAre("1970-01-01", "1969-12-31", "2025-01-31", "-"));
  EXPECT_THAT(field_texts(values<std::int64_t>({1'738'281'600'000, -1}, "tdm")),
              ElementsAre("2025-01-31", "1969-12-31"));
  EXPECT_THAT(field_texts(values<std::int64_t>({1'738'317'600, -1}, "tss:")),
              ElementsAre("2025-01-31T10:00:00", "1969-12-31T23:59:59"));
  EXPECT_THAT(field_texts(values<std::int64_t>({1'738'317'600'000, 1'738'317'600'050}, "tsm:UTC")),
              ElementsAre("2025-01-31T10:00:00Z", "2025-01-31T10:00:00.050Z"));
  EXPECT_THAT(field_texts(values<std::int64_t>({1'738'317'600'000'001, -1}, "tsu:Europe/Berlin")),
              ElementsAre("2025-01-31T10:00:00.000001Z", "1969-12-31T23:59:59.999999Z"));
  EXPECT_THAT(field_texts(values<std::int64_t>({1'738'317'600'250'000'000}, "tsn:")),
              ElementsAre("2025-01-31T10:00:00.250000000"));
  EXPECT_THAT(field_texts(values<std::int32_t>({36'000, 90'000, -1}, "tts")), ElementsAre("10:00:00", "-", "-"));
  EXPECT_THAT(field_texts(values<std::int64_t>({36'000'000'001}, "ttu")), ElementsAre("10:00:00.000001"));
}

TEST(ArrowFields, ThatAreTimesOfAnySizeCrashNothing) {
  for (const std::string format : {"tss:", "tsm:", "tsu:Z", "tsn:", "tdm", "ttu", "ttn"}) {
    for (const std::int64_t value : {INT64_MIN, INT64_MIN + 1, INT64_MAX, std::int64_t{0}})
      EXPECT_EQ(field_texts(values<std::int64_t>({value}, format)).size(), 1u);
  }
  EXPECT_THAT(field_texts(values<std::int32_t>({INT32_MIN, INT32_MAX}, "tdD")),
              ElementsAre("-5877641-06-23", "5881580-07-11"));
}

// The calendar beside the standard library's, over the years it has in common with the keep rules.
TEST(ArrowFields, ThatAreDatesAgreeWithTheCalendar) {
  std::vector<std::optional<std::int32_t>> days;
  for (std::int32_t day = -719'000; day < 2'930'000; day += 997) days.emplace_back(day);
  const auto seen = field_texts(values<std::int32_t>(days, "tdD"));
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const std::chrono::year_month_day date{std::chrono::sys_days{std::chrono::days{*days[i]}}};
    ASSERT_EQ(seen[i],
              fmt::format("{:04}-{:02}-{:02}", int{date.year()}, unsigned{date.month()}, unsigned{date.day()}));
  }
}

TEST(ArrowFields, ThatAreTimestampsAreWhatTheRuleNewestReads) {
  base::Random random(7);
  std::vector<std::optional<std::int64_t>> seconds;
  for (int i = 0; i < 1000; ++i)
    seconds.emplace_back(static_cast<std::int64_t>(random.below(99'000'000'000)) - 9'000'000'000);
  const auto zoned = field_texts(values<std::int64_t>(seconds, "tss:UTC"));
  const auto local = field_texts(values<std::int64_t>(seconds, "tss:"));
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    const auto expected = cluster::encode_date(std::to_string(*seconds[i]));
    ASSERT_TRUE(expected);
    EXPECT_EQ(cluster::encode_date(zoned[i]), expected) << zoned[i];
    EXPECT_EQ(cluster::encode_date(local[i]), expected) << local[i];
  }
}

TEST(ArrowFields, ThatNoDocumentHasAreSaidBeforeAnythingIsRead) {
  const Column text = strings({"x"});
  const std::vector<Column> batches{table({text, values<std::int64_t>({1}, "l").named("rank"),
                                           lists({1}, values<std::int64_t>({1}, "l")).named("many"),
                                           structs({true}, {strings({"en"}).named("lang")}).named("meta")})};
  const auto source = arrow_documents(factory_of(batches));
  EXPECT_TRUE(source->may_have_field("rank"));
  EXPECT_TRUE(source->may_have_field("meta.lang"));
  for (const char* none : {"many", "meta", "meta.x", "rank.x", "x", ""})
    EXPECT_FALSE(source->may_have_field(none)) << none;
  const auto kept = arrow_documents(stream_of(batches), {}, std::vector<std::string>{"rank", "x"}, {});
  EXPECT_TRUE(kept->may_have_field("rank"));
  for (const char* none : {"meta.lang", "x"}) EXPECT_FALSE(kept->may_have_field(none)) << none;
}

TEST(ArrowFields, ComeInTheOrderOfTheReading) {
  const std::vector<Column> batches{
      table({strings({"x"}), strings({"1"}).named("a"), strings({"2"}).named("b"), strings({"3"}).named("c")})};
  const std::vector<std::string> known{"a", "b"}, asked{"b", "none", "a", "c"};
  using ::testing::Optional;
  EXPECT_THAT(read_rows(*arrow_documents(factory_of(batches)), asked)[0].fields,
              ElementsAre("2", std::nullopt, "1", "3"));
  for (const std::size_t memory : {0u, 4u}) {
    const auto kept = arrow_documents(stream_of(batches), {}, known, {.memory_bytes = memory});
    EXPECT_THAT(read_rows(*kept, asked)[0].fields, ElementsAre("2", std::nullopt, "1", std::nullopt)) << memory;
  }
}

}  // namespace
}  // namespace neardup::test
