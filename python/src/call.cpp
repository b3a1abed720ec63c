#include "call.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <pthread.h>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <list>
#include <mutex>
#include <stop_token>
#include <string_view>
#include <thread>

#include "neardup/error.h"
#include "options.h"

namespace neardup::python {
namespace {

using namespace std::chrono_literals;

constexpr auto kSignalInterval = 10ms;
constexpr int kIntervalsPerShow = 10;  // progress is shown every so many

// All calls of this process, for its end and for forks.
class Calls {
 public:
  static Calls& instance() {
    static Calls* calls = new Calls;  // never destroyed: threads may outlive the end of main()
    return *calls;
  }

  using Place = std::list<std::stop_source>::iterator;
  Place enter(const std::stop_source& stop) {
    const std::lock_guard lock(mutex_);
    if (ended_) throw Error(ErrorCode::interrupted, "the interpreter is shutting down");
    if (orphaned_) {
      throw Error(ErrorCode::usage,
                  "this process was forked while neardup worked on another thread, so its threads are missing here: "
                  "start processes with the method \"spawn\" or \"forkserver\"");
    }
    return running_.insert(running_.end(), stop);
  }
  void leave(Place place) {
    const std::lock_guard lock(mutex_);
    running_.erase(place);
    left_.notify_all();
  }
  void stop_all() {
    std::unique_lock lock(mutex_);
    ended_ = true;
    for (std::stop_source& stop : running_) stop.request_stop();
    left_.wait(lock, [&] { return running_.empty(); });
  }

 private:
  Calls() {
    pthread_atfork([] { instance().mutex_.lock(); }, [] { instance().mutex_.unlock(); },
                   [] {
                     Calls& calls = instance();
                     calls.orphaned_ = calls.orphaned_ || !calls.running_.empty();
                     calls.running_.clear();
                     calls.mutex_.unlock();
                   });
  }

  std::mutex mutex_;
  std::condition_variable left_;
  std::list<std::stop_source> running_;
  bool ended_ = false, orphaned_ = false;
};

// Remembers what the library says, for the thread that waits.
class Watch final : public Observer {
 public:
  struct State {
    std::string stage, unit;
    std::uint64_t done = 0, total = 0;
    std::uint64_t changes = 0;
  };
  void stage(std::string_view name, std::uint64_t total, std::string_view unit) override {
    const std::lock_guard lock(mutex_);
    state_ = {.stage = std::string(name), .unit = std::string(unit), .total = total, .changes = state_.changes + 1};
  }
  void advance(std::uint64_t amount) override {
    const std::lock_guard lock(mutex_);
    state_.done += amount;
    ++state_.changes;
  }
  void warning(std::string_view) override {}  // every report has them
  State state() {
    const std::lock_guard lock(mutex_);
    return state_;
  }

 private:
  std::mutex mutex_;
  State state_;
};

// One call at work on a thread of its own.
class Worker {
 public:
  Worker(const Context& context, const std::function<void(const Context&)>& work, std::stop_source stop)
      : stop_(std::move(stop)), thread_([this, context, &work] {
          try {
            work(context);
          } catch (...) {
            failure_ = std::current_exception();
          }
          const std::lock_guard lock(mutex_);
          done_ = true;
          ended_.notify_all();
        }) {}
  // Stops what still works: Python may end a thread in the middle of waiting. What has ended is not told to stop, since
  // a result may go on using the call's stop token.
  ~Worker() {
    if (!wait(std::chrono::milliseconds(0))) stop_.request_stop();
    thread_.join();
  }
  bool wait(std::chrono::milliseconds longest) {
    std::unique_lock lock(mutex_);
    return ended_.wait_for(lock, longest, [&] { return done_; });
  }
  [[nodiscard]] std::exception_ptr failure() const { return failure_; }

 private:
  std::mutex mutex_;
  std::condition_variable ended_;
  bool done_ = false;
  std::exception_ptr failure_;
  std::stop_source stop_;
  std::thread thread_;  // last: it uses all of the above
};

void show_progress(const RunOptions& options, Watch& watch, std::uint64_t& shown) {
  const Watch::State state = watch.state();
  if (state.changes == shown) return;
  shown = state.changes;
  options.progress(state.stage, state.done, state.total, state.unit);
}

// Lets signals through and shows progress until the work has ended. True: something was raised, and is set.
bool wait_for(Worker& worker, std::stop_source& stop, const RunOptions& options, Watch& watch) {
  std::uint64_t shown = 0;
  bool raised = false;
  for (int interval = 1;; ++interval) {
    bool done = false;
    {
      const nb::gil_scoped_release unlocked;
      done = worker.wait(kSignalInterval);
    }
    if (!raised && PyErr_CheckSignals() != 0) raised = true;
    if (!raised && !options.progress.is_none() && (done || interval % kIntervalsPerShow == 0)) {
      try {
        show_progress(options, watch, shown);
      } catch (nb::python_error& error) {
        error.restore();
        raised = true;
      }
    }
    if (done) return raised;
    if (raised) stop.request_stop();
  }
}

}  // namespace

RunOptions run_options(const nb::dict& values) {
  const Options given(values);
  RunOptions options;
  options.threads = static_cast<unsigned>(given.number("threads", 0));
  options.memory_bytes = given.number("memory", 0);
  options.temp_folder = given.text("temp_folder");
  if (given.has("progress")) options.progress = given["progress"];
  return options;
}

void run_call(const RunOptions& options, const std::function<void(const Context&)>& work) {
  std::stop_source stop;
  Watch watch;
  const Context context{.stop = stop.get_token(),
                        .observer = &watch,
                        .threads = options.threads,
                        .memory_bytes = options.memory_bytes,
                        .temp_folder = options.temp_folder};
  struct Entry {
    Calls::Place place;
    ~Entry() { Calls::instance().leave(place); }
  };
  const Entry entry{Calls::instance().enter(stop)};
  Worker worker(context, work, stop);
  if (wait_for(worker, stop, options, watch)) throw nb::python_error();
  if (worker.failure()) std::rethrow_exception(worker.failure());
}

void stop_all_calls() {
  const nb::gil_scoped_release unlocked;
  Calls::instance().stop_all();
}

}  // namespace neardup::python
