#include "neardup/memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "base/random.h"
#include "base/system.h"
#include "neardup/threads.h"
#include "support/scratch.h"

namespace neardup::test {
namespace {

using ::testing::HasSubstr;

TEST(MemoryBudget, CountsWhatIsReservedUntilItIsGivenBack) {
  MemoryBudget budget(100);
  {
    const Reservation some = budget.reserve(30, "some");
    const Reservation more = budget.reserve(50, "more");
    EXPECT_EQ(some.bytes(), 30u);
    EXPECT_EQ(budget.reserved(), 80u);
    EXPECT_EQ(budget.left(), 20u);
  }
  EXPECT_EQ(budget.reserved(), 0u);
  EXPECT_EQ(budget.limit(), 100u);
}

TEST(MemoryBudget, GivesExactlyWhatIsLeftAndNoByteMore) {
  MemoryBudget budget(100);
  const auto most = budget.try_reserve(60);
  ASSERT_TRUE(most);
  EXPECT_FALSE(budget.try_reserve(41));
  EXPECT_TRUE(budget.try_reserve(40));
  EXPECT_FALSE(budget.try_reserve(~std::size_t{0}));
}

TEST(MemoryBudget, RefusesWithWhatNeedsHowMuch) {
  MemoryBudget budget(std::size_t{10} << 20);
  const Reservation held = budget.reserve(std::size_t{6} << 20, "sets");
  try {
    const Reservation index = budget.reserve(std::size_t{5} << 20, "the index");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::limit);
    EXPECT_EQ(error.option(), "memory");
    EXPECT_STREQ(
        error.what(),
        "the index takes 5.0 MB, and 6.0 MB of the 10.0 MB of `memory` are in use for other things; allow more");
  }
  EXPECT_EQ(budget.reserved(), std::size_t{6} << 20);
}

TEST(MemoryBudget, WithoutALimitHasThatOfTheMachine) { EXPECT_EQ(MemoryBudget().limit(), default_memory_bytes()); }

TEST(MemoryBudget, IsNeverExceededByConcurrentReservations) {
  constexpr std::size_t kLimit = 1000;
  MemoryBudget budget(kLimit);
  std::atomic<std::size_t> held = 0, refused = 0;
  std::vector<std::jthread> threads;
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    threads.emplace_back([&, seed] {
      base::Random random(seed);
      for (int i = 0; i < 20'000; ++i) {
        const std::size_t bytes = random.below(600);
        const auto mine = budget.try_reserve(bytes);
        if (!mine) {
          ++refused;
          continue;
        }
        EXPECT_LE(held += bytes, kLimit);
        held -= bytes;
      }
    });
  }
  threads.clear();
  EXPECT_EQ(budget.reserved(), 0u);
}

TEST(Reservation, GrowsAndShrinks) {
  MemoryBudget budget(100);
  Reservation held(budget);
  EXPECT_TRUE(held.try_resize(70));
  EXPECT_FALSE(held.try_resize(101));
  EXPECT_EQ(held.bytes(), 70u) << "a refusal changes nothing";
  EXPECT_TRUE(held.try_resize(20));
  EXPECT_EQ(budget.reserved(), 20u);
  error_of(ErrorCode::limit, [&] { held.resize(101, "it"); });
  held.resize(100, "it");
  EXPECT_EQ(budget.left(), 0u);
}

TEST(Reservation, HoldsBeyondTheLimitWhatHasToBeHeld) {
  MemoryBudget budget(100);
  Reservation must(budget), may(budget);
  must.hold(150);
  EXPECT_EQ(budget.reserved(), 150u);
  EXPECT_EQ(budget.left(), 0u);
  EXPECT_FALSE(may.try_resize(1));
  EXPECT_TRUE(must.try_resize(120)) << "less always fits";
  must.hold(99);
  EXPECT_TRUE(may.try_resize(1));
}

TEST(Reservation, MovesWithoutBeingCountedTwice) {
  MemoryBudget budget(100);
  Reservation a = budget.reserve(40, "a");
  Reservation b = std::move(a);
  EXPECT_EQ(budget.reserved(), 40u);
  b = budget.reserve(10, "b");
  EXPECT_EQ(budget.reserved(), 10u);
  b = Reservation();
  EXPECT_EQ(budget.reserved(), 0u);
}

TEST(Reservation, MayOutliveItsBudget) {
  auto budget = std::make_unique<MemoryBudget>(100);
  Reservation held = budget->reserve(40, "it");
  budget.reset();
  EXPECT_TRUE(held.try_resize(100));
  EXPECT_FALSE(held.try_resize(101));
}

TEST(Reservation, WithoutABudgetAlwaysFits) {
  Reservation nothing;
  EXPECT_TRUE(nothing.try_resize(~std::size_t{0}));
}

TEST(TryHold, DoesNotRefuseALittle) {
  MemoryBudget budget(10);
  Reservation held(budget);
  EXPECT_TRUE(base::try_hold(held, 100, 100));
  EXPECT_FALSE(base::try_hold(held, 101, 100));
  EXPECT_EQ(budget.reserved(), 100u);
}

TEST(ResolvedContext, HasWhatWasLeftOpen) {
  const Context call = base::resolve({.threads = 3, .memory_bytes = 12345});
  ASSERT_NE(call.arena, nullptr);
  EXPECT_EQ(call.arena->threads(), 3u);
  ASSERT_NE(call.memory, nullptr);
  EXPECT_EQ(call.memory->limit(), 12345u);
}

TEST(ResolvedContext, KeepsWhatItWasGiven) {
  const auto memory = std::make_shared<MemoryBudget>(777);
  const auto arena = std::make_shared<ThreadArena>(5);
  const Context call = base::resolve({.arena = arena, .memory_bytes = 12345, .memory = memory});
  EXPECT_EQ(call.memory, memory);
  EXPECT_EQ(call.arena, arena);
  EXPECT_EQ(base::threads(call), 5u);
  EXPECT_EQ(base::memory_bytes(call), 777u);
}

TEST(ResolvedContext, TakesFewerThreadsThanTheArenaHasButNotMore) {
  const auto arena = std::make_shared<ThreadArena>(5);
  EXPECT_EQ(base::threads(base::resolve({.threads = 2, .arena = arena})), 2u);
  EXPECT_EQ(base::threads(base::resolve({.threads = 9, .arena = arena})), 5u);
}

TEST(MemoryLeft, IsWhatTheBudgetHasLeft) {
  const auto memory = std::make_shared<MemoryBudget>(100);
  const Context context{.memory = memory};
  Reservation held = base::reservation(context);
  held.hold(30);
  EXPECT_EQ(base::memory_left(context), 70u);
  EXPECT_EQ(base::memory_left({.memory_bytes = 55}), 55u);
}

}  // namespace
}  // namespace neardup::test
