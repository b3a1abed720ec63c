#include "dedup/examples.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace neardup::test {
namespace {

using dedup::shared_text;

TEST(SharedText, IsTheLongestRunThatMostDocumentsHold) {
  const std::vector<std::string_view> documents{
      "x0 x1 All rights reserved by the owner y0 y1 one two three four five", "z All RIGHTS reserved, by the owner",
      "q all rights reserved by the owner r", "nothing of the kind stands in here at all"};
  const auto shared = shared_text(documents);
  ASSERT_TRUE(shared);
  EXPECT_EQ(shared->text, "all rights reserved by the owner");
  EXPECT_EQ(shared->share, 0.75);
}

TEST(SharedText, IsCutToALine) {
  const std::string text = "a b c d e f g h i j k l m n o p q r s t";
  const auto shared = shared_text(std::vector<std::string_view>{text, text});
  ASSERT_TRUE(shared);
  EXPECT_EQ(shared->text, "a b c d e f g h i j k l m n ...");
  EXPECT_EQ(shared->share, 1);
}

TEST(SharedText, IsNothingWhenOnlyHalfHoldsIt) {
  const std::string_view with = "these five words are shared", without = "but these are not the same";
  EXPECT_FALSE(shared_text(std::vector<std::string_view>{with, with, without, without}));
  EXPECT_TRUE(shared_text(std::vector<std::string_view>{with, with, with, without, without}));
}

TEST(SharedText, IsNothingForShortOrEmptyOrFewDocuments) {
  EXPECT_FALSE(shared_text({}));
  EXPECT_FALSE(shared_text(std::vector<std::string_view>{"a b c d e f"}));
  EXPECT_FALSE(shared_text(std::vector<std::string_view>{"", ""}));
  EXPECT_FALSE(shared_text(std::vector<std::string_view>{"a b c d", "a b c d"}));
  EXPECT_FALSE(shared_text(std::vector<std::string_view>{"", "a b c d e f", "a b c d e f"}));
}

TEST(SharedText, CountsADocumentOnceHoweverOftenItRepeatsTheRun) {
  const std::string_view run = "a b c d e", repeats = "a b c d e a b c d e a b c d e", other = "v w x y z";
  EXPECT_FALSE(shared_text(std::vector<std::string_view>{run, other, other, other}));
  EXPECT_FALSE(shared_text(std::vector<std::string_view>{repeats, other, other, other}));
}

}  // namespace
}  // namespace neardup::test
