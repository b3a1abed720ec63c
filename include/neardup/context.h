// What does a long call need besides its data?
//
// Every long call takes a Context: how to be stopped, whom to tell about progress, and what it may use of the machine.
// The library holds no global state and never prints; a front end that wants to show something implements Observer.
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

// A stage that is to come. `work` is the time it is expected to take beside the others, in a unit of the plan's own.
struct PlannedStage {
  std::string_view name;
  double work;
};

// Told about the course of a long call, from the time the call begins until it returns or throws. Its members are
// called one at a time, from any of the call's threads, and the call waits for them; calls that share an observer do
// not wait for each other. What it throws ends the call: an Error comes out as it is, anything else as an Error.
class Observer {
 public:
  virtual ~Observer() = default;
  // The stages to come, in order; again once more is known. One that turns out not to be needed never begins.
  virtual void plan(std::span<const PlannedStage>) {}
  // The stage that begins next is known to take about so many seconds.
  virtual void expect(double /*seconds*/) {}
  // A stage begins. `total` counts in `unit` ("bytes", "documents", ...); 0 means that the total is not known.
  virtual void stage(std::string_view name, std::uint64_t total, std::string_view unit) = 0;
  virtual void advance(std::uint64_t amount) = 0;
  // Something the user should know now; the call goes on.
  virtual void warning(std::string_view message) = 0;
};

// What a call may use. Everything may be left out. A Context is read when a call begins and is not changed; it may be
// copied, and several calls may use one at the same time.
//
// Nothing global is changed: no signal handlers, no locale, no limits of the process, no settings of oneTBB or of the
// allocator.
//
// Lifetimes: `observer` must live until the call returns or throws. `files` must outlive every collection, index and
// result that was made with it. `stop`, `memory` and `arena` are shared: what needs them keeps them.
struct Context {
  // Asked often, on all threads. After a stop the call throws Error{interrupted}, has given everything back and has
  // replaced no output.
  std::stop_token stop{};
  Observer* observer = nullptr;  // may be null
  // How many threads work at once, the caller's included. 0: as many as `arena` has, and without an arena
  // default_threads() (threads.h). More than the arena has are no more than it has.
  unsigned threads = 0;
  std::shared_ptr<ThreadArena> arena{};  // null: every call makes its own, once
  // The limit of the budget that a call makes when `memory` is null. 0: default_memory_bytes() (memory.h).
  std::size_t memory_bytes = 0;
  // What the call reserves from, in place of a budget of its own: all calls that share it stay below its limit
  // together. A call gives everything back before it returns, but for what its result holds.
  std::shared_ptr<MemoryBudget> memory{};
  std::filesystem::path temp_folder{};  // empty: TMPDIR or /tmp
  FileSystem* files = nullptr;          // null: the operating system's
};

}  // namespace neardup
