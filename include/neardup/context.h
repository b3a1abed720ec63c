// What does a long call need besides its data?
//
// Every long call takes a Context: how it is stopped, where it reports progress, and how much of the machine it may
// use. The library has no global state and never prints; a front end that wants to show something implements Observer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <stop_token>
#include <string_view>

namespace neardup {

class FileSystem;
class MemoryBudget;
class ThreadArena;

// A future stage. `work` is the time it is expected to take relative to the others, in an arbitrary unit.
struct PlannedStage {
  std::string_view name;
  double work;
};

// Receives the progress of a long call, from its beginning until it returns or throws. Its members are called one at a
// time, from any of the call's threads, and the call waits for them; calls that share an observer do not wait for each
// other. An exception from the observer ends the call: an Error is rethrown unchanged, anything else as an Error.
class Observer {
 public:
  virtual ~Observer() = default;
  // The stages to come, in order; called again when more is known. A stage that is not needed after all never begins.
  virtual void plan(std::span<const PlannedStage>) {}
  // The next stage will take about this many seconds.
  virtual void expect(double /*seconds*/) {}
  // A stage begins. `total` counts in `unit` ("bytes", "documents", ...); 0 means that the total is not known.
  virtual void stage(std::string_view name, std::uint64_t total, std::string_view unit) = 0;
  virtual void advance(std::uint64_t amount) = 0;
  // Something the user should know now; the call continues.
  virtual void warning(std::string_view message) = 0;
};

// What a call may use. Every member is optional. A call reads its Context at the beginning and does not change it; a
// Context may be copied, and several calls may use the same one at once.
//
// Nothing global is changed: no signal handlers, no locale, no limits of the process, no settings of oneTBB or of the
// allocator.
//
// Lifetimes: `observer` must live until the call returns or throws. `files` must outlive every collection, index and
// result that was made with it. `stop`, `memory` and `arena` are shared: whatever needs them keeps them alive.
struct Context {
  // Polled often, on all threads. After a stop request the call throws Error{interrupted}, has released everything and
  // has replaced no output.
  std::stop_token stop{};
  Observer* observer = nullptr;  // may be null
  // Number of threads that work at once, including the caller's. 0: as many as `arena` has, and without an arena
  // default_threads() (threads.h). Never more than the arena has.
  unsigned threads = 0;
  std::shared_ptr<ThreadArena> arena{};  // null: every call makes its own, once
  // The limit of the budget that a call makes when `memory` is null. 0: default_memory_bytes() (memory.h).
  std::size_t memory_bytes = 0;
  // The budget to use instead of one of the call's own: all calls that share it together stay below its limit. A call
  // releases everything before it returns, except what its result holds.
  std::shared_ptr<MemoryBudget> memory{};
  std::filesystem::path temp_folder{};  // empty: TMPDIR or /tmp
  FileSystem* files = nullptr;          // null: the operating system's
};

}  // namespace neardup
