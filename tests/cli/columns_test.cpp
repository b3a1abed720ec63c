#include "columns.h"

#include <gtest/gtest.h>

namespace neardup::cli {
namespace {

TEST(DisplayColumns, CountWideCharactersTwiceAndMarksNotAtAll) {
  EXPECT_EQ(display_columns("abc"), 3u);
  EXPECT_EQ(display_columns("漢字"), 4u);
  EXPECT_EQ(display_columns("e\u0301"), 1u);
  EXPECT_EQ(display_columns("Ａ"), 2u);
  EXPECT_EQ(display_columns(""), 0u);
}

}  // namespace
}  // namespace neardup::cli
