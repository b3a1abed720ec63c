#include "search/pair_store.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <memory>
#include <stop_token>
#include <thread>
#include <vector>

#include "base/random.h"
#include "neardup/error.h"
#include "support/failing_files.h"
#include "support/scratch.h"

namespace neardup::test {
namespace {

using search::PairStore;

std::vector<Pair> random_pairs(std::uint64_t seed, std::size_t count) {
  base::Random random(seed);
  std::vector<Pair> pairs;
  while (pairs.size() < count) {
    const std::uint64_t left = random.below(0xffffffff), right = random.below(0xffffffff);
    pairs.push_back({.left = left, .right = right, .score = static_cast<double>(random.below(1000)) / 1000});
  }
  return pairs;
}

std::vector<Pair> in_order(std::vector<Pair> pairs) {
  std::sort(pairs.begin(), pairs.end(),
            [](const Pair& a, const Pair& b) { return std::pair(a.left, a.right) < std::pair(b.left, b.right); });
  return pairs;
}

std::vector<Pair> read(const PairStore& store) {
  std::vector<Pair> pairs;
  store.for_each([&](const Pair& pair) { pairs.push_back(pair); });
  return pairs;
}

void put(PairStore& store, std::span<const Pair> pairs, std::size_t batch) {
  for (std::size_t i = 0; i < pairs.size(); i += batch) {
    EXPECT_TRUE(store.accept(pairs.subspan(i, std::min(batch, pairs.size() - i))));
  }
}

TEST(PairStore, IsEmptyAtFirst) {
  Context context;
  PairStore store(0, context);
  store.accept({});
  store.finish();
  EXPECT_EQ(store.size(), 0u);
  EXPECT_TRUE(read(store).empty());
}

TEST(PairStore, RefusesRowsThatItCannotTellFromOthers) {
  constexpr DocId kMost = 0xffffffff;
  Context context;
  PairStore store(0, context);
  const std::vector<Pair> good{{.left = 0, .right = kMost, .score = 1}, {.left = kMost, .right = kMost, .score = 1}};
  EXPECT_TRUE(store.accept(good));
  for (const Pair& pair :
       {Pair{.left = 0, .right = kMost + 1, .score = 1}, {.left = kMost + 1, .right = 0, .score = 1}}) {
    try {
      store.accept({&pair, 1});
      ADD_FAILURE() << "it was taken";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::limit);
    }
  }
}

TEST(PairStore, ReadsInOrderWhatFitsIntoMemoryAndMakesNoFile) {
  const ScratchFolder scratch;
  Context context{.temp_folder = scratch.path()};
  const std::vector<Pair> pairs = random_pairs(1, 20'000);
  PairStore store(1 << 20, context);
  put(store, pairs, 100);
  store.finish();
  EXPECT_TRUE(everything_in(scratch.path()).empty());
  EXPECT_EQ(read(store), in_order(pairs));
}

TEST(PairStore, ReadsInOrderWhatWentToManyRunsAsOftenAsWanted) {
  const ScratchFolder scratch;
  Context context{.temp_folder = scratch.path()};
  for (const std::size_t count : {4096u, 4097u, 8192u, 8193u, 150'000u}) {
    const std::vector<Pair> pairs = random_pairs(count, count);
    PairStore store(1, context);  // the least it holds: 4096 pairs
    put(store, pairs, 777);
    store.finish();
    EXPECT_EQ(store.size(), count);
    EXPECT_EQ(everything_in(scratch.path()).empty(), count == 4096) << count;
    EXPECT_EQ(read(store), in_order(pairs)) << count;
    EXPECT_EQ(read(store), in_order(pairs)) << count;
  }
  EXPECT_TRUE(everything_in(scratch.path()).empty()) << "runs vanish with the store";
}

TEST(PairStore, ReservesWhatItHoldsAndGivesItBack) {
  const ScratchFolder scratch;
  const auto memory = std::make_shared<MemoryBudget>(std::size_t{100} << 20);
  const Context context{.memory = memory, .temp_folder = scratch.path()};
  {
    PairStore store(context);
    put(store, random_pairs(1, 100'000), 777);
    EXPECT_GE(memory->reserved(), 100'000 * 2 * std::size_t{16}) << "a run stands there twice while it is sorted";
    store.finish();
    EXPECT_EQ(memory->reserved(), 100'000 * std::size_t{16});
  }
  EXPECT_EQ(memory->reserved(), 0u);
}

TEST(PairStore, GoesToFilesWhenOthersHaveTheMemory) {
  const ScratchFolder scratch;
  const auto memory = std::make_shared<MemoryBudget>(std::size_t{100} << 20);
  const Context context{.memory = memory, .temp_folder = scratch.path()};
  const Reservation others = memory->reserve(memory->limit(), "others");
  const std::vector<Pair> pairs = random_pairs(1, 200'000);
  PairStore store(context);
  put(store, pairs, 777);
  store.finish();
  EXPECT_FALSE(everything_in(scratch.path()).empty());
  EXPECT_EQ(read(store), in_order(pairs));
  EXPECT_EQ(memory->reserved(), others.bytes());
}

TEST(PairStore, StopsReadingSoonAfterItIsToldTo) {
  const ScratchFolder scratch;
  for (const std::size_t memory : {std::size_t{1}, std::size_t{64} << 20}) {
    std::stop_source stop;
    const Context context{.stop = stop.get_token(), .temp_folder = scratch.path()};
    PairStore store(memory, context);
    put(store, random_pairs(1, 150'000), 777);
    store.finish();
    std::size_t seen = 0;
    try {
      store.for_each([&](const Pair&) {
        if (++seen == 10) stop.request_stop();
      });
      ADD_FAILURE() << "it went on";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::interrupted);
    }
    EXPECT_LT(seen, 50'000u);
  }
}

TEST(PairStore, KeepsSeveralRunsInMemory) {
  constexpr std::size_t kMoreThanARun = 5'000'000;
  const ScratchFolder scratch;
  const Context context{.temp_folder = scratch.path()};
  PairStore store(std::size_t{256} << 20, context);
  std::vector<Pair> batch;
  for (std::uint64_t i = 0; i < kMoreThanARun; ++i) {
    const std::uint64_t place = i * 2654435761 % kMoreThanARun;  // all of them, out of order
    batch.push_back({.left = place >> 8, .right = place & 0xff, .score = 1});
    if (batch.size() == 1000) {
      store.accept(batch);
      batch.clear();
    }
  }
  store.accept(batch);
  store.finish();
  EXPECT_TRUE(everything_in(scratch.path()).empty());
  std::uint64_t next = 0;
  store.for_each([&](const Pair& pair) {
    if ((pair.left << 8 | pair.right) == next) ++next;
  });
  EXPECT_EQ(next, kMoreThanARun);
}

TEST(PairStore, TakesPairsFromManyThreads) {
  const ScratchFolder scratch;
  Context context{.temp_folder = scratch.path()};
  const std::vector<Pair> pairs = random_pairs(2, 40'000);
  PairStore store(1, context);
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < 4; ++i) {
      threads.emplace_back([&, i] { put(store, std::span(pairs).subspan(i * 10'000, 10'000), 123); });
    }
  }
  store.finish();
  EXPECT_EQ(read(store), in_order(pairs));
}

TEST(PairStore, KeepsTheLargestUnits) {
  Context context;
  PairStore store(0, context);
  const Pair largest{.left = 0xfffffffd, .right = 0xfffffffc, .score = 0.5};
  store.accept({&largest, 1});
  store.finish();
  EXPECT_EQ(read(store), std::vector<Pair>{largest});
}

// A run is a file, and a process may open only so many at once.
TEST(PairStore, ReadsMoreRunsThanFilesMayBeOpen) {
  const ScratchFolder scratch;
  Context context{.temp_folder = scratch.path()};
  const std::vector<Pair> pairs = random_pairs(4, 4096 * 90);
  PairStore store(1, context);
  put(store, pairs, 5000);
  store.finish();
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit few{.rlim_cur = 48, .rlim_max = before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
  std::vector<Pair> got;
  EXPECT_NO_THROW(got = read(store));
  setrlimit(RLIMIT_NOFILE, &before);
  EXPECT_TRUE(got == in_order(pairs));
}

TEST(PairStore, PassesOnThatTheDiskIsFullAndLeavesNothing) {
  const ScratchFolder scratch;
  const std::vector<Pair> pairs = random_pairs(3, 20'000);
  for (std::uint64_t fail_at = 1;; ++fail_at) {
    FailingFiles files(FailingFiles::Mode::once, fail_at);
    Context context{.temp_folder = scratch.path(), .files = &files};
    bool failed = false;
    try {
      PairStore store(1, context);
      put(store, pairs, 1000);
      store.finish();
      EXPECT_EQ(read(store), in_order(pairs));
    } catch (const Error& error) {
      failed = true;
      EXPECT_EQ(error.code(), ErrorCode::output);
    }
    EXPECT_TRUE(everything_in(scratch.path()).empty()) << fail_at;
    if (!failed) {
      EXPECT_GT(fail_at, 10u);
      break;
    }
  }
}

}  // namespace
}  // namespace neardup::test
