// The index that changes agrees, after every change, with a list that is searched from end to end.
#include <gtest/gtest.h>

#include <set>
#include <utility>
#include <vector>

#include "hamming/fast_support.h"
#include "neardup/error.h"

namespace neardup::hamming {
namespace {

// Every call goes to the index and to a set.
class Both {
 public:
  void insert(DocId row, std::uint64_t bits) {
    index_.insert(row, bits);
    entries_.insert({row, bits});
    ASSERT_EQ(index_.size(), entries_.size());
  }
  void remove(DocId row, std::uint64_t bits) {
    ASSERT_EQ(index_.remove(row, bits), entries_.erase({row, bits}) == 1);
    ASSERT_EQ(index_.size(), entries_.size());
  }
  void expect_equal(const Codes& queries, unsigned distance, unsigned threads = 1) const {
    for (const MatchKind matches : {MatchKind::all, MatchKind::first}) {
      Hits expected;
      for (std::size_t q = 0; q < queries.size(); ++q) {
        for (const auto& [row, bits] : entries_) {  // in the order of rows
          const auto distance_now = static_cast<unsigned>(std::popcount(bits ^ queries[q]));
          if (distance_now > distance) continue;
          expected.push_back({q, row, distance_now});
          if (matches == MatchKind::first) break;
        }
      }
      std::sort(expected.begin(), expected.end());
      Collect sink;
      Context context{.threads = threads};
      const SearchStats stats = index_.search(queries, {.distance = distance, .matches = matches}, sink, context);
      ASSERT_EQ(sink.sorted(), expected) << distance;
      ASSERT_EQ(stats.fallback.empty(), distance <= 3);
    }
  }
  [[nodiscard]] const std::set<std::pair<DocId, std::uint64_t>>& entries() const { return entries_; }

 private:
  MutableHammingIndex index_;
  std::set<std::pair<DocId, std::uint64_t>> entries_;
};

Codes codes_of(const Both& both) {
  Codes codes;
  for (const auto& [row, bits] : both.entries()) codes.push_back(bits);
  return codes;
}

class ChangesOf : public testing::TestWithParam<Shape> {};

TEST_P(ChangesOf, LeaveWhatAListWouldHave) {
  const Codes codes = GetParam().make(1500, 31);
  base::Random random(32);
  Both both;
  for (int step = 0; step < 6000; ++step) {
    const std::uint64_t bits = codes[random.below(codes.size())];
    const DocId row = random.below(3000) << 33;  // rows of 64 bits
    // Grows, shrinks and grows again.
    const bool insert = random.below(10) < (step / 1500 % 2 == 0 ? 8u : 2u);
    if (insert) {
      both.insert(row, bits);
    } else if (!both.entries().empty() && random.below(4) != 0) {
      const auto entry = both.entries().lower_bound({row, 0});
      const auto chosen = entry == both.entries().end() ? *both.entries().begin() : *entry;
      both.remove(chosen.first, chosen.second);
    } else {
      both.remove(row, bits);
    }
    if (step % 1000 == 999) {
      const Codes queries = queries_for(codes_of(both), 60, static_cast<std::uint64_t>(step));
      for (const unsigned distance : {0u, 1u, 3u, 4u}) both.expect_equal(queries, distance);
    }
  }
  while (!both.entries().empty()) {
    const auto [row, bits] = *both.entries().begin();
    both.remove(row, bits);
  }
  both.expect_equal(codes, 3);
}

INSTANTIATE_TEST_SUITE_P(Mutable, ChangesOf, testing::ValuesIn(shapes()),
                         [](const auto& test) { return test.param.name; });

TEST(Mutable, IsSmallWhenEmpty) { EXPECT_LT(MutableHammingIndex().memory_bytes(), 10'000u); }

TEST(Mutable, FindsNothingInNothing) {
  Both both;
  for (const unsigned distance : {0u, 3u, 64u}) both.expect_equal({0, 1}, distance);
  both.remove(1, 1);
}

TEST(Mutable, KeepsAnEntryThatComesTwiceOnce) {
  Both both;
  both.insert(7, 7);
  both.insert(7, 7);
  both.insert(3, 7);
  both.insert(3, 7);
  both.insert(9, 7);
  both.expect_equal({7, 6}, 3);
  both.remove(3, 7);
  both.expect_equal({7, 6}, 3);
  both.remove(7, 7);
  both.remove(7, 7);
  both.expect_equal({7, 6}, 64);
}

TEST(Mutable, GivesTheSameOnTwoThreads) {
  Both both;
  const Codes codes = clustered_codes(3000, 33);
  for (std::size_t i = 0; i < codes.size(); ++i) both.insert(i, codes[i]);
  both.expect_equal(codes, 3, 2);
}

// Seconds at most, where the time of a change must not depend on how many share a place.
TEST(Mutable, TakesManyCopiesAndCrowdsInAndOut) {
  MutableHammingIndex index;
  constexpr DocId kRows = 100'000;
  for (DocId row = 0; row < kRows; ++row) index.insert(row, 42);
  for (DocId row = 0; row < kRows; ++row) index.insert(row, row << 40);  // one line of the low half's table
  EXPECT_EQ(index.size(), 2 * kRows);
  for (DocId row = 0; row < kRows; ++row) ASSERT_TRUE(index.remove(row, 42));
  for (DocId row = 0; row < kRows; ++row) ASSERT_TRUE(index.remove(row, row << 40));
  EXPECT_EQ(index.size(), 0u);
}

TEST(Mutable, MovesLikeAValue) {
  MutableHammingIndex one;
  one.insert(1, 5);
  MutableHammingIndex other = std::move(one);
  EXPECT_EQ(other.size(), 1u);
  EXPECT_TRUE(other.remove(1, 5));
}

TEST(Mutable, RefusesADistanceBeyondTheWidth) {
  Collect sink;
  Context context;
  EXPECT_THROW(MutableHammingIndex().search(Codes{1}, {.distance = 65}, sink, context), Error);
}

}  // namespace
}  // namespace neardup::hamming
