// How does Ctrl-C reach a long call?
#pragma once

#include <signal.h>

#include <atomic>
#include <stop_token>
#include <thread>

namespace neardup::cli {

// While one exists, the first SIGINT or SIGTERM asks to stop and the second ends the program at once (exit code 130).
// Create it before any other thread: the signals are blocked in every thread and waited for in one of its own, so no
// code ever runs inside a signal handler. Destroy it on the same thread, which then has the signals it had before.
class StopOnSignal {
 public:
  StopOnSignal();
  ~StopOnSignal();
  StopOnSignal(const StopOnSignal&) = delete;
  StopOnSignal& operator=(const StopOnSignal&) = delete;
  [[nodiscard]] std::stop_token token() const { return source_.get_token(); }

 private:
  std::stop_source source_;
  std::atomic<bool> done_ = false;
  sigset_t mask_before_{};  // of the thread that made it
  std::thread watcher_;
};

}  // namespace neardup::cli
