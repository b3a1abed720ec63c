#include "access_log.h"

#include <fmt/format.h>

#include <iterator>
#include <utility>

#include "json.h"
#include "json_parts.h"

namespace neardup::server {
namespace {

constexpr std::size_t kMostLines = std::size_t{1} << 20;  // bytes; beyond them lines are written at once

std::string now_text() {
  return time_text(std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now()));
}

}  // namespace

void AccessLog::add(const AccessEntry& entry) {
  if (!write_) return;
  Json json;
  json.begin_object().member("time", now_text()).member("remote", entry.remote).member("method", entry.method);
  json.member("path", entry.path).member("status", entry.status).member("bytes_in", entry.bytes_in);
  json.member("bytes_out", entry.bytes_out);
  json.key("ms").raw(fmt::format("{:.3f}", static_cast<double>(entry.duration.count()) / 1e6)).end_object();
  bool is_full = false;
  {
    const std::lock_guard lock(mutex_);
    lines_ += json.text();
    lines_ += '\n';
    is_full = lines_.size() > kMostLines;
  }
  if (is_full) flush();
}

void AccessLog::message(std::string_view text) {
  if (!write_) return;
  Json json;
  json.begin_object().member("time", now_text()).member("error", text).end_object();
  {
    const std::lock_guard lock(mutex_);
    lines_ += json.text() + '\n';
  }
  flush();
}

void AccessLog::flush() noexcept {
  if (!write_) return;
  const std::lock_guard writing(writing_);
  std::string lines;
  {
    const std::lock_guard lock(mutex_);
    lines.swap(lines_);
  }
  if (lines.empty()) return;
  try {
    write_(lines);
  } catch (...) {  // a full disk does not end the service
  }
}

}  // namespace neardup::server
