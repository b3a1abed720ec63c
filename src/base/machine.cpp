#include "base/machine.h"

#include <sched.h>
#include <sys/sysinfo.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <thread>
#include <vector>

#include "neardup/error.h"
#include "neardup/files.h"
#include "neardup/memory.h"
#include "neardup/threads.h"

namespace neardup::base {
namespace {

constexpr std::string_view kGroups = "/sys/fs/cgroup";

template <class T>
std::optional<T> smaller(std::optional<T> a, std::optional<T> b) {
  if (!a || !b) return a ? a : b;
  return std::min(*a, *b);
}

// Takes the text up to the next `separator` off the front.
std::string_view take_field(std::string_view& text, char separator) {
  const std::size_t end = std::min(text.find(separator), text.size());
  const std::string_view field = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return field;
}

// Where the files of one controller ("memory", "cpu") may be: the process's own group first, then those above it.
// In a container without a name space of its own the lower ones do not exist; the topmost does.
std::vector<std::string> folders_of(std::string_view controller, const ReadText& read) {
  std::vector<std::string> folders;
  const auto add = [&](const std::string& mount, std::string_view group) {
    for (; group.size() > 1; group = group.substr(0, group.rfind('/'))) folders.push_back(mount + std::string(group));
    folders.push_back(mount);
  };
  const std::string groups = read("/proc/self/cgroup").value_or("");
  for (std::string_view lines = groups; !lines.empty();) {
    std::string_view line = take_field(lines, '\n');  // NUMBER:CONTROLLERS:GROUP; version 2 has no controllers
    take_field(line, ':');
    std::string_view controllers = take_field(line, ':');
    if (controllers.empty()) {
      add(std::string(kGroups), line);
      add(std::string(kGroups) + "/unified", line);
    }
    while (!controllers.empty()) {
      if (take_field(controllers, ',') == controller) add(std::string(kGroups) + '/' + std::string(controller), line);
    }
  }
  return folders;
}

}  // namespace

std::optional<std::uint64_t> parse_limit(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  return problem == std::errc() ? std::optional(value) : std::nullopt;
}

std::optional<unsigned> parse_quota(std::string_view text) {
  const auto quota = parse_limit(take_field(text, ' ')), period = parse_limit(text);
  if (!quota || !period || *period == 0) return std::nullopt;
  constexpr std::uint64_t kMost = 1u << 20;  // cores; more are no limit
  return static_cast<unsigned>(std::clamp<std::uint64_t>((*quota + *period - 1) / *period, 1, kMost));
}

std::optional<std::uint64_t> memory_limit(const ReadText& read) {
  std::optional<std::uint64_t> least;
  for (const std::string& folder : folders_of("memory", read)) {
    for (const char* file : {"/memory.max", "/memory.high", "/memory.limit_in_bytes"})
      least = smaller(least, parse_limit(read(folder + file).value_or("")));
  }
  return least;
}

std::optional<unsigned> cpu_limit(const ReadText& read) {
  std::optional<unsigned> least;
  for (const std::string& folder : folders_of("cpu", read)) {
    least = smaller(least, parse_quota(read(folder + "/cpu.max").value_or("")));
    const std::string quota = read(folder + "/cpu.cfs_quota_us").value_or("");  // -1: none
    const std::string period = read(folder + "/cpu.cfs_period_us").value_or("");
    std::string_view first_line = quota;
    least = smaller(least, parse_quota(std::string(take_field(first_line, '\n')) + ' ' + period));
  }
  return least;
}

std::optional<std::string> read_system_text(const std::string& path) {
  try {
    if (!system_files().exists(path)) return std::nullopt;
    const auto file = system_files().open(path);
    std::string text;
    std::array<char, 4096> buffer{};
    while (const std::size_t count = file->read(buffer)) text.append(buffer.data(), count);
    return text;
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace neardup::base

namespace neardup {

// Both are asked for often and change hardly ever: they are found out once.
std::size_t default_memory_bytes() {
  static const std::size_t bytes = [] {
    struct sysinfo info {};
    const std::uint64_t machine =
        sysinfo(&info) == 0 ? std::uint64_t{info.totalram} * info.mem_unit : std::uint64_t{2} << 30;
    return static_cast<std::size_t>(std::min(machine, base::memory_limit(base::read_system_text).value_or(machine)) /
                                    2);
  }();
  return bytes;
}

unsigned default_threads() {
  static const unsigned threads = [] {
    unsigned cores = std::max(1u, std::thread::hardware_concurrency());
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof(allowed), &allowed) == 0)
      cores = std::clamp(static_cast<unsigned>(CPU_COUNT(&allowed)), 1u, cores);
    return std::min(cores, base::cpu_limit(base::read_system_text).value_or(cores));
  }();
  return threads;
}

}  // namespace neardup
