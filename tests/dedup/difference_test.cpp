#include "dedup/difference.h"

#include <gtest/gtest.h>

#include <string>

namespace neardup::dedup {
namespace {

using Same = Example::Same;

Example shown(std::string_view removed, std::string_view kept) {
  Example out;
  show_difference({removed}, {kept}, out);
  return out;
}

// From the first word that differs on.
using Texts = std::pair<std::string, std::string>;
Texts differing(const Example& example) {
  return {example.removed_text.substr(example.removed_differs), example.kept_text.substr(example.kept_differs)};
}

TEST(ShowDifference, PointsAtTheFirstWordThatDiffers) {
  const Example example = shown("one two three", "one 2 three");
  EXPECT_EQ(example.same, Same::no);
  EXPECT_EQ(example.removed_text, "one two three");
  EXPECT_EQ(differing(example), Texts("two three", "2 three"));
}

TEST(ShowDifference, LooksPastWhiteSpaceCaseAndSigns) {
  const Example example = shown("One,   two \n three x", "one two three y");
  EXPECT_EQ(differing(example), Texts("x", "y"));
  EXPECT_EQ(shown("One, two!", "one two").same, Same::words);
  EXPECT_EQ(shown("one two", "one two").same, Same::text);
  EXPECT_EQ(shown("", "").same, Same::text);
}

TEST(ShowDifference, ShowsWhereOneTextEnds) {
  EXPECT_EQ(differing(shown("one two", "one")), Texts("two", ""));
  EXPECT_EQ(differing(shown("", "one")), Texts("", "one"));
}

TEST(ShowDifference, BeginsShortlyBeforeADifferenceFarOn) {
  std::string same;
  for (int i = 0; i < 5000; ++i) same += std::to_string(i) + " ";
  const Example example = shown(same + "a end", same + "b end");
  EXPECT_TRUE(example.removed_text.starts_with("…49")) << example.removed_text;
  EXPECT_LT(example.removed_text.size(), 120u);
  EXPECT_EQ(differing(example), Texts("a end", "b end"));
}

TEST(ShowDifference, ClaimsNothingAboutWhatIsNotAtHand) {
  Example out;
  show_difference({.text = "one two", .is_whole = false}, {.text = "one two three", .is_whole = true}, out);
  EXPECT_EQ(out.same, Same::beginning);
  show_difference({.text = "one 2", .is_whole = false}, {.text = "one two three", .is_whole = false}, out = {});
  EXPECT_EQ(out.same, Same::no);
}

TEST(ShowDifference, CutsBetweenCodePointsAndWordsWithoutSpaces) {
  std::string same;
  for (int i = 0; i < 400; ++i) same += "語";
  const Example example = shown(same + "甲", same + "乙");
  EXPECT_EQ(differing(example), Texts("甲", "乙"));
  std::string wide;
  for (int i = 0; i < 1000; ++i) wide += "é";
  EXPECT_EQ(shown(wide, wide).removed_text, wide.substr(0, 600));
}

}  // namespace
}  // namespace neardup::dedup
