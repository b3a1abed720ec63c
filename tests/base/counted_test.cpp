#include "base/counted.h"

#include <gtest/gtest.h>

namespace neardup::base {
namespace {

TEST(WithCommas, SeparatesThousands) {
  EXPECT_EQ(with_commas(0), "0");
  EXPECT_EQ(with_commas(999), "999");
  EXPECT_EQ(with_commas(1000), "1,000");
  EXPECT_EQ(with_commas(UINT64_MAX), "18,446,744,073,709,551,615");
}

TEST(Counted, KnowsOneFromMany) {
  EXPECT_EQ(counted(1, "pair", "pairs"), "1 pair");
  EXPECT_EQ(counted(0, "pair", "pairs"), "0 pairs");
  EXPECT_EQ(counted(2500, "pair", "pairs"), "2,500 pairs");
}

}  // namespace
}  // namespace neardup::base
