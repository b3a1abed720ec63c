#include "option_names.h"

#include <gtest/gtest.h>

#include <set>

namespace neardup::cli {
namespace {

TEST(OptionNames, AreDifferentOptions) {
  std::set<std::string_view> ids;
  for (const OptionName& name : option_names()) EXPECT_TRUE(ids.insert(name.id).second) << name.id;
}

TEST(WithFlags, PutsFlagsInThePlaceOfOptions) {
  EXPECT_EQ(with_flags("`annotate` keeps every record, so `save_removed` has nothing to write"),
            "--annotate keeps every record, so --save-removed has nothing to write");
  EXPECT_EQ(with_flags("`text_fields` names a field"), "--text names a field");
}

TEST(WithFlags, WritesASettingAsAFlagWithItsValue) {
  EXPECT_EQ(with_flags("(`finder=exact` serves every measure)"), "(--finder exact serves every measure)");
}

TEST(WithFlags, KnowsSettingsThatHaveAFlagOfTheirOwn) {
  EXPECT_EQ(with_flags("`verify=false` lets simhashes decide"), "--no-verify lets simhashes decide");
}

TEST(WithFlags, LeavesOtherWordsBetweenBackticksAlone) {
  for (const char* text : {"`sets` inputs", "the header that `neardup pairs` writes", "a ` alone", "``", "`a=b`", ""})
    EXPECT_EQ(with_flags(text), text);
}

TEST(WithFlags, FindsAnOptionBehindABacktickThatStandsAlone) {
  EXPECT_EQ(with_flags("it`s a higher `threshold`"), "it`s a higher --threshold");
}

TEST(Explain, AddsTheFlagAnErrorIsAbout) {
  EXPECT_EQ(explain(Error(ErrorCode::usage, "\"x\" is not a threshold", "threshold")),
            "\"x\" is not a threshold (--threshold)");
}

TEST(Explain, AddsNothingWhenTheMessageNamesTheFlag) {
  EXPECT_EQ(explain(Error(ErrorCode::usage, "`damping` 2: expected less", "damping")), "--damping 2: expected less");
}

TEST(Explain, TellsAFlagFromALongerOne) {
  EXPECT_EQ(explain(Error(ErrorCode::usage, "`bag` does not apply", "b")), "--bag does not apply (--b)");
  EXPECT_EQ(explain(Error(ErrorCode::usage, "`k_by_results` is too much", "k")),
            "--distance-by-results is too much (--distance)");
}

TEST(Explain, SaysWhatToDoWhereThereIsARemedy) {
  EXPECT_EQ(explain(Error(ErrorCode::output, "out exists already", "overwrite")),
            "out exists already (--force replaces it)");
}

TEST(Explain, GivesARemedyOnlyForTheErrorsItHelpsWith) {
  EXPECT_EQ(explain(Error(ErrorCode::input, "no column \"a\"", "text_fields")),
            "no column \"a\" (--text names the column)");
  EXPECT_EQ(explain(Error(ErrorCode::usage, "too many fields", "text_fields")), "too many fields (--text)");
}

TEST(Explain, PassesOnWhatIsAboutNoOption) {
  EXPECT_EQ(explain(Error(ErrorCode::corrupt, "a.fps is cut short")), "a.fps is cut short");
}

}  // namespace
}  // namespace neardup::cli
