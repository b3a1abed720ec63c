#include "clean/policy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "neardup/error.h"

namespace neardup {
namespace {

using testing::HasSubstr;

RangeRule by_rank(std::string_view text) { return RangeRule::parse(text, 1, RangeRule::Shares::refused); }
RangeRule depth(std::string_view text) { return RangeRule::parse(text, 1, RangeRule::Shares::allowed); }

std::string refusal(std::string_view text, RangeRule::Shares shares = RangeRule::Shares::refused) {
  try {
    RangeRule::parse(text, 1, shares);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    EXPECT_THAT(error.what(), HasSubstr(std::string(text) + ": ")) << "shows the rule";
    return error.what();
  }
  return "accepted";
}

TEST(RangeRule, OneValueHoldsEverywhere) {
  const RangeRule rule = by_rank("3");
  EXPECT_EQ(rule.at(1).number, 3u);
  EXPECT_EQ(rule.at(1'000'000).number, 3u);
  EXPECT_EQ(rule.text(), "3");
}

TEST(RangeRule, EachRangeHasItsOwnValue) {
  const RangeRule rule = by_rank("1-100:3,101-500:2,501-:1");
  EXPECT_EQ(rule.at(1).number, 3u);
  EXPECT_EQ(rule.at(100).number, 3u);
  EXPECT_EQ(rule.at(101).number, 2u);
  EXPECT_EQ(rule.at(500).number, 2u);
  EXPECT_EQ(rule.at(501).number, 1u);
  EXPECT_EQ(rule.largest(), 3u);
  EXPECT_EQ(rule.text(), "1-100:3,101-500:2,501-:1");
}

TEST(RangeRule, TheRestCanBeWrittenWithDots) {
  for (const char* text : {"1-100:3,...:1", "1-100:3,…:1", "1-100:3,*:1"}) {
    EXPECT_EQ(by_rank(text).at(101).number, 1u) << text;
    EXPECT_EQ(by_rank(text).at(100).number, 3u) << text;
  }
}

TEST(RangeRule, ASingleNumberIsARange) { EXPECT_EQ(by_rank("1:5,2-:0").at(2).number, 0u); }

TEST(RangeRule, RefusesGapsAndSaysWhere) {
  EXPECT_THAT(refusal("1-100:3,102-:2"), HasSubstr("101 is in no range"));
  EXPECT_THAT(refusal("1-100:3,201-:2"), HasSubstr("101 to 200 are in no range"));
  EXPECT_THAT(refusal("2-:3"), HasSubstr("1 is in no range"));
  EXPECT_THAT(refusal("1-100:3,101-500:2"), HasSubstr("501 and above are in no range"));
}

TEST(RangeRule, RefusesOverlaps) {
  EXPECT_THAT(refusal("1-100:3,100-:2"), HasSubstr("100-:2 overlaps"));
  EXPECT_THAT(refusal("1-:3,50-:2"), HasSubstr("50-:2 follows a range without an end"));
  EXPECT_THAT(refusal("0-100:3,101-:2"), HasSubstr("numbers begin at 1"));
}

TEST(RangeRule, RefusesWhatIsNoRule) {
  for (const char* text : {"", "x", "-1", "1-100", "1-100:", ":3", "100-1:3", "1-100:3,", ",", "3,2", "1-100:3;101-:2",
                           "99999999999", "1.5", "1-100:3,101:2x"}) {
    EXPECT_NE(refusal(text), "accepted") << text;
  }
}

TEST(RangeRule, SharesAreTakenWhereTheyMakeSense) {
  const RangeRule rule = depth("1-100:50%,...:12.5%");
  EXPECT_EQ(rule.at(100), (RangeRule::Value{5000, true}));
  EXPECT_EQ(rule.at(101), (RangeRule::Value{1250, true}));
  EXPECT_TRUE(rule.has_shares());
  EXPECT_EQ(rule.text(), "1-100:50%,101-:12.50%");
  EXPECT_THAT(refusal("50%"), HasSubstr("is a share"));
  for (const char* text : {"0%", "101%", "1.234%", "%"})
    EXPECT_NE(refusal(text, RangeRule::Shares::allowed), "accepted") << text;
}

TEST(Policy, ADepthThatIsAShareIsRoundedUp) {
  CleanOptions options;
  options.policy.depth = depth("10%");
  const clean::Policy policy(options.policy);
  EXPECT_TRUE(policy.needs_matches());
  EXPECT_EQ(policy.depth(1, 0), 0u);
  EXPECT_EQ(policy.depth(1, 1), 1u);
  EXPECT_EQ(policy.depth(1, 100), 10u);
  EXPECT_EQ(policy.depth(1, 101), 11u);
}

TEST(Policy, TheSmallerOfTwoDistancesCounts) {
  CleanOptions options;
  options.policy.k = by_rank("1-10:3,11-:1");
  options.policy.k_by_results = RangeRule::parse("0-9:0,10-99:2,100-:8", 0, RangeRule::Shares::refused);
  const clean::Policy policy(options.policy);
  EXPECT_EQ(policy.k(1, 5), 0u);
  EXPECT_EQ(policy.k(1, 50), 2u);
  EXPECT_EQ(policy.k(1, 500), 3u);
  EXPECT_EQ(policy.k(11, 500), 1u);
}

TEST(Policy, FewResultsAreLeftAlone) {
  CleanOptions options;
  options.policy.min_results = 10;
  const clean::Policy policy(options.policy);
  EXPECT_TRUE(policy.leaves_alone(9));
  EXPECT_FALSE(policy.leaves_alone(10));
}

TEST(CleanOptions, RefuseWhatContradictsItself) {
  const auto refused = [](auto&& change) {
    CleanOptions options;
    options.log.path = "log";
    options.validate();
    change(options);
    EXPECT_THROW(options.validate(), Error);
  };
  refused([](CleanOptions& options) { options.log.path.clear(); });
  refused([](CleanOptions& options) { options.policy.k = by_rank("65"); });
  refused([](CleanOptions& options) { options.definition.measure = Measure::edit; });
  refused([](CleanOptions& options) { options.simhash.weights = Weights::tfidf; });
  refused([](CleanOptions& options) { options.output.annotate = true; });
  refused([](CleanOptions& options) { options.search.b = 2; });
  refused([](CleanOptions& options) { options.authority.damping = 1; });
}

}  // namespace
}  // namespace neardup
