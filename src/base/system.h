// What does this machine offer, and what has this process used of it?
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>

#include "neardup/context.h"
#include "neardup/files.h"
#include "neardup/memory.h"

namespace neardup::base {

// A Context's zero values, resolved.
unsigned threads(const Context&);
std::size_t memory_bytes(const Context&);  // the limit
FileSystem& files(const Context&);

// Has an arena and a budget. What a public call works with (base/guard.h), so that all it does shares them.
Context resolve(const Context&);

// What is not reserved yet. A context that nobody resolved has nothing reserved.
std::size_t memory_left(const Context&);
// Of nothing yet. From a budget of its own when the context has none.
Reservation reservation(const Context&);
// Resizes to what a store holds now. False when that does not fit; up to `least` it always does, because so little is
// not worth a refusal.
[[nodiscard]] bool try_hold(Reservation&, std::size_t bytes, std::size_t least = std::size_t{16} << 20);

// Throws Error{interrupted} when the context asks to stop.
void check_stop(const Context&);

std::uint64_t peak_memory_bytes();  // highest resident set of this process so far: for reports only

// A folder of our own below the context's temporary folder, removed with all its contents at the end. Those that killed
// runs left there are removed in the beginning. Its name is neardup-PID-XXXXXX, and it holds a file that is locked as
// long as it is in use.
class TempFolder {
 public:
  explicit TempFolder(const Context&);
  ~TempFolder();
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  FileSystem& files_;
  std::filesystem::path path_;
  std::unique_ptr<FileLock> lock_;  // null where locks are unknown
};

class Stopwatch {
 public:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace neardup::base
