#include "join/copies.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "base/random.h"
#include "join/support.h"

namespace neardup::joins {
namespace {

using namespace neardup::joins::test;
using Members = std::vector<std::vector<std::uint32_t>>;

Members members_of(const Copies& copies) {
  Members all;
  for (std::uint32_t group = 0; group < copies.groups(); ++group) {
    all.emplace_back(copies.members(group).begin(), copies.members(group).end());
  }
  return all;
}

// Groups of equal words; "" is empty.
Copies copies_of(const std::vector<std::string>& words, std::uint64_t hashes_below) {
  std::map<std::string, std::uint64_t> numbers;
  std::vector<std::uint64_t> hashes;
  for (const std::string& word : words) {
    hashes.push_back(numbers.emplace(word, base::mix64(numbers.size())).first->second % hashes_below);
  }
  return find_copies(
      hashes, [&](std::uint32_t i) { return words[i].empty(); },
      [&](std::uint32_t a, std::uint32_t b) { return words[a] == words[b]; });
}

TEST(FindCopies, NumbersGroupsByTheirFirstMembersAndLeavesEmptyRecordsOut) {
  EXPECT_EQ(members_of(copies_of({"b", "", "a", "b", "c", "", "a", "b"}, UINT64_MAX)),
            (Members{{0, 3, 7}, {2, 6}, {4}}));
}

TEST(FindCopies, DoesNotTakeEqualHashesForEqualRecords) {
  for (const std::uint64_t hashes : {1u, 2u, 3u}) {
    EXPECT_EQ(members_of(copies_of({"b", "", "a", "b", "c", "", "a", "b"}, hashes)), (Members{{0, 3, 7}, {2, 6}, {4}}));
  }
}

TEST(FindCopies, TakesNobodyAndOnlyEmptyRecords) {
  EXPECT_EQ(copies_of({}, UINT64_MAX).groups(), 0u);
  EXPECT_EQ(copies_of({"", "", ""}, UINT64_MAX).groups(), 0u);
}

TEST(Copies, LeavesOutRecordsWithoutAGroup) {
  const std::vector<std::uint32_t> group_of{1, 7, 0, 1, ~0u, 0};
  EXPECT_EQ(members_of(Copies(group_of, 2)), (Members{{2, 5}, {0, 3}}));
}

std::vector<Pair> expanded(std::span<const Copies> copies, const std::vector<Pair>& pairs, JoinOptions options = {},
                           std::optional<double> identity = std::nullopt) {
  PairCollector collector;
  ExpandingSink sink(copies, options, collector);
  sink.add_copies([&](std::uint32_t) { return identity; });
  sink.accept(pairs);
  sink.finish();
  return collector.sorted();
}

TEST(ExpandingSink, GivesEveryPairOfMembersWithTheSmallerNumberLeft) {
  const Copies copies = copies_of({"b", "a", "b", "a"}, UINT64_MAX);
  EXPECT_EQ(expanded({&copies, 1}, {{0, 1, .5}}), (std::vector<Pair>{{0, 1, .5}, {0, 3, .5}, {1, 2, .5}, {2, 3, .5}}));
}

TEST(ExpandingSink, PairsCopiesWithEachOtherWhereTheyHaveAScore) {
  const Copies copies = copies_of({"b", "a", "b", "a", "b"}, UINT64_MAX);
  EXPECT_EQ(expanded({&copies, 1}, {}, {}, 1.0), (std::vector<Pair>{{0, 2, 1}, {0, 4, 1}, {1, 3, 1}, {2, 4, 1}}));
  EXPECT_TRUE(expanded({&copies, 1}, {}, {}, std::nullopt).empty());
}

TEST(ExpandingSink, KeepsLeftAndRightOfTwoCollectionsApart) {
  const std::vector<Copies> copies{copies_of({"x", "y", "x"}, UINT64_MAX), copies_of({"z", "z"}, UINT64_MAX)};
  EXPECT_EQ(expanded(copies, {{0, 0, .5}}), (std::vector<Pair>{{0, 0, .5}, {0, 1, .5}, {2, 0, .5}, {2, 1, .5}}));
}

TEST(ExpandingSink, LeavesOutWhatTheCallerSkips) {
  const Copies copies = copies_of({"b", "a", "b"}, UINT64_MAX);
  JoinOptions options;
  options.skip = [](DocId left, DocId) { return left == 0; };
  EXPECT_EQ(expanded({&copies, 1}, {{0, 1, .5}}, options, 1.0), (std::vector<Pair>{{1, 2, .5}}));
}

TEST(ExpandingSink, StopsAtTheLastPairWantedAndTellsStoppedFromDone) {
  const Copies copies(std::vector<std::uint32_t>(100, 0), 1);  // 4950 pairs
  for (const std::uint64_t most : {1u, 10u, 4'949u, 4'950u, 4'951u}) {
    PairCollector collector;
    const JoinOptions options{.max_pairs = most};
    ExpandingSink sink({&copies, 1}, options, collector);
    sink.add_copies([](std::uint32_t) { return 1.0; });
    sink.finish();
    EXPECT_EQ(collector.sorted().size(), std::min<std::uint64_t>(most, 4'950));
    EXPECT_EQ(sink.count(), std::min<std::uint64_t>(most, 4'950));
    EXPECT_EQ(sink.stopped(), most < 4'950);
  }
}

TEST(ExpandingSink, StopsWhenTheSinkHasHadEnough) {
  struct Full final : PairSink {
    bool accept(std::span<const Pair> pairs) override {
      taken += pairs.size();
      return false;
    }
    std::size_t taken = 0;
  } full;
  const Copies copies(std::vector<std::uint32_t>(1'000, 0), 1);
  const JoinOptions options;
  ExpandingSink sink({&copies, 1}, options, full);
  sink.add_copies([](std::uint32_t) { return 1.0; });
  EXPECT_TRUE(sink.stopped());
  EXPECT_LT(full.taken, 10'000u);
  EXPECT_FALSE(sink.accept(std::vector<Pair>{{0, 0, 1}}));
}

}  // namespace
}  // namespace neardup::joins
