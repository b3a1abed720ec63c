// How does a person see that a long call is alive?
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

#include "neardup/context.h"

namespace neardup::cli {

enum class ProgressMode {
  never,
  lines,     // a plain line every ten seconds
  rewritten  // one line, rewritten up to ten times a second
};

// Shows stage, share done, rate and time left on standard error, and warnings as they come. Threads: any.
class Progress final : public Observer {
 public:
  enum class Warnings { shown, hidden };
  Progress(ProgressMode mode, Warnings warnings) : mode_(mode), warnings_(warnings) {}
  ~Progress() override { finish(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void stage(std::string_view name, std::uint64_t total, std::string_view unit) override;
  void advance(std::uint64_t amount) override;
  void warning(std::string_view message) override;
  // Takes the rewritten line away; nothing is shown until the next stage.
  void finish();

 private:
  using Clock = std::chrono::steady_clock;
  void show(Clock::time_point now);
  void clear();
  [[nodiscard]] std::string describe(double seconds) const;

  const ProgressMode mode_;
  const Warnings warnings_;
  std::mutex mutex_;
  std::string name_, unit_;
  std::uint64_t done_ = 0, total_ = 0;
  Clock::time_point started_ = Clock::now(), shown_ = started_;
  bool on_screen_ = false;
};

}  // namespace neardup::cli
