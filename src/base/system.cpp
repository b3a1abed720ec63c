#include "base/system.h"

#include <malloc.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <thread>

#include "neardup/error.h"

namespace neardup::base {

unsigned threads(const Context& context) {
  return context.threads != 0 ? context.threads : std::max(1u, std::thread::hardware_concurrency());
}

std::size_t memory_bytes(const Context& context) {
  if (context.memory_bytes != 0) return context.memory_bytes;
  struct sysinfo info {};
  if (sysinfo(&info) != 0) return std::size_t{1} << 30;
  return std::size_t{info.totalram} * info.mem_unit / 2;
}

FileSystem& files(const Context& context) { return context.files != nullptr ? *context.files : system_files(); }

void check_stop(const Context& context) {
  if (context.stop.stop_requested()) throw Error(ErrorCode::interrupted, "interrupted");
}

void release_unused_memory() { malloc_trim(0); }

std::uint64_t resident_bytes() {
  release_unused_memory();
  std::uint64_t total = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> total >> resident;
  return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

std::uint64_t peak_memory_bytes() {
  struct rusage usage {};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

}  // namespace neardup::base
