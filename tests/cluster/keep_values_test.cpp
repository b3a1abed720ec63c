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

TEST(EncodeDate, ReadsDatesAsProgramsWriteThem) {
  const std::string moment = "2025-01-31T10:00:00Z";
  for (const std::string text : {"2025-01-31T10:00:00",
                                 "2025-01-31 10:00:00",
                                 "2025-01-31 10:00",
                                 "2025-01-31T10:00Z",
                                 "2025/01/31 10:00:00",
                                 "2025-01-31T12:00:00+0200",
                                 "2025-01-31T12:00:00+02",
                                 "2025-01-31 12:00:00 +0200",
                                 "2025-01-31 10:00:00 UTC",
                                 "2025-01-31T10:00:00,0Z",
                                 "Fri, 31 Jan 2025 10:00:00 +0000",
                                 "Fri, 31 Jan 2025 10:00:00 GMT",
                                 "31 Jan 2025 10:00:00 +0000",
                                 "Fri, 31 Jan 2025 02:00:00 -0800 (PST)",
                                 "Fri, 31 Jan 2025 05:00 EST",
                                 "Friday, 31-Jan-25 10:00:00 GMT",
                                 "31-JAN-2025 10:00:00.00",
                                 "31 January 2025 10:00",
                                 "1738317600",
                                 "1738317600.0",
                                 "1.7383176e9",
                                 "1738317600000",
                                 "1738317600000000",
                                 "1738317600000000000"})
    EXPECT_EQ(encode_date(text), encode_date(moment)) << text;
  EXPECT_EQ(encode_date("26-FEB-1987 15:01:01.79"), encode_date("1987-02-26T15:01:01.79Z"));
  EXPECT_EQ(encode_date("2025/01/31"), encode_date("2025-01-31"));
  EXPECT_EQ(encode_date("1 Feb 99"), encode_date("1999-02-01"));
}

TEST(EncodeDate, TellsTheUnitOfAnEpochByItsSize) {
  EXPECT_EQ(encode_date("0"), encode_date("1970-01-01"));
  EXPECT_EQ(encode_date("-86400"), encode_date("1969-12-31"));
  EXPECT_EQ(encode_date("1.5").value() - encode_date("0").value(), 15'000'000u);
  EXPECT_EQ(encode_date("99999999999"), encode_date("5138-11-16T09:46:39Z")) << "seconds";
  EXPECT_EQ(encode_date("100000000000"), encode_date("1973-03-03T09:46:40Z")) << "milliseconds";
  EXPECT_EQ(encode_date("1738317600123456789"), encode_date("2025-01-31T10:00:00.1234567Z")) << "nanoseconds";
  EXPECT_FALSE(encode_date("1e300"));
  EXPECT_FALSE(encode_date("-70000000000")) << "before the year 0";
}

TEST(EncodeDate, ReadsNothingThatIsNotADate) {
  for (const std::string text : {"",
                                 "2024-05",
                                 "2024-5-1",
                                 "24-05-01",
                                 "2024/05-01",
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
                                 "2024-05-01T24:00:00Z",
                                 "2024-05-01T10:60:00Z",
                                 "2024-05-01T10:00:61Z",
                                 "2024-05-01T10:00:00.Z",
                                 "2024-05-01T10:00:00+2",
                                 "2024-05-01T10:00:00+24:00",
                                 "2024-05-01T10:00:00+02:60",
                                 "2024-05-01T10:00:00Zx",
                                 "2024-05-01x10:00:00Z",
                                 "2024-05-01T1:00:00Z",
                                 "2024-05-01 10:00 PM",
                                 "31 Feb 2024",
                                 "32 May 2024",
                                 "1 Foo 2024",
                                 "1 May",
                                 "Wed, 01 May 2024 10:00:00 GMT and more",
                                 "1-May 2024",
                                 "today",
                                 "Wed,",
                                 "２０２４-05-01"})
    EXPECT_FALSE(encode_date(text)) << text;
  EXPECT_FALSE(encode_date(std::string_view{"2024-05-01\0", 11}));
}

TEST(EncodeDate, ReadsAFractionOfAnyLength) {
  EXPECT_EQ(encode_date("2024-05-01T10:00:00." + std::string(100'000, '0') + "9Z"),
            encode_date("2024-05-01T10:00:00Z"));
}

TEST(EncodeDate, SurvivesEveryTruncationAndEveryReplacedByte) {
  const std::string iso = "2024-05-01T10:00:00.123+02:00", mail = "Thu, 26 Feb 1987 15:01:01 -0800 (PST)";
  for (std::size_t length = 5; length < iso.size(); ++length) {
    const bool is_date = length == 10 || length == 16 || length == 19 || (length > 20 && length < 24) || length == 26;
    EXPECT_EQ(encode_date(iso.substr(0, length)).has_value(), is_date) << length;
  }
  for (const std::string& whole : {iso, mail}) {
    for (std::size_t length = 0; length < whole.size(); ++length) encode_date(whole.substr(0, length));
    for (std::size_t at = 0; at < whole.size(); ++at)
      for (int byte = 0; byte < 256; ++byte) {
        std::string changed = whole;
        changed[at] = static_cast<char>(byte);
        encode_date(changed);
      }
  }
}

}  // namespace
}  // namespace neardup::cluster
