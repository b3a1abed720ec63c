#include "base/machine.h"

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "neardup/memory.h"
#include "neardup/threads.h"

namespace neardup::test {
namespace {

// A machine that has nothing but these files.
using Contents = std::map<std::string, std::string>;
class Files {
 public:
  explicit Files(Contents files) : files_(std::move(files)) {}
  std::optional<std::string> operator()(const std::string& path) const {
    const auto found = files_.find(path);
    return found == files_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  Contents files_;
};

TEST(ParseLimit, ReadsANumberAndTakesEverythingElseForNone) {
  EXPECT_EQ(base::parse_limit("4096\n"), 4096u);
  EXPECT_EQ(base::parse_limit("0\n"), 0u);
  for (const char* none : {"max\n", "", "-1\n", "99999999999999999999999\n"}) EXPECT_FALSE(base::parse_limit(none));
}

TEST(ParseQuota, RoundsUpToWholeCores) {
  EXPECT_EQ(base::parse_quota("200000 100000\n"), 2u);
  EXPECT_EQ(base::parse_quota("250000 100000\n"), 3u);
  EXPECT_EQ(base::parse_quota("5000 100000\n"), 1u);
  for (const char* none : {"max 100000\n", "", "100000", "100000 0", "-1 100000"})
    EXPECT_FALSE(base::parse_quota(none));
}

TEST(MemoryLimit, IsNoneWithoutControlGroups) {
  EXPECT_FALSE(base::memory_limit(Files(Contents())));
  EXPECT_FALSE(base::memory_limit(Files(Contents{{"/proc/self/cgroup", "0::/a/b\n"}})));
}

TEST(MemoryLimit, OfVersion2IsTheSmallestOfTheGroupAndThoseAboveIt) {
  Contents files{{"/proc/self/cgroup", "0::/a/b\n"},
                 {"/sys/fs/cgroup/a/b/memory.max", "max\n"},
                 {"/sys/fs/cgroup/a/memory.max", "3000\n"},
                 {"/sys/fs/cgroup/memory.max", "max\n"}};
  EXPECT_EQ(base::memory_limit(Files(files)), 3000u);
  files["/sys/fs/cgroup/a/b/memory.max"] = "2000\n";
  EXPECT_EQ(base::memory_limit(Files(files)), 2000u);
  files["/sys/fs/cgroup/a/b/memory.high"] = "1500\n";
  EXPECT_EQ(base::memory_limit(Files(files)), 1500u);
}

TEST(MemoryLimit, OfAContainerStandsAtTheTopWhenItsOwnPathIsNotThere) {
  EXPECT_EQ(base::memory_limit(Files(Contents{{"/proc/self/cgroup", "0::/system.slice/docker-1234.scope\n"},
                                              {"/sys/fs/cgroup/memory.max", "5000\n"}})),
            5000u);
  EXPECT_EQ(
      base::memory_limit(Files(Contents{{"/proc/self/cgroup", "0::/\n"}, {"/sys/fs/cgroup/memory.max", "5000\n"}})),
      5000u);
}

TEST(MemoryLimit, OfVersion1IsThatOfTheMemoryController) {
  EXPECT_EQ(
      base::memory_limit(Files(Contents{{"/proc/self/cgroup", "5:cpu,cpuacct:/x\n4:memory:/x/y\n0::/\n"},
                                        {"/sys/fs/cgroup/memory/x/y/memory.limit_in_bytes", "9223372036854771712\n"},
                                        {"/sys/fs/cgroup/memory/x/memory.limit_in_bytes", "7000\n"},
                                        {"/sys/fs/cgroup/cpu/x/memory.limit_in_bytes", "1\n"}})),
      7000u);
}

TEST(CpuLimit, OfVersion2IsTheSmallestQuota) {
  EXPECT_EQ(base::cpu_limit(Files(Contents{{"/proc/self/cgroup", "0::/a/b\n"},
                                           {"/sys/fs/cgroup/a/b/cpu.max", "max 100000\n"},
                                           {"/sys/fs/cgroup/a/cpu.max", "150000 100000\n"}})),
            2u);
  EXPECT_FALSE(
      base::cpu_limit(Files(Contents{{"/proc/self/cgroup", "0::/a\n"}, {"/sys/fs/cgroup/a/cpu.max", "max 100000\n"}})));
}

TEST(CpuLimit, OfVersion1IsQuotaOverPeriod) {
  Contents files{{"/proc/self/cgroup", "5:cpu,cpuacct:/x\n"},
                 {"/sys/fs/cgroup/cpu/x/cpu.cfs_quota_us", "310000\n"},
                 {"/sys/fs/cgroup/cpu/x/cpu.cfs_period_us", "100000\n"}};
  EXPECT_EQ(base::cpu_limit(Files(files)), 4u);
  files["/sys/fs/cgroup/cpu/x/cpu.cfs_quota_us"] = "-1\n";
  EXPECT_FALSE(base::cpu_limit(Files(files)));
}

TEST(ReadSystemText, GivesNothingForWhatIsNotThere) {
  EXPECT_FALSE(base::read_system_text("/proc/self/no-such-file"));
  EXPECT_TRUE(base::read_system_text("/proc/self/status").value_or("").starts_with("Name:"));
}

TEST(Defaults, AreThoseOfARealMachine) {
  EXPECT_GT(default_memory_bytes(), std::size_t{1} << 20);
  EXPECT_GE(default_threads(), 1u);
}

}  // namespace
}  // namespace neardup::test
