#include "base/rows.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace neardup::base {
namespace {

TEST(Rows, NeverMovesWhatIsThere) {
  Rows<std::uint32_t> rows(3);
  rows.append(std::vector<std::uint32_t>{1, 2, 3});
  const std::uint32_t* const first = rows[0];
  for (std::uint32_t i = 1; i < 100'000; ++i) rows.append(std::vector<std::uint32_t>{i, i + 1, i + 2});
  EXPECT_EQ(rows[0], first);
  ASSERT_EQ(rows.size(), 100'000u);
  for (std::uint32_t i = 1; i < 100'000; ++i) {
    ASSERT_EQ(rows[i][0], i);
    ASSERT_EQ(rows[i][2], i + 2);
  }
}

TEST(Rows, CountsRowsThatHoldNothing) {
  Rows<std::uint32_t> rows(0);
  rows.append({});
  rows.append({});
  EXPECT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows.width(), 0u);
}

}  // namespace
}  // namespace neardup::base
