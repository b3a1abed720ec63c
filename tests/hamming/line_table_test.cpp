// Everything put into a table of lines is found again, under its own number.
#include "hamming/line_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "base/random.h"
#include "simd/dispatch.h"

namespace neardup::hamming {
namespace {

using Codes = std::vector<std::uint64_t>;

Codes distinct_codes(std::size_t n, std::uint64_t mask, std::uint64_t seed) {
  base::Random random(seed);
  std::set<std::uint64_t> codes;
  while (codes.size() < n) codes.insert(random.next() & mask);
  return {codes.begin(), codes.end()};
}

template <class Key>
void expect_all_there(const Codes& codes, KeyHalf half, unsigned line_bits, const Key& key) {
  const LineTable<Key> table(codes, half, line_bits, key);
  ASSERT_EQ(table.store().size(), codes.size());
  const auto order = table.order(codes);
  Codes listed;
  table.each(0, static_cast<std::uint32_t>(table.store().line_count()),
             [&](std::uint64_t code) { listed.push_back(code); });
  ASSERT_EQ(listed.size(), codes.size());
  for (std::size_t entry = 0; entry < listed.size(); ++entry) {
    ASSERT_EQ(codes[order[entry]], listed[entry]);
    ASSERT_EQ(table.find(listed[entry]), static_cast<Entry>(entry));
  }
  for (const std::uint64_t code : codes) {
    const std::uint64_t other = code ^ 1;
    ASSERT_EQ(table.find(other).has_value(), std::binary_search(codes.begin(), codes.end(), other));
  }
}

TEST(LineTable, NumbersItsEntriesDensely) {
  for (const auto half : {KeyHalf::high, KeyHalf::low}) {
    expect_all_there(distinct_codes(200'000, ~std::uint64_t{0}, 1), half, 16, PlainKey(16));
  }
}

TEST(LineTable, KeepsWhatDoesNotFitALine) {
  const Codes codes = distinct_codes(20'000, 0x000F'FFFF'0000'FFFF, 2);
  expect_all_there(codes, KeyHalf::high, 17, PlainKey(17));
  expect_all_there(codes, KeyHalf::low, 18, PlainKey(18));
}

TEST(LineTable, HoldsEverythingInOneLineIfItMust) {
  expect_all_there(distinct_codes(3000, 0xFFFFF, 3), KeyHalf::high, 16, PlainKey(16));
}

TEST(LineTable, IsEmptyWithoutCodes) { expect_all_there({}, KeyHalf::high, 16, PlainKey(16)); }

TEST(LineTable, KeepsResiduesOfEveryWidth) {
  for (unsigned bits = LineStore::kLeastBits; bits <= 21; ++bits) {
    expect_all_there(distinct_codes(3000, 0xFFFF'0003'FFFF'FFFF, bits), KeyHalf::high, bits, PlainKey(bits));
  }
}

// Ascending codes under their leading bits need no other order.
TEST(LineTable, NumbersAscendingCodesInTheirOrder) {
  const Codes codes = distinct_codes(100'000, ~std::uint64_t{0}, 4);
  const auto order = LineTable<PlainKey>(codes, KeyHalf::high, 16, PlainKey(16)).order(codes);
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
}

TEST(LineTable, GivesItsNearLinesToTheKernels) {
  const Codes codes = distinct_codes(400'000, 0xFFFF'FFFF'0000'FFFF, 5);
  const LineTable<PlainKey> table(codes, KeyHalf::high, 16, PlainKey(16));
  for (std::size_t i = 0; i < codes.size(); i += 1001) {
    const auto line = table.key().place(static_cast<std::uint32_t>(codes[i] >> 32)).line;
    const auto low = static_cast<std::uint32_t>(codes[i]);
    const neardup_line_scan scan = table.store().scan(line, low);
    std::vector<neardup_hit> hits(12);
    const std::size_t count = simd::kernels().near_lines(&scan, 1, 0, hits.data());
    bool found = false;
    for (std::size_t h = 0; h < count; ++h) {
      if (hits[h].posting == LineStore::kOverflowSlot) {
        for (const std::uint32_t other : table.store().overflow(line).other_halves) found |= other == low;
      } else {
        ASSERT_EQ(static_cast<std::uint32_t>(table.code(line, hits[h].posting)), low);
        found = true;
      }
    }
    ASSERT_TRUE(found);
  }
}

}  // namespace
}  // namespace neardup::hamming
