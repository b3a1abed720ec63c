#include "progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "console.h"
#include "words.h"

namespace neardup::cli {
namespace {

constexpr auto kRewriteInterval = std::chrono::milliseconds(100);
constexpr auto kLineInterval = std::chrono::seconds(10);
constexpr double kSecondsBeforeEstimate = 1;  // a rate measured on less says little

std::string amount(double value, std::string_view unit) {
  if (unit == "bytes") return human_bytes(value);
  return fmt::format("{} {}", with_commas(static_cast<std::uint64_t>(value)), unit);
}

}  // namespace

void Progress::stage(std::string_view name, std::uint64_t total, std::string_view unit) {
  const std::scoped_lock lock(mutex_);
  name_ = name;
  unit_ = unit;
  total_ = total;
  done_ = 0;
  started_ = Clock::now();
  if (mode_ == ProgressMode::rewritten) show(started_);
}

void Progress::advance(std::uint64_t more) {
  const std::scoped_lock lock(mutex_);
  done_ += more;
  const auto now = Clock::now();
  const bool due = mode_ == ProgressMode::rewritten ? now - shown_ >= kRewriteInterval : now - shown_ >= kLineInterval;
  if (mode_ != ProgressMode::never && due) show(now);
}

void Progress::warning(std::string_view message) {
  const std::scoped_lock lock(mutex_);
  if (warnings_ == Warnings::hidden) return;
  clear();
  print_warning(message);
}

void Progress::finish() {
  const std::scoped_lock lock(mutex_);
  clear();
}

void Progress::show(Clock::time_point now) {
  const std::string text = printable(describe(std::chrono::duration<double>(now - started_).count()));
  shown_ = now;
  if (mode_ == ProgressMode::rewritten) {
    print_note("\r\x1b[K" + text);
    on_screen_ = true;
  } else {
    print_note("neardup: " + text + "\n");
  }
}

void Progress::clear() {
  if (on_screen_) print_note("\r\x1b[K");
  on_screen_ = false;
}

std::string Progress::describe(double seconds) const {
  std::string text = name_;
  if (total_ > 0) {
    text += fmt::format("  {:.0f}%", 100 * std::min(1.0, static_cast<double>(done_) / static_cast<double>(total_)));
  } else if (done_ > 0) {
    text += "  " + amount(static_cast<double>(done_), unit_);
  }
  if (done_ == 0 || seconds < kSecondsBeforeEstimate) return text;
  const double rate = static_cast<double>(done_) / seconds;
  text += fmt::format("  {}/s", amount(rate, unit_));
  if (total_ > done_) {
    const double left = std::ceil(static_cast<double>(total_ - done_) / rate);
    text += left < 100 ? fmt::format("  {:.0f} s left", left) : fmt::format("  {} left", human_seconds(left));
  }
  return text;
}

}  // namespace neardup::cli
