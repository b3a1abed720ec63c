#include "signals.h"

#include <gtest/gtest.h>
#include <pthread.h>

namespace neardup::cli {
namespace {

bool is_blocked(int signal) {
  sigset_t mask;
  sigemptyset(&mask);
  pthread_sigmask(SIG_BLOCK, nullptr, &mask);
  return sigismember(&mask, signal) == 1;
}

TEST(StopOnSignal, LeavesTheSignalsOfTheProcessAsTheyWere) {
  for (const int signal : {SIGINT, SIGTERM, SIGUSR1}) EXPECT_FALSE(is_blocked(signal)) << signal;
  {
    const StopOnSignal stop;
    for (const int signal : {SIGINT, SIGTERM}) EXPECT_TRUE(is_blocked(signal)) << signal;
    EXPECT_FALSE(stop.token().stop_requested());
  }
  for (const int signal : {SIGINT, SIGTERM, SIGUSR1}) EXPECT_FALSE(is_blocked(signal)) << signal;
}

}  // namespace
}  // namespace neardup::cli
