#include "base/merge_runs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <compare>
#include <vector>

#include "base/random.h"
#include "base/sorted_runs.h"
#include "support/failing_files.h"
#include "support/scratch.h"

namespace neardup::base {
namespace {

struct Entry {
  std::uint32_t key, run, place;
  friend auto operator<=>(const Entry&, const Entry&) = default;
};
struct ByKey {
  bool operator()(const Entry& a, const Entry& b) const { return a.key < b.key; }
};
using Entries = std::vector<Entry>;

// Runs of the given sizes, sorted by key, with keys below `keys`.
std::vector<Entries> random_runs(std::uint64_t seed, const std::vector<std::size_t>& sizes, std::uint64_t keys) {
  Random random(seed);
  std::vector<Entries> runs;
  for (const std::size_t size : sizes) {
    Entries run(size);
    for (Entry& entry : run) entry.key = static_cast<std::uint32_t>(random.below(keys));
    std::ranges::sort(run, ByKey{});
    for (std::uint32_t i = 0; i < size; ++i) {
      run[i].run = static_cast<std::uint32_t>(runs.size());
      run[i].place = i;
    }
    runs.push_back(std::move(run));
  }
  return runs;
}

Entries all_in_order(const std::vector<Entries>& runs) {
  Entries all;
  for (const Entries& run : runs) all.insert(all.end(), run.begin(), run.end());
  std::ranges::stable_sort(all, ByKey{});
  return all;
}

struct Cursor {
  const Entries* run;
  std::size_t at = 0;
  [[nodiscard]] bool done() const { return at == run->size(); }
  [[nodiscard]] const Entry& head() const { return (*run)[at]; }
  void advance() { ++at; }
};

Entries merged(const std::vector<Entries>& runs) {
  std::vector<Cursor> cursors;
  for (const Entries& run : runs) cursors.push_back({&run});
  Entries out;
  merge_runs(cursors, ByKey{}, [&](const Cursor& cursor) { out.push_back(cursor.head()); });
  return out;
}

TEST(MergeRuns, GivesWhatAStableSortGivesHoweverManyRunsThereAre) {
  for (std::size_t count = 0; count <= 33; ++count) {
    for (const std::uint64_t keys : {1u, 2u, 40u, 1'000'000u}) {
      Random random(count * 7 + keys);
      std::vector<std::size_t> sizes;
      for (std::size_t i = 0; i < count; ++i) sizes.push_back(random.below(50));
      const auto runs = random_runs(count, sizes, keys);
      ASSERT_EQ(merged(runs), all_in_order(runs)) << count << " runs";
    }
  }
}

TEST(MergeRuns, TakesEmptyRunsInAnyPlace) {
  for (const std::vector<std::size_t>& sizes :
       {std::vector<std::size_t>{0}, {0, 0, 0}, {0, 5, 0}, {5, 0, 0, 5}, {0, 0, 0, 0, 1}}) {
    const auto runs = random_runs(1, sizes, 3);
    EXPECT_EQ(merged(runs), all_in_order(runs));
  }
}

using Store = SortedRuns<Entry, ByKey>;

Entries read(const Store& store) {
  Entries out;
  store.for_each([&](const Entry& entry) { out.push_back(entry); });
  return out;
}

// 16 runs make a level, and 300 three of them. Numbers around what is read at once.
TEST(SortedRuns, ReadsAllRunsInOrderAsOftenAsWanted) {
  const test::ScratchFolder scratch;
  const Context context{.temp_folder = scratch.path()};
  constexpr std::size_t kBuffer = RunReader<Entry>::kRecords;
  for (const std::vector<std::size_t>& sizes : {std::vector<std::size_t>{},
                                                {0},
                                                {1},
                                                std::vector<std::size_t>(15, 9),
                                                std::vector<std::size_t>(16, 9),
                                                std::vector<std::size_t>(17, 9),
                                                std::vector<std::size_t>(300, 9),
                                                {kBuffer - 1, kBuffer, kBuffer + 1, 0},
                                                std::vector<std::size_t>(16, kBuffer / 16),
                                                std::vector<std::size_t>(17, kBuffer / 16 + 1)}) {
    const auto runs = random_runs(sizes.size(), sizes, 50);
    Store store(context);
    EXPECT_TRUE(store.empty());
    for (const Entries& run : runs) store.add(run);
    EXPECT_EQ(store.empty(), runs.empty());
    const Entries expected = all_in_order(runs);
    EXPECT_EQ(read(store), expected);
    EXPECT_EQ(read(store), expected);
  }
}

TEST(SortedRuns, LeavesFewFilesWhileItLivesAndNoneAfterwards) {
  const test::ScratchFolder scratch;
  const Context context{.temp_folder = scratch.path()};
  {
    Store store(context);
    for (const Entries& run : random_runs(1, std::vector<std::size_t>(200, 3), 50)) store.add(run);
    EXPECT_LE(test::everything_in(scratch.path()).size(), 2 + 12 + 8u);  // a folder and its lock, 12 runs of 16, 8 single ones
  }
  EXPECT_TRUE(test::everything_in(scratch.path()).empty());
}

}  // namespace
}  // namespace neardup::base
