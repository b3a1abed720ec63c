#include "neardup/definition.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "neardup/error.h"

namespace neardup {
namespace {

// The message of the Error{usage} that `call` throws; nothing when it throws none.
std::optional<std::string> usage_error(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    return error.what();
  }
  return std::nullopt;
}

// The option that the Error is about.
std::string option_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.option();
  }
  return "no error";
}

std::optional<std::string> validate(Measure measure, const Threshold& threshold) {
  return usage_error([&] { Definition{.features = {}, .measure = measure, .threshold = threshold}.validate(); });
}

TEST(ParseThreshold, ReadsDecimalsFractionsAndWholeNumbersExactly) {
  const std::vector<std::pair<std::string, Threshold>> cases{
      {"0.8", {4, 5}},
      {".8", {4, 5}},
      {"00.80", {4, 5}},
      {"4/5", {4, 5}},
      {"80/100", {4, 5}},
      {"0.3333", {3333, 10000}},
      {"1/3", {1, 3}},
      {"1", {1, 1}},
      {"1.0", {1, 1}},
      {"1.0000001", {10000001, 10000000}},
      {"0", {0, 1}},
      {"0.0", {0, 1}},
      {"0/7", {0, 1}},
      {"3", {3, 1}},
      {"64", {64, 1}},
      {"0.7999999999999999", {7999999999999999, 10000000000000000}},
      {"0.50000000000000000000000000", {1, 2}},
      {"0.000000000000000001", {1, 1000000000000000000}},
      {"1000000000000000000", {1000000000000000000, 1}},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(parse_threshold(text), expected) << text;
}

TEST(ParseThreshold, RefusesWhatIsNeitherPlainDecimalsNorAFraction) {
  for (const std::string text : {"",
                                 "-1",
                                 "+0.5",
                                 "0,8",
                                 "8e-1",
                                 "1e-1",
                                 "NaN",
                                 "nan",
                                 "inf",
                                 "1/0",
                                 "0/0",
                                 "1/",
                                 "/2",
                                 "/",
                                 ".",
                                 "1.",
                                 "0.8.1",
                                 "1/2/3",
                                 "0.5/2",
                                 "1/-2",
                                 " 0.8",
                                 "0.8 ",
                                 "0x1",
                                 "0.8%",
                                 "80%",
                                 "zero",
                                 "0.0000000000000000001",
                                 "1000000000000000001",
                                 "99999999999999999999999",
                                 "1/1000000000000000001",
                                 "9.999999999999999999"}) {
    const auto message = usage_error([&] { parse_threshold(text); });
    ASSERT_TRUE(message) << text;
    EXPECT_EQ(option_of([&] { parse_threshold(text); }), "threshold") << text;
    EXPECT_THAT(*message, testing::HasSubstr('"' + text + '"')) << text;
  }
}

TEST(ParseThreshold, RefusesANulInsideTheDigits) {
  EXPECT_TRUE(usage_error([&] { parse_threshold(std::string_view{"0.8\0", 4}); }));
}

TEST(ThresholdToString, GivesDecimalsWhereTheyAreExact) {
  EXPECT_EQ(to_string(Threshold{4, 5}), "0.8");
  EXPECT_EQ(to_string(Threshold{3, 1}), "3");
  EXPECT_EQ(to_string(Threshold{0, 1}), "0");
  EXPECT_EQ(to_string(Threshold{1, 3}), "1/3");
  EXPECT_EQ(to_string(Threshold{7, 2}), "3.5");
  EXPECT_EQ(to_string(Threshold{1, 20}), "0.05");
  EXPECT_EQ(to_string(Threshold{1, 1000000000000000000}), "0.000000000000000001");
  EXPECT_EQ(to_string(Threshold{1, 1ull << 40}), "1/1099511627776");
}

TEST(ThresholdToString, IsReadBackAsTheSameThreshold) {
  for (std::uint64_t num = 0; num <= 200; ++num)
    for (std::uint64_t den = 1; den <= 200; ++den) {
      const Threshold threshold = parse_threshold(std::to_string(num) + "/" + std::to_string(den));
      ASSERT_EQ(parse_threshold(to_string(threshold)), threshold) << num << "/" << den;
    }
}

TEST(Validate, TakesTheDefaults) {
  EXPECT_FALSE(usage_error([] { Definition{}.validate(); }));
}

TEST(Validate, TakesFractionsAboveZeroAndUpToOneForSimilarities) {
  for (const Measure measure : {Measure::jaccard, Measure::cosine, Measure::dice}) {
    EXPECT_FALSE(validate(measure, parse_threshold("1")));
    EXPECT_FALSE(validate(measure, parse_threshold("0.000000000000000001")));
    for (const std::string text : {"0", "1.0000001", "2", "64"}) {
      const auto message = validate(measure, parse_threshold(text));
      ASSERT_TRUE(message) << text;
      EXPECT_THAT(*message, testing::HasSubstr("above 0 and at most 1"));
      EXPECT_THAT(*message, testing::HasSubstr(to_string(measure)));
    }
  }
}

TEST(Validate, TakesWholeNumbersFromOneForOverlap) {
  EXPECT_FALSE(validate(Measure::overlap, {1, 1}));
  EXPECT_FALSE(validate(Measure::overlap, {1000000000000, 1}));
  EXPECT_THAT(validate(Measure::overlap, {0, 1}).value(), testing::HasSubstr("at least 1"));
  EXPECT_TRUE(validate(Measure::overlap, {4, 5}));
  EXPECT_TRUE(validate(Measure::overlap, {7, 2}));
}

TEST(Validate, TakesZeroTo64BitsForHamming) {
  EXPECT_FALSE(validate(Measure::hamming, {0, 1}));
  EXPECT_FALSE(validate(Measure::hamming, {64, 1}));
  EXPECT_THAT(validate(Measure::hamming, {65, 1}).value(), testing::HasSubstr("0 to 64"));
  EXPECT_TRUE(validate(Measure::hamming, {1, 2}));
}

TEST(Validate, TakesWholeNumbersFromZeroForEdit) {
  EXPECT_FALSE(validate(Measure::edit, {0, 1}));
  EXPECT_FALSE(validate(Measure::edit, {1000000000000, 1}));
  EXPECT_THAT(validate(Measure::edit, {1, 2}).value(), testing::HasSubstr("whole number of edits"));
}

TEST(Validate, RefusesFractionsThatAreNotInLowestTermsOrHaveNoDenominator) {
  EXPECT_THAT(validate(Measure::jaccard, {8, 10}).value(), testing::HasSubstr("4/5"));
  EXPECT_TRUE(validate(Measure::overlap, {4, 2}));
  EXPECT_TRUE(validate(Measure::jaccard, {0, 0}));
  EXPECT_TRUE(validate(Measure::jaccard, {1, 0}));
  EXPECT_TRUE(validate(Measure::jaccard, {UINT64_MAX - 1, UINT64_MAX}));
}

TEST(Validate, RefusesFeaturesWithoutLength) {
  EXPECT_TRUE(usage_error([] { Definition{.features = {.length = 0}}.validate(); }));
  EXPECT_TRUE(usage_error([] { Definition{.features = {.length = 1001}}.validate(); }));
}

TEST(ParseFeatures, ReadsTheFormsUsersType) {
  EXPECT_EQ(parse_features("words"), (FeatureSpec{FeatureKind::words, 1, false}));
  EXPECT_EQ(parse_features("words:1"), (FeatureSpec{FeatureKind::words, 1, false}));
  EXPECT_EQ(parse_features("words:5"), (FeatureSpec{FeatureKind::words, 5, false}));
  EXPECT_EQ(parse_features("chars:3"), (FeatureSpec{FeatureKind::chars, 3, false}));
  EXPECT_EQ(parse_features("chars:1000"), (FeatureSpec{FeatureKind::chars, 1000, false}));
  EXPECT_EQ(parse_features("minwise:32"), (FeatureSpec{FeatureKind::chars, 4, false, 32}));
  EXPECT_EQ(parse_features("minwise:1/words:5"), (FeatureSpec{FeatureKind::words, 5, false, 1}));
  EXPECT_EQ(parse_features("minwise:100000/chars:3"), (FeatureSpec{FeatureKind::chars, 3, false, 100000}));
}

TEST(ParseFeatures, RefusesEverythingElse) {
  for (const std::string text : {"",
                                 "word",
                                 "Words",
                                 "words:",
                                 "words:0",
                                 "words:-1",
                                 "words:+1",
                                 "words:1001",
                                 "words:5x",
                                 "words: 5",
                                 "words:5:5",
                                 "words:99999999999999999999",
                                 "chars",
                                 "chars:",
                                 "chars:0",
                                 "tokens",
                                 ":",
                                 ":5",
                                 "minwise",
                                 "minwise:",
                                 "minwise:0",
                                 "minwise:100001",
                                 "minwise:-1",
                                 "minwise:8/",
                                 "minwise:8/tokens",
                                 "minwise:8/minwise:8",
                                 "minwise:8/words:0",
                                 "minwise/words"}) {
    const auto message = usage_error([&] { parse_features(text); });
    ASSERT_TRUE(message) << text;
    EXPECT_EQ(option_of([&] { parse_features(text); }), "features") << text;
  }
}

TEST(ParseFeatures, IsTheInverseOfToString) {
  for (const std::string text : {"words", "words:5", "chars:3", "chars:1", "minwise:32", "minwise:7/words",
                                 "minwise:7/words:5", "minwise:7/chars:3"})
    EXPECT_EQ(to_string(parse_features(text)), text);
}

TEST(ParseMeasure, IsTheInverseOfToString) {
  for (const std::string text : {"jaccard", "cosine", "dice", "overlap", "edit", "hamming"})
    EXPECT_EQ(to_string(parse_measure(text)), text);
}

TEST(ParseMeasure, RefusesUnknownNamesAndSaysWhichThereAre) {
  for (const std::string text : {"", "Jaccard", "jac", "levenshtein", " dice"})
    EXPECT_THAT(
        usage_error([&] { parse_measure(text); }).value(),
        testing::AllOf(testing::HasSubstr("jaccard"), testing::HasSubstr("edit"), testing::HasSubstr("hamming")))
        << text;
}

TEST(ParseWeights, ReadsTheFormsUsersType) {
  for (const std::string text : {"occurrences", "binary", "tfidf"}) EXPECT_EQ(to_string(parse_weights(text)), text);
  EXPECT_TRUE(usage_error([] { parse_weights("idf"); }));
}

TEST(FormatScore, HasSixDecimalsForSimilaritiesAndNoneForCounts) {
  EXPECT_EQ(format_score(Measure::jaccard, 0.8), "0.800000");
  EXPECT_EQ(format_score(Measure::dice, 1), "1.000000");
  EXPECT_EQ(format_score(Measure::cosine, 2.0 / 3), "0.666667");
  EXPECT_EQ(format_score(Measure::overlap, 12345678901.0), "12345678901");
  EXPECT_EQ(format_score(Measure::hamming, 0), "0");
  EXPECT_EQ(format_score(Measure::edit, 2), "2");
}

TEST(HasIntegerScores, IsTrueForCountsAndDistancesOnly) {
  EXPECT_TRUE(has_integer_scores(Measure::overlap));
  EXPECT_TRUE(has_integer_scores(Measure::hamming));
  EXPECT_TRUE(has_integer_scores(Measure::edit));
  EXPECT_FALSE(has_integer_scores(Measure::jaccard));
  EXPECT_FALSE(has_integer_scores(Measure::cosine));
  EXPECT_FALSE(has_integer_scores(Measure::dice));
}

}  // namespace
}  // namespace neardup
