#include "base/system.h"

#include <malloc.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
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

TempFolder::TempFolder(const Context& context) : files_(base::files(context)) {
  std::filesystem::path parent = context.temp_folder;
  if (parent.empty()) {
    const char* variable = std::getenv("TMPDIR");
    parent = variable != nullptr && *variable != '\0' ? variable : "/tmp";
  }
  files_.create_folders(parent);
  std::string name = (parent / "neardup-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) {
    throw Error(ErrorCode::output, "cannot create a temporary folder in " + parent.string() + ": " +
                                       std::strerror(errno) + " (--temp DIR names another place)");
  }
  path_ = name;
}

TempFolder::~TempFolder() { files_.remove_all(path_); }

}  // namespace neardup::base
