// Where does the service write what it was asked? One JSON object per line, without queries, bodies and tokens.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>

namespace neardup::server {

struct AccessEntry {
  std::string_view remote, method, path;
  int status = 0;
  std::size_t bytes_in = 0, bytes_out = 0;
  std::chrono::nanoseconds duration{};
};

// Threads: members may run concurrently. Lines are collected; flush() writes them.
class AccessLog {
 public:
  // Null: nothing is logged. `write` is called by one thread at a time.
  explicit AccessLog(std::function<void(std::string_view)> write) : write_(std::move(write)) {}
  ~AccessLog() { flush(); }
  AccessLog(const AccessLog&) = delete;
  AccessLog& operator=(const AccessLog&) = delete;

  void add(const AccessEntry&);
  // A message about the service itself.
  void message(std::string_view);
  void flush() noexcept;

 private:
  const std::function<void(std::string_view)> write_;
  std::mutex mutex_, writing_;
  std::string lines_;
};

}  // namespace neardup::server
