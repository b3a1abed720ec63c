#include "base/parallel.h"

#include <gtest/gtest.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

#include "base/system.h"
#include "neardup/error.h"
#include "neardup/threads.h"
#include "support/scratch.h"

namespace neardup::test {
namespace {

class ParallelFor : public ::testing::TestWithParam<unsigned> {};

TEST_P(ParallelFor, VisitsEveryPlaceOnce) {
  for (const std::size_t count : {0u, 1u, 2u, 1000u, 100'003u}) {
    std::vector<std::atomic<int>> visits(count);
    base::parallel_for({.threads = GetParam()}, count, [&](std::size_t first, std::size_t last) {
      EXPECT_LT(first, last);
      for (std::size_t i = first; i < last; ++i) ++visits[i];
    });
    for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(visits[i], 1) << i;
  }
}

TEST_P(ParallelFor, PassesAnErrorOnAsItIs) {
  const std::string message = error_of(ErrorCode::limit, [&] {
    base::parallel_for({.threads = GetParam()}, 1000, [](std::size_t first, std::size_t last) {
      if (first <= 500 && 500 < last) throw Error(ErrorCode::limit, "five hundred");
    });
  });
  EXPECT_EQ(message, "five hundred");
}

TEST_P(ParallelFor, DoesNothingWhenAskedToStopBefore) {
  std::stop_source source;
  source.request_stop();
  const Context context{.stop = source.get_token(), .threads = GetParam()};
  for (const std::size_t count : {0u, 10u}) {
    error_of(ErrorCode::interrupted,
             [&] { base::parallel_for(context, count, [](std::size_t, std::size_t) { ADD_FAILURE(); }); });
  }
}

TEST_P(ParallelFor, StopsHalfWay) {
  std::stop_source source;
  const Context context{.stop = source.get_token(), .threads = GetParam()};
  std::atomic<std::size_t> visited = 0;
  constexpr std::size_t kCount = 1'000'000;
  error_of(ErrorCode::interrupted, [&] {
    base::parallel_for(context, kCount, [&](std::size_t first, std::size_t last) {
      visited += last - first;
      source.request_stop();
    });
  });
  EXPECT_LT(visited, kCount);
}

TEST(ParallelForQuietly, TakesMoreThreadsThanThereAreCores) {
  ::testing::internal::CaptureStderr();
  std::atomic<int> visits = 0;
  base::parallel_for({.threads = 64 + std::thread::hardware_concurrency()}, 10'000,
                     [&](std::size_t first, std::size_t last) { visits += static_cast<int>(last - first); });
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "") << "a library never prints";
  EXPECT_EQ(visits, 10'000);
}

// How many threads are at work at the same time, at the most, when each waits for one more.
unsigned most_at_once(const Context& context, unsigned expected) {
  std::atomic<unsigned> inside = 0, most = 0;
  base::parallel_for(context, 4 * expected, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const unsigned now = ++inside;
      for (unsigned before = most; before < now && !most.compare_exchange_weak(before, now);) {
      }
      for (int spin = 0; spin < 1'000'000 && most < expected; ++spin) std::this_thread::yield();
      --inside;
    }
  });
  return most;
}

TEST(ThreadArena, HasAsManyThreadsAsItWasMadeFor) {
  const auto arena = std::make_shared<ThreadArena>(4);
  EXPECT_EQ(arena->threads(), 4u);
  EXPECT_EQ(most_at_once({.arena = arena}, 4), 4u);
  EXPECT_EQ(ThreadArena().threads(), default_threads());
}

TEST(ThreadArena, OfManyServesAContextThatAsksForOne) {
  Context context = base::resolve({.threads = 4});
  context.threads = 1;
  EXPECT_EQ(most_at_once(context, 1), 1u);
}

TEST(ThreadArena, ChangesNothingForTheRestOfTheProcess) {
  constexpr auto kLimit = tbb::global_control::max_allowed_parallelism;
  const std::size_t before = tbb::global_control::active_value(kLimit);
  std::size_t within = 0;
  ThreadArena(100).execute([&] { within = tbb::global_control::active_value(kLimit); });
  EXPECT_EQ(within, before);
}

TEST(ThreadArena, PassesAnErrorOnAsItIs) {
  EXPECT_EQ(
      error_of(ErrorCode::limit, [] { ThreadArena(2).execute([] { throw Error(ErrorCode::limit, "too much"); }); }),
      "too much");
}

// The caller holds a lock that another call in the same arena needs: were tasks of both mixed on one thread, it would
// wait for itself.
TEST(ThreadArena, DoesNotMixCallsOnOneThread) {
  const auto arena = std::make_shared<ThreadArena>(2);
  const Context context{.arena = arena};
  std::mutex mutex;
  const auto hold_and_call = [&] {
    for (int i = 0; i < 200; ++i) {
      const std::lock_guard lock(mutex);
      base::parallel_for(context, 64, [](std::size_t, std::size_t) { std::this_thread::yield(); });
    }
  };
  const auto call_and_lock = [&] {
    for (int i = 0; i < 200; ++i) {
      base::parallel_for(context, 64, [&](std::size_t, std::size_t) { const std::lock_guard lock(mutex); });
    }
  };
  const std::jthread other(hold_and_call);
  call_and_lock();
}

TEST(NestedParallelFor, WorksInsideATaskOfTheCallers) {
  std::atomic<int> visits = 0;
  tbb::parallel_for(0, 8, [&](int) {
    base::parallel_for({.threads = 2}, 100,
                       [&](std::size_t first, std::size_t last) { visits += static_cast<int>(last - first); });
  });
  EXPECT_EQ(visits, 800);
}

INSTANTIATE_TEST_SUITE_P(Threads, ParallelFor, ::testing::Values(1u, 2u, 8u));

}  // namespace
}  // namespace neardup::test
