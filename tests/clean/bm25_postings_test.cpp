#include "clean/bm25_postings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.h"

namespace neardup::clean {
namespace {

struct Postings {
  std::vector<DocumentNumber> rows;
  std::vector<std::uint32_t> counts;
};

// Gaps and counts of at most so many bits.
Postings random_postings(base::Random& random, unsigned count, DocumentNumber before, unsigned row_bits,
                         unsigned count_bits) {
  Postings made;
  for (unsigned i = 0; i < count; ++i) {
    before += static_cast<DocumentNumber>(random.below(std::uint64_t{1} << row_bits)) + 1;
    made.rows.push_back(before);
    made.counts.push_back(static_cast<std::uint32_t>(random.below(std::uint64_t{1} << count_bits)) + 1);
  }
  return made;
}

void expect_read_back(const Postings& made, DocumentNumber before, std::vector<std::byte>& data) {
  const Block block = write_block(made.rows, made.counts, before, data);
  BlockValues rows{}, counts{};
  read_rows(data.data(), block, before, rows);
  read_counts(data.data(), block, counts);
  ASSERT_EQ(block.count, made.rows.size());
  ASSERT_EQ(block.last, made.rows.back());
  for (unsigned i = 0; i < block.count; ++i) {
    ASSERT_EQ(rows[i], made.rows[i]) << i;
    ASSERT_EQ(counts[i], made.counts[i]) << i;
    ASSERT_EQ(read_count(data.data(), block, i), made.counts[i]) << i;
  }
}

TEST(Bm25Postings, ReadsWhatWasWrittenForEveryWidthOfBits) {
  base::Random random(1);
  std::vector<std::byte> data;
  for (unsigned bits = 0; bits <= 24; ++bits) {
    for (unsigned count_bits = 0; count_bits <= 31; ++count_bits) {
      expect_read_back(random_postings(random, kBlock, ~DocumentNumber{0}, bits, count_bits), ~DocumentNumber{0}, data);
    }
  }
}

TEST(Bm25Postings, ReadsBlocksThatAreNotFull) {
  base::Random random(2);
  std::vector<std::byte> data;
  for (unsigned count = 1; count < kBlock; ++count) {
    const DocumentNumber before = static_cast<DocumentNumber>(random.below(1000));
    expect_read_back(random_postings(random, count, before, count % 20, count % 9), before, data);
  }
}

TEST(Bm25Postings, ReadsTheLargestGap) {
  std::vector<std::byte> data;
  expect_read_back({{0xfffffffe}, {1}}, ~DocumentNumber{0}, data);
  expect_read_back({{0, 0xfffffffe}, {0x7fffffff, 1}}, ~DocumentNumber{0}, data);
}

TEST(Bm25Postings, ATermThatIsOnceInEveryDocumentTakesNoBits) {
  Postings made;
  for (DocumentNumber row = 0; row < kBlock; ++row) {
    made.rows.push_back(row);
    made.counts.push_back(1);
  }
  std::vector<std::byte> data;
  expect_read_back(made, ~DocumentNumber{0}, data);
  EXPECT_TRUE(data.empty());
}

TEST(Bm25Postings, BehindTheLastRowStandRowsLargerThanAny) {
  std::vector<std::byte> data;
  const Block block =
      write_block(std::vector<DocumentNumber>{3, 9}, std::vector<std::uint32_t>{1, 1}, ~DocumentNumber{0}, data);
  BlockValues rows{};
  read_rows(data.data(), block, ~DocumentNumber{0}, rows);
  EXPECT_THAT(std::span(rows).subspan(2), testing::Each(~DocumentNumber{0}));
}

TEST(Bm25Postings, BytesGiveBackGapsAndCounts) {
  std::vector<std::byte> bytes;
  const std::vector<std::pair<DocumentNumber, std::uint32_t>> wanted{
      {0, 1}, {63, 1}, {64, 2}, {0xffffffff, 0x7fffffff}, {5, 129}};
  for (const auto& [gap, count] : wanted) append_posting(bytes, gap, count);
  const std::byte* at = bytes.data();
  for (const auto& [gap, count] : wanted) {
    const GapAndCount posting = read_posting(at);
    EXPECT_EQ(posting.gap, gap);
    EXPECT_EQ(posting.count, count);
  }
  EXPECT_EQ(at, bytes.data() + bytes.size());
}

TEST(Bm25Postings, AnArenaKeepsWhatItWasGivenWhereItIs) {
  ByteArena arena;
  base::Random random(3);
  std::vector<std::pair<const std::byte*, std::vector<std::byte>>> added;
  for (int i = 0; i < 300; ++i) {
    std::vector<std::byte> bytes(random.below(i % 50 == 0 ? 2'000'000 : 5'000));
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random.next());
    const std::byte* at = arena.add(bytes);
    added.emplace_back(at, std::move(bytes));
  }
  for (const auto& [at, bytes] : added) EXPECT_TRUE(std::equal(bytes.begin(), bytes.end(), at));
}

}  // namespace
}  // namespace neardup::clean
