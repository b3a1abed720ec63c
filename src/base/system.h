// What does this machine offer, and what has this process used of it?
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>

#include "neardup/context.h"
#include "neardup/files.h"

namespace neardup::base {

// A Context's zero values, resolved.
unsigned threads(const Context&);
std::size_t memory_bytes(const Context&);
FileSystem& files(const Context&);

// Throws Error{interrupted} when the context asks to stop.
void check_stop(const Context&);

// Gives memory back to the system that is no longer used but kept for later.
void release_unused_memory();
// What this process holds now, after giving back to the system what it no longer uses.
std::uint64_t resident_bytes();
std::uint64_t peak_memory_bytes();  // highest resident set of this process so far

// A folder of our own below the context's temporary folder, removed with all its contents in the end. Those that killed
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
