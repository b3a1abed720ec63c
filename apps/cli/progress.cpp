#include "progress.h"

#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "console.h"
#include "option_names.h"
#include "words.h"

namespace neardup::cli {
namespace {

constexpr auto kRewriteInterval = std::chrono::milliseconds(100);
constexpr auto kLineInterval = std::chrono::seconds(10);
constexpr double kSecondsBeforeRate = 0.5;  // a rate measured on less says little

std::string amount(double value, std::string_view unit) {
  if (unit == "bytes") return human_bytes(value);
  return fmt::format("{} {}", with_commas(static_cast<std::uint64_t>(value)), unit);
}

std::string time_left(double seconds) {
  seconds = std::max(1.0, std::round(seconds));
  return seconds < 100 ? fmt::format("{:.0f} s left", seconds) : fmt::format("{} left", human_seconds(seconds));
}

}  // namespace

Progress::Progress(ProgressMode mode, Warnings warnings) : mode_(mode), warnings_(warnings) {
  if (mode != ProgressMode::never) {
    shower_ = std::jthread([this](const std::stop_token& stop) { keep_showing(stop); });
  }
}

Progress::~Progress() {
  shower_ = {};
  finish();
}

void Progress::plan(std::span<const PlannedStage> stages) {
  const std::scoped_lock lock(mutex_);
  time_left_.plan(stages);
}

void Progress::expect(double seconds) {
  const std::scoped_lock lock(mutex_);
  time_left_.expect(seconds);
}

void Progress::stage(std::string_view name, std::uint64_t total, std::string_view unit) {
  const std::scoped_lock lock(mutex_);
  // What the last stage took and gave back would otherwise stay with the process, beside what this one takes.
  if (name_ != name) malloc_trim(0);
  name_ = name;
  unit_ = unit;
  total_ = total;
  done_ = 0;
  started_ = now();
  time_left_.begin(name, total, unit, started_);
  if (mode_ == ProgressMode::rewritten) show();
}

void Progress::advance(std::uint64_t more) {
  const std::scoped_lock lock(mutex_);
  done_ += more;
  time_left_.advance(more, now());
}

void Progress::warning(std::string_view message) {
  const std::scoped_lock lock(mutex_);
  if (warnings_ == Warnings::hidden) return;
  clear();
  print_warning(with_flags(message));
}

void Progress::finish() {
  const std::scoped_lock lock(mutex_);
  name_.clear();
  clear();
}

void Progress::keep_showing(const std::stop_token& stop) {
  const Clock::duration interval = mode_ == ProgressMode::rewritten ? Clock::duration(kRewriteInterval) : kLineInterval;
  std::unique_lock lock(mutex_);
  for (auto next = created_ + interval;; next += interval) {
    ended_.wait_until(lock, stop, next, [] { return false; });
    if (stop.stop_requested()) return;
    if (!name_.empty()) show();
  }
}

void Progress::show() {
  if (mode_ == ProgressMode::rewritten) {
    print_note("\r\x1b[K" + describe(now(), stderr_columns() - 1));
    on_screen_ = true;
  } else {
    print_note("neardup: " + describe(now(), std::numeric_limits<std::size_t>::max()) + "\n");
  }
}

void Progress::clear() {
  if (on_screen_) print_note("\r\x1b[K");
  on_screen_ = false;
}

std::string Progress::describe(double now, std::size_t width) const {
  const double seconds = now - started_;
  const auto done = static_cast<double>(done_);
  std::string where = printable(name_), share, amounts, rate, left;
  if (time_left_.stage() > 0) where = fmt::format("{}/{} {}", time_left_.stage(), time_left_.stages(), where);
  if (total_ > 0) {
    share = fmt::format("  {:.0f}%", std::floor(100 * std::min(1.0, done / static_cast<double>(total_))));
    const std::string so_far = unit_ == "bytes" ? amount(done, unit_) : with_commas(static_cast<std::uint64_t>(done));
    amounts = fmt::format("  {} of {}", so_far, amount(static_cast<double>(total_), unit_));
  } else if (done_ > 0) {
    amounts = "  " + amount(done, unit_);
  } else {
    amounts = fmt::format("  {}", human_seconds(std::floor(seconds)));
  }
  if (done_ > 0 && seconds >= kSecondsBeforeRate) rate = fmt::format("  {}/s", amount(done / seconds, unit_));
  if (const auto time = time_left_.seconds(now)) left = "  " + time_left(*time);
  for (std::string* part : {&amounts, &rate, &share}) {
    if (columns(where + share + amounts + rate + left) <= width) break;
    part->clear();
  }
  return where + share + amounts + rate + left;
}

}  // namespace neardup::cli
