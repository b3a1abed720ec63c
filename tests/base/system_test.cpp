#include "base/system.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <stop_token>
#include <vector>

#include "neardup/error.h"
#include "neardup/temporary.h"
#include "support/failing_files.h"
#include "support/scratch.h"

namespace neardup::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

TEST(Context, ZerosMeanTheMachinesOwn) {
  EXPECT_GE(base::threads({}), 1u);
  EXPECT_GT(base::memory_bytes({}), std::size_t{1} << 20);
  EXPECT_EQ(&base::files({}), &system_files());
}

TEST(Context, ValuesAreTakenAsTheyAre) {
  FailingFiles files(FailingFiles::Mode::once, FailingFiles::kNever);
  const Context context{.threads = 3, .memory_bytes = 12345, .files = &files};
  EXPECT_EQ(base::threads(context), 3u);
  EXPECT_EQ(base::memory_bytes(context), 12345u);
  EXPECT_EQ(&base::files(context), &files);
}

TEST(Context, ThrowsWhenAskedToStop) {
  std::stop_source source;
  const Context context{.stop = source.get_token()};
  EXPECT_NO_THROW(base::check_stop(context));
  source.request_stop();
  error_of(ErrorCode::interrupted, [&] { base::check_stop(context); });
}

TEST(TempFolder, StandsBelowTheContextsFolderAndVanishesWithItsContents) {
  const ScratchFolder scratch;
  const Context context{.temp_folder = scratch / "made/on/demand"};
  fs::path path;
  {
    const base::TempFolder temp(context);
    path = temp.path();
    EXPECT_EQ(path.parent_path(), context.temp_folder);
    EXPECT_TRUE(fs::is_directory(path));
    fs::create_directories(path / "a/b");
    write_bytes(path / "a/b/c", "x");
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST(TempFolder, IsOfItsOwnEachTime) {
  const ScratchFolder scratch;
  const Context context{.temp_folder = scratch.path()};
  const base::TempFolder one(context), two(context);
  EXPECT_NE(one.path(), two.path());
}

TEST(TempFolder, ThatCannotBeMadeIsAnErrorWithItsPlace) {
  const ScratchFolder scratch;
  write_bytes(scratch / "file", "");
  const Context context{.temp_folder = scratch / "file"};
  EXPECT_THAT(error_of(ErrorCode::output, [&] { const base::TempFolder temp(context); }), HasSubstr(scratch / "file"));
}

// What a run left that was killed. No process has this number.
fs::path left_by_a_dead_process(const ScratchFolder& scratch, const std::string& ending) {
  const fs::path folder = scratch / ("neardup-2147483647-" + ending);
  fs::create_directory(folder);
  write_bytes(folder / ".lock", "");
  write_bytes(folder / "input-0", "a whole input");
  return folder;
}

TEST(TempFolder, SweepsThoseOfDeadProcesses) {
  const ScratchFolder scratch;
  const fs::path dead = left_by_a_dead_process(scratch, "abcdef");
  const base::TempFolder temp(Context{.temp_folder = scratch.path()});
  EXPECT_FALSE(fs::exists(dead));
}

TEST(AbandonedFiles, AreRemovedByThoseWhoNeedNoneToo) {
  const ScratchFolder scratch;
  const fs::path dead = left_by_a_dead_process(scratch, "abcdef"), used = left_by_a_dead_process(scratch, "in-use");
  const auto lock = system_files().lock(used / ".lock");
  remove_abandoned_files({.temp_folder = scratch.path()});
  EXPECT_FALSE(fs::exists(dead));
  EXPECT_TRUE(fs::exists(used / "input-0"));
  remove_abandoned_files({.temp_folder = scratch / "nowhere"});
  EXPECT_FALSE(fs::exists(scratch / "nowhere"));
}

TEST(TempFolder, LeavesALockedOneAlone) {
  const ScratchFolder scratch;
  const fs::path elsewhere = left_by_a_dead_process(scratch, "abcdef");  // its process lives in another container
  const auto lock = system_files().lock(elsewhere / ".lock");
  const base::TempFolder temp(Context{.temp_folder = scratch.path()});
  EXPECT_TRUE(fs::exists(elsewhere / "input-0"));
}

TEST(TempFolder, LeavesAloneWhatIsNotOfItsMaking) {
  const ScratchFolder scratch;
  for (const char* name : {"neardup-test", "neardup-x-abcdef", "neardup-2147483647", "neardup-2147483647x", "other"}) {
    fs::create_directory(scratch / name);
    write_bytes(scratch / name + "/.lock", "");
  }
  const fs::path target = left_by_a_dead_process(scratch, "target");
  fs::rename(target, scratch / "precious");
  fs::create_directory_symlink("precious", target);
  fs::create_directory(scratch / "neardup-2147483647-unlocked");
  const auto before = everything_in(scratch.path());
  { const base::TempFolder temp(Context{.temp_folder = scratch.path()}); }
  EXPECT_EQ(everything_in(scratch.path()), before);
}

TEST(Memory, PeakIsAtLeastWhatIsHeld) {
  const std::vector<char> held(32u << 20, 'x');
  EXPECT_EQ(held[12345], 'x');
  EXPECT_GE(base::peak_memory_bytes(), 32u << 20);
}

}  // namespace
}  // namespace neardup::test
