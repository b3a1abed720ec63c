// How does a person see that a long call is alive, and when it will be over?
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <thread>

#include "neardup/context.h"
#include "time_left.h"

namespace neardup::cli {

enum class ProgressMode {
  never,
  lines,     // a plain line every ten seconds
  rewritten  // one line, rewritten ten times a second
};

// Shows which stage of how many runs, how much of it is done, how fast, and the time left of the whole, on standard
// error, and warnings as they come. A thread of its own shows it, so that a stage that says nothing does not look dead.
// Threads: any.
class Progress final : public Observer {
 public:
  enum class Warnings { shown, hidden };
  Progress(ProgressMode mode, Warnings warnings);
  ~Progress() override;
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void plan(std::span<const PlannedStage>) override;
  void expect(double seconds) override;
  void stage(std::string_view name, std::uint64_t total, std::string_view unit) override;
  void advance(std::uint64_t amount) override;
  void warning(std::string_view message) override;
  // Takes the rewritten line away; nothing is shown until the next stage.
  void finish();

 private:
  using Clock = std::chrono::steady_clock;
  void keep_showing(const std::stop_token&);
  void show();
  void clear();
  [[nodiscard]] double now() const { return std::chrono::duration<double>(Clock::now() - created_).count(); }
  // At most this many columns wide; what matters least goes first.
  [[nodiscard]] std::string describe(double now, std::size_t width) const;

  const ProgressMode mode_;
  const Warnings warnings_;
  std::mutex mutex_;
  const Clock::time_point created_ = Clock::now();
  TimeLeft time_left_;
  std::string name_, unit_;  // no name: nothing runs
  std::uint64_t done_ = 0, total_ = 0;
  double started_ = 0;
  bool on_screen_ = false;
  std::condition_variable_any ended_;
  std::jthread shower_;  // last: it uses all the others
};

}  // namespace neardup::cli
