#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <compare>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "cluster/keep_rules.h"

namespace neardup::cluster {
namespace {

TEST(EncodeNumber, KeepsTheOrderOfNumbers) {
  const std::vector<std::string> ascending{"-1.7976931348623157e308",
                                           "-1E+3",
                                           "-100",
                                           "-99.5",
                                           "-1",
                                           "-0.001",
                                           "-5e-324",
                                           "0",
                                           "5e-324",
                                           "1e-300",
                                           "0.0010",
                                           ".5",
                                           "1",
                                           "+2",
                                           "9",
                                           "10",
                                           "1e2",
                                           "1.7976931348623157e308"};
  for (std::size_t i = 1; i < ascending.size(); ++i)
    EXPECT_LT(encode_number(ascending[i - 1]).value(), encode_number(ascending[i]).value()) << ascending[i];
}

TEST(EncodeNumber, GivesEqualNumbersEqualValues) {
  EXPECT_EQ(encode_number("-0"), encode_number("0"));
  EXPECT_EQ(encode_number("-0.0e5"), encode_number("0"));
  EXPECT_EQ(encode_number("1e2"), encode_number("100.0"));
  EXPECT_EQ(encode_number(" 7 "), encode_number("7"));
  EXPECT_EQ(encode_number("007"), encode_number("7"));
}

TEST(EncodeNumber, ReadsNothingThatIsNotANumber) {
  for (const std::string text : {"",      " ",    "-",   "+",   ".",     "e5",     "1e",       "1e+",  "1,5",  "1 000",
                                 "1_000", "0x10", "nan", "NaN", "-nan",  "inf",    "Infinity", "-inf", "true", "null",
                                 "12px",  "--1",  "+-1", "-+1", "1e999", "-1e999", "1e-999",   "\"5\""})
    EXPECT_FALSE(encode_number(text)) << text;
  EXPECT_FALSE(encode_number(std::string_view{"1\0", 2}));
}

TEST(EncodeNumber, OrdersRandomDoublesAndNeverUsesTheEndsOfTheRange) {
  std::mt19937_64 random{19};
  const auto any = [&] {
    while (true) {
      const auto value = std::bit_cast<double>(random());
      if (std::isfinite(value)) return value;
    }
  };
  const auto encoded = [](double value) {
    char text[64];
    std::snprintf(text, sizeof text, "%.17g", value);
    return encode_number(text).value();
  };
  for (int round = 0; round < 20'000; ++round) {
    const double a = any(), b = any();
    ASSERT_EQ(a <=> b, std::partial_ordering(encoded(a) <=> encoded(b))) << a << " " << b;
    ASSERT_NE(encoded(a), 0u);
    ASSERT_NE(encoded(a), UINT64_MAX);
  }
}

TEST(EncodeNumber, LeavesRoomAtBothEndsForTheExtremes) {
  EXPECT_GT(encode_number("-1.7976931348623157e308").value(), 0u);
  EXPECT_LT(encode_number("1.7976931348623157e308").value(), UINT64_MAX);
}

TEST(EncodeDate, KeepsTheOrderOfMoments) {
  const std::vector<std::string> ascending{"0000-01-01T00:00:00+23:59",
                                           "0000-01-01",
                                           "1582-10-15",
                                           "1969-12-31T23:59:59Z",
                                           "1970-01-01",
                                           "2024-02-28T23:59:59.9999999Z",
                                           "2024-02-29",
                                           "2024-02-29T00:00:00.0000001Z",
                                           "2024-02-29T12:00:00+11:00",
                                           "2024-02-29T12:00:00Z",
                                           "2024-02-29T12:00:00-00:30",
                                           "2024-03-01T00:00:00Z",
                                           "9999-12-31",
                                           "9999-12-31T23:59:60-23:59"};
  for (std::size_t i = 1; i < ascending.size(); ++i) {
    const auto before = encode_date(ascending[i - 1]), after = encode_date(ascending[i]);
    ASSERT_TRUE(before && after) << ascending[i];
    EXPECT_LT(*before, *after) << ascending[i];
  }
  EXPECT_GT(encode_date(ascending.front()).value(), 0u);
  EXPECT_LT(encode_date(ascending.back()).value(), UINT64_MAX);
}

TEST(EncodeDate, GivesEqualMomentsEqualValues) {
  const std::vector<std::pair<std::string, std::string>> equal{
      {"2024-05-01", "2024-05-01T00:00:00Z"},
      {"2024-05-01T10:00:00Z", "2024-05-01t10:00:00z"},
      {"2024-05-01T10:00:00Z", "2024-05-01 10:00:00Z"},
      {"2024-05-01T10:00:00Z", "2024-05-01T12:30:00+02:30"},
      {"2024-05-01T10:00:00Z", "2024-04-30T22:00:00-12:00"},
      {"2024-05-01T10:00:00Z", "2024-05-01T10:00:00-00:00"},
      {"2024-05-01T10:00:00Z", "2024-05-01T10:00:00.000Z"},
      {"2024-05-01T10:00:00.1234567Z", "2024-05-01T10:00:00.123456789Z"},
      {"2016-12-31T23:59:60Z", "2017-01-01T00:00:00Z"},
      {"2024-12-31T23:30:00-01:00", "2025-01-01T00:30:00Z"},
      {" 2024-05-01 ", "2024-05-01"}};
  for (const auto& [a, b] : equal) {
    ASSERT_TRUE(encode_date(a)) << a;
    EXPECT_EQ(encode_date(a), encode_date(b)) << b;
  }
}

TEST(EncodeDate, CountsInHundredsOfNanoseconds) {
  EXPECT_EQ(encode_date("1970-01-01T00:00:01Z").value() - encode_date("1970-01-01").value(), 10'000'000u);
  EXPECT_EQ(encode_date("2000-03-01").value() - encode_date("2000-02-28").value(), 2 * 864'000'000'000u);
  EXPECT_EQ(encode_date("1900-03-01").value() - encode_date("1900-02-28").value(), 864'000'000'000u);
}

TEST(EncodeDate, ReadsNothingThatIsNotAnRfc3339Date) {
  for (const std::string text : {"",
                                 "2024",
                                 "2024-05",
                                 "2024-5-1",
                                 "24-05-01",
                                 "20240501",
                                 "2024/05/01",
                                 "2024-13-01",
                                 "2024-00-10",
                                 "2024-04-31",
                                 "2023-02-29",
                                 "1900-02-29",
                                 "2024-05-00",
                                 "2024-05-32",
                                 "-2024-05-01",
                                 "12024-05-01",
                                 "2024-05-01T",
                                 "2024-05-01T10",
                                 "2024-05-01T10:00",
                                 "2024-05-01T10:00Z",
                                 "2024-05-01T10:00:00",
                                 "2024-05-01T24:00:00Z",
                                 "2024-05-01T10:60:00Z",
                                 "2024-05-01T10:00:61Z",
                                 "2024-05-01T10:00:00.Z",
                                 "2024-05-01T10:00:00,5Z",
                                 "2024-05-01T10:00:00+2",
                                 "2024-05-01T10:00:00+0200",
                                 "2024-05-01T10:00:00+24:00",
                                 "2024-05-01T10:00:00+02:60",
                                 "2024-05-01T10:00:00Zx",
                                 "2024-05-01x10:00:00Z",
                                 "2024-05-01T10:00:00 Z",
                                 "2024-05-01T1:00:00Z",
                                 "Wed, 01 May 2024 10:00:00 GMT",
                                 "today",
                                 "２０２４-05-01"})
    EXPECT_FALSE(encode_date(text)) << text;
  EXPECT_FALSE(encode_date(std::string_view{"2024-05-01\0", 11}));
}

TEST(EncodeDate, ReadsAFractionOfAnyLength) {
  EXPECT_EQ(encode_date("2024-05-01T10:00:00." + std::string(100'000, '0') + "9Z"),
            encode_date("2024-05-01T10:00:00Z"));
}

TEST(EncodeDate, SurvivesEveryTruncationAndEveryReplacedByte) {
  const std::string whole = "2024-05-01T10:00:00.123+02:00";
  for (std::size_t length = 0; length < whole.size(); ++length)
    EXPECT_EQ(encode_date(whole.substr(0, length)).has_value(), length == 10) << length;
  for (std::size_t at = 0; at < whole.size(); ++at)
    for (int byte = 0; byte < 256; ++byte) {
      std::string changed = whole;
      changed[at] = static_cast<char>(byte);
      encode_date(changed);
    }
}

}  // namespace
}  // namespace neardup::cluster
