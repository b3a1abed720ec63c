#include "base/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stop_token>
#include <thread>
#include <vector>

#include "neardup/error.h"
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

INSTANTIATE_TEST_SUITE_P(Threads, ParallelFor, ::testing::Values(1u, 2u, 8u));

}  // namespace
}  // namespace neardup::test
