// How much of the machine may this process use, when a container or a service manager gives it only a part?
//
// Linux says so in small files: /proc/self/cgroup names the control groups of the process, and each of them and of
// those above it may have limits below /sys/fs/cgroup. The functions take a reader of files, so that tests need no
// control groups.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace neardup::base {

// The contents of a file; nothing when it cannot be read.
using ReadText = std::function<std::optional<std::string>(const std::string& path)>;

// The smallest memory.max or memory.high (version 2) or memory.limit_in_bytes (version 1) of the process's groups and
// of all above them; nothing when there is no limit.
std::optional<std::uint64_t> memory_limit(const ReadText&);
// The same for processor time: cores, rounded up (cpu.max; cpu.cfs_quota_us over cpu.cfs_period_us).
std::optional<unsigned> cpu_limit(const ReadText&);

// Numbers as those files have them: "max" and what is not a number are no limit.
std::optional<std::uint64_t> parse_limit(std::string_view text);
// "QUOTA PERIOD", both in microseconds.
std::optional<unsigned> parse_quota(std::string_view text);

// The operating system's files.
std::optional<std::string> read_system_text(const std::string& path);

}  // namespace neardup::base
