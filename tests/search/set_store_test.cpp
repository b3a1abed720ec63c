#include "search/set_store.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "base/random.h"
#include "support/failing_files.h"
#include "support/scratch.h"

namespace neardup::test {
namespace {

using search::SetStore;

struct Sample {
  corpus::Units table;
  std::vector<std::vector<Feature>> sets;
  std::vector<Unit> needed;  // every unit but each third

  explicit Sample(std::size_t units, std::uint64_t largest = 20) {
    base::Random random(units);
    for (const Unit unit : all<Unit>(units)) {
      std::vector<Feature> set(1 + random.below(largest));
      for (Feature& feature : set) feature = random.next();
      table.add_unit(row_of(index(unit)), static_cast<std::uint32_t>(set.size()));
      sets.push_back(std::move(set));
      if (index(unit) % 3 != 0) needed.push_back(unit);
    }
  }

  void fill(SetStore& store) const {
    for (const Unit unit : needed) store.add(unit, sets[index(unit)]);
    store.finish();
  }
};

std::vector<Feature> copy(std::span<const Feature> set) { return {set.begin(), set.end()}; }

TEST(SetStore, HoldsEverythingInMemoryWhenItFits) {
  const ScratchFolder scratch;
  Context context{.temp_folder = scratch.path()};
  const Sample sample(100);
  SetStore store(sample.table, sample.needed, 1 << 20, context);
  sample.fill(store);
  EXPECT_TRUE(store.in_memory());
  EXPECT_TRUE(everything_in(scratch.path()).empty());
  std::vector<Feature> buffer;
  for (const Unit unit : sample.needed) {
    EXPECT_EQ(copy(store.get(unit)), sample.sets[index(unit)]);
    EXPECT_EQ(copy(store.fetch(unit, buffer)), sample.sets[index(unit)]);
  }
}

TEST(SetStore, GivesBackFromDiskWhatIsLoadedAndFetchesTheRest) {
  const ScratchFolder scratch;
  Context context{.temp_folder = scratch.path()};
  const Sample sample(200);
  SetStore store(sample.table, sample.needed, 100, context);
  sample.fill(store);
  EXPECT_FALSE(store.in_memory());
  EXPECT_FALSE(everything_in(scratch.path()).empty());
  const std::span<const Unit> needed = sample.needed;
  std::vector<Feature> buffer;
  for (std::size_t first = 0; first < needed.size(); first += 10) {
    for (std::size_t second = first; second < needed.size(); second += 50) {
      const auto a = needed.subspan(first, std::min<std::size_t>(10, needed.size() - first));
      const auto b = second == first ? std::span<const Unit>{}
                                     : needed.subspan(second, std::min<std::size_t>(10, needed.size() - second));
      store.load(a, b);
      for (const auto block : {a, b}) {
        for (const Unit unit : block) ASSERT_EQ(copy(store.get(unit)), sample.sets[index(unit)]);
      }
      for (const Unit unit : needed) ASSERT_EQ(copy(store.fetch(unit, buffer)), sample.sets[index(unit)]);
    }
  }
}

TEST(SetStore, SpillsExactlyWhenTheBudgetIsExceeded) {
  const ScratchFolder scratch;
  Context context{.temp_folder = scratch.path()};
  const Sample sample(30);
  std::size_t bytes = 0;
  for (const Unit unit : sample.needed) bytes += sample.sets[index(unit)].size() * sizeof(Feature);
  EXPECT_TRUE(SetStore(sample.table, sample.needed, bytes, context).in_memory());
  EXPECT_FALSE(SetStore(sample.table, sample.needed, bytes - 1, context).in_memory());
}

TEST(SetStore, ReservesItsSetsAndGivesThemBack) {
  const ScratchFolder scratch;
  const auto memory = std::make_shared<MemoryBudget>(std::size_t{1} << 30);
  const Context context{.memory = memory, .temp_folder = scratch.path()};
  const Sample sample(40, 300'000);
  std::size_t bytes = 0;
  for (const Unit unit : sample.needed) bytes += sample.sets[index(unit)].size() * sizeof(Feature);
  {
    const SetStore store(sample.table, sample.needed, context);
    EXPECT_TRUE(store.in_memory());
    EXPECT_GE(memory->reserved(), bytes);
  }
  EXPECT_EQ(memory->reserved(), 0u);
  const Reservation others = memory->reserve(memory->limit(), "others");
  SetStore store(sample.table, sample.needed, context);
  EXPECT_FALSE(store.in_memory());
  EXPECT_LT(memory->reserved() - others.bytes(), bytes);
}

TEST(SetStore, SpillsSetsLargerThanItsBuffer) {
  const ScratchFolder scratch;
  Context context{.temp_folder = scratch.path()};
  const Sample sample(6, 300'000);
  {
    SetStore store(sample.table, sample.needed, 0, context);
    sample.fill(store);
    std::vector<Feature> buffer;
    for (const Unit unit : sample.needed) EXPECT_TRUE(copy(store.fetch(unit, buffer)) == sample.sets[index(unit)]);
  }
  EXPECT_TRUE(everything_in(scratch.path()).empty()) << "the file vanishes with the store";
}

TEST(SetStore, TakesACollectionWhereNobodyIsNeeded) {
  Context context;
  const Sample sample(3);
  SetStore store(sample.table, {}, 0, context);
  store.finish();
  EXPECT_TRUE(store.in_memory());
}

TEST(SetStore, PassesOnThatTheDiskIsFullAndLeavesNothing) {
  const ScratchFolder scratch;
  const Sample sample(50);
  for (std::uint64_t fail_at = 1;; ++fail_at) {
    FailingFiles files(FailingFiles::Mode::once, fail_at);
    Context context{.temp_folder = scratch.path(), .files = &files};
    bool failed = false;
    try {
      SetStore store(sample.table, sample.needed, 0, context);
      sample.fill(store);
    } catch (const Error& error) {
      failed = true;
      EXPECT_EQ(error.code(), ErrorCode::output);
    }
    EXPECT_TRUE(everything_in(scratch.path()).empty()) << fail_at;
    if (!failed) {
      EXPECT_GT(fail_at, 3u);
      break;
    }
  }
}

}  // namespace
}  // namespace neardup::test
