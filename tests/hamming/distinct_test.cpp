// Sorting and collapsing agree with a map, whatever the fingerprints look like.
#include "hamming/distinct.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <vector>

#include "base/random.h"

namespace neardup::hamming {
namespace {

using Codes = std::vector<std::uint64_t>;
using Lists = std::map<std::uint64_t, std::vector<Row>>;

Lists as_map(const Distinct& distinct) {
  Lists lists;
  for (std::size_t i = 0; i < distinct.codes.size(); ++i) {
    auto& rows = lists[distinct.codes[i]];
    distinct.rows.each(static_cast<Entry>(i), [&](Row row) { rows.push_back(row); });
    EXPECT_EQ(rows.size(), distinct.rows.rows(static_cast<Entry>(i)));
    EXPECT_EQ(rows.front(), distinct.rows.first(static_cast<Entry>(i)));
  }
  return lists;
}

void expect_as_a_map_says(const Codes& codes) {
  Lists expected;
  for (std::size_t i = 0; i < codes.size(); ++i) expected[codes[i]].push_back(static_cast<Row>(i));
  for (const unsigned threads : {1u, 2u, 3u}) {
    Context context{.threads = threads};
    const Distinct distinct = find_distinct(codes, context);
    ASSERT_TRUE(std::ranges::is_sorted(distinct.codes));
    ASSERT_EQ(distinct.rows.total_rows(), codes.size());
    ASSERT_EQ(as_map(distinct), expected) << threads << " threads";
  }
}

TEST(Distinct, HasNothingOfNothing) { expect_as_a_map_says({}); }
TEST(Distinct, KeepsTheOnlyOne) { expect_as_a_map_says({7}); }
TEST(Distinct, PutsTwoCopiesTogether) { expect_as_a_map_says({7, 7}); }
TEST(Distinct, OrdersTheFullRange) { expect_as_a_map_says({~std::uint64_t{0}, 0, std::uint64_t{1} << 63, 1, 0}); }
TEST(Distinct, CollapsesManyEqualOnes) { expect_as_a_map_says(Codes(100'000, 0xDEADBEEF)); }

TEST(Distinct, SortsRandomOnes) {
  base::Random random(1);
  for (const std::size_t n : {47, 48, 49, 64, 65, 1000, 200'000}) {
    Codes codes(n);
    for (auto& code : codes) code = random.next();
    expect_as_a_map_says(codes);
  }
}

TEST(Distinct, SortsOnesThatDifferInAFewBitsOnly) {
  base::Random random(2);
  for (const std::uint64_t mask : {0xFFFFu, 0x80000001u, 7u}) {
    for (const unsigned shift : {0, 13, 32}) {
      Codes codes(30'000);
      for (auto& code : codes) code = 0x123456789ABCDEF0 ^ (random.next() & mask) << shift;
      expect_as_a_map_says(codes);
    }
  }
}

TEST(Distinct, SortsOneFarOutAmongManyThatAreClose) {
  base::Random random(3);
  Codes codes(30'000);
  for (auto& code : codes) code = random.below(5000);
  codes[17] = std::uint64_t{1} << 63;
  expect_as_a_map_says(codes);
}

TEST(RowLists, KeepTheirRowsUnderOtherNumbers) {
  base::Random random(4);
  Codes codes(5000);
  for (auto& code : codes) code = random.below(3000);
  Context context{.threads = 1};
  const Distinct distinct = find_distinct(codes, context);
  std::vector<Entry> order(distinct.codes.size());
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  const RowLists lists = distinct.rows.reordered(order);
  EXPECT_EQ(lists.total_rows(), codes.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    std::vector<Row> expected, rows;
    distinct.rows.each(order[i], [&](Row row) { expected.push_back(row); });
    lists.each(static_cast<Entry>(i), [&](Row row) { rows.push_back(row); });
    ASSERT_EQ(rows, expected);
  }
}

TEST(RowLists, TakeAboutTheBitsOfARowNumberEach) {
  base::Random random(5);
  Codes codes(1 << 16);
  for (auto& code : codes) code = random.next();
  Context context{.threads = 1};
  EXPECT_LE(find_distinct(codes, context).rows.memory_bytes(), codes.size() * (16 + 1 + 1) / 8);
}

}  // namespace
}  // namespace neardup::hamming
