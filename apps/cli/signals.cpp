#include "signals.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

namespace neardup::cli {
namespace {

constexpr int kInterrupted = 130;

sigset_t watched_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGUSR1);  // wakes the watcher when there is nothing more to watch
  return signals;
}

}  // namespace

StopOnSignal::StopOnSignal() {
  const sigset_t signals = watched_signals();
  pthread_sigmask(SIG_BLOCK, &signals, &mask_before_);
  watcher_ = std::thread([this, signals] {
    for (int caught = 0; !done_;) {
      if (sigwait(&signals, &caught) != 0 || caught == SIGUSR1) continue;
      if (source_.stop_requested()) _exit(kInterrupted);
      source_.request_stop();
    }
  });
}

StopOnSignal::~StopOnSignal() {
  done_ = true;
  pthread_kill(watcher_.native_handle(), SIGUSR1);
  watcher_.join();
  pthread_sigmask(SIG_SETMASK, &mask_before_, nullptr);
}

}  // namespace neardup::cli
