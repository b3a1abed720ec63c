// What does a long call need besides its data?
//
// Every long call takes a Context: how to be stopped, whom to tell about progress, and what it may use of the machine.
// The library holds no global state and never prints; a front end that wants to show something implements Observer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <stop_token>
#include <string_view>

namespace neardup {

class FileSystem;

// A stage that is to come. `work` is the time it is expected to take beside the others, in a unit of the plan's own.
struct PlannedStage {
  std::string_view name;
  double work;
};

// Told about the course of a long call. Calls may come from any thread, one at a time.
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

struct Context {
  std::stop_token stop{};
  Observer* observer = nullptr;         // may be null
  unsigned threads = 0;                 // 0: one per core
  std::size_t memory_bytes = 0;         // 0: half of the machine's memory
  std::filesystem::path temp_folder{};  // empty: TMPDIR or /tmp
  FileSystem* files = nullptr;          // null: the operating system's; must outlive every collection opened with it
};

}  // namespace neardup
