// When the power fails at any moment of writing an output, the old one or the new one stands whole under the final
// name.
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <string>

#include "io/codecs/codecs.h"
#include "io/output.h"
#include "support/losing_files.h"

namespace neardup::test {
namespace {

using Tree = std::map<std::string, std::string>;

constexpr unsigned kMixtures = 6;

void write(FileSystem& files, const std::filesystem::path& path, const std::string& bytes) {
  const auto sink = io::open_sink(files, path, io::plain_codec());
  sink->write(bytes);
  sink->close();
}

void write_file(LosingFiles& disk, Overwrite overwrite) {
  io::OutputTransaction transaction("out", overwrite, Context{.files = &disk});
  write(disk, transaction.working_path(), "new");
  transaction.commit();
}

void write_folder(LosingFiles& disk, std::size_t files) {
  io::OutputTransaction transaction("out", Overwrite::replace, Context{.files = &disk});
  const auto& work = transaction.working_path();
  disk.create_folders(work / "kept");
  for (std::size_t i = 0; i < files; ++i) write(disk, work / "kept" / std::to_string(i), "new");
  write(disk, work / "run.json", "new");
  transaction.commit();
}

// The output alone.
Tree output_of(LosingFiles& disk) {
  Tree all = disk.contents("/");
  std::erase_if(all, [](const auto& entry) { return !entry.first.starts_with("out"); });
  return all;
}

// Writes on `disk` and looks at every state that a loss of power could leave.
void expect_old_or_new(LosingFiles& disk, const std::function<void(LosingFiles&)>& write) {
  const Tree old = output_of(disk);
  disk.collect_crashes(kMixtures);
  write(disk);
  const Tree fresh = output_of(disk);
  ASSERT_NE(old, fresh);
  std::size_t kept = 0, replaced = 0;
  for (const auto& crash : disk.crashes()) {
    const Tree left = output_of(*crash.disk);
    EXPECT_TRUE(left == old || left == fresh) << crash.when;
    ++(left == old ? kept : replaced);
  }
  EXPECT_GE(kept, 1u);
  EXPECT_GE(replaced, 1u);
  disk.collect_crashes(kMixtures);
  for (const auto& crash : disk.crashes()) EXPECT_EQ(output_of(*crash.disk), fresh) << "what is committed is on disk";
  EXPECT_EQ(output_of(disk), disk.contents("/")) << "nothing is left beside it";
}

void put_earlier_run(LosingFiles& disk) {
  disk.put("out/kept/0", "old");
  disk.put("out/kept/other", "old");
  disk.put("out/run.json", "old");
}

TEST(PowerLoss, LeavesAWholeNewFileOrNone) {
  LosingFiles disk;
  expect_old_or_new(disk, [](LosingFiles& files) { write_file(files, Overwrite::refuse); });
}

TEST(PowerLoss, LeavesTheOldFileOrTheNewOne) {
  LosingFiles disk;
  disk.put("out", "old");
  expect_old_or_new(disk, [](LosingFiles& files) { write_file(files, Overwrite::replace); });
}

TEST(PowerLoss, LeavesTheOldFolderOrTheNewOne) {
  LosingFiles disk;
  put_earlier_run(disk);
  expect_old_or_new(disk, [](LosingFiles& files) { write_folder(files, 2); });
}

TEST(PowerLoss, LeavesAWholeFolderOfManyFilesOrNone) {
  LosingFiles disk;
  expect_old_or_new(disk, [](LosingFiles& files) { write_folder(files, 100); });
}

TEST(PowerLoss, LeavesTheOldFileOrTheNewFolder) {
  LosingFiles disk;
  disk.put("out", "old");
  expect_old_or_new(disk, [](LosingFiles& files) { write_folder(files, 2); });
}

// A file system that cannot exchange names has a moment without an output; the next run ends it.
TEST(PowerLoss, IsMendedByTheNextRunWhereFoldersCannotBeExchanged) {
  LosingFiles disk;
  disk.can_exchange = false;
  put_earlier_run(disk);
  const Tree old = output_of(disk);
  disk.collect_crashes(kMixtures);
  write_folder(disk, 2);
  const Tree fresh = output_of(disk);
  std::size_t mended = 0;
  for (const auto& crash : disk.crashes()) {
    mended += output_of(*crash.disk).empty() ? 1 : 0;
    { const io::OutputTransaction next("out", Overwrite::replace, Context{.files = crash.disk.get()}); }
    const Tree left = output_of(*crash.disk);
    EXPECT_TRUE(left == old || left == fresh) << crash.when;
    for (const auto& [name, bytes] : crash.disk->contents("/")) EXPECT_EQ(name.find(".old"), name.npos) << crash.when;
  }
  EXPECT_GE(mended, 1u);
}

TEST(PowerLoss, LeavesEachOfTwoOutputsWhole) {
  for (const bool can_exchange : {true, false}) {
    LosingFiles disk;
    disk.can_exchange = can_exchange;
    disk.put("out", "old");
    disk.put("out.quarantine", "old");
    disk.collect_crashes(kMixtures);
    {
      const Context context{.files = &disk};
      io::OutputTransaction one("out", Overwrite::replace, context), two("out.quarantine", Overwrite::replace, context);
      write(disk, one.working_path(), "new");
      write(disk, two.working_path(), "new");
      io::OutputTransaction::commit_together({&one, &two});
    }
    for (const auto& crash : disk.crashes()) {
      const Context context{.files = crash.disk.get()};
      { const io::OutputTransaction next("out", Overwrite::replace, context); }
      for (const auto& [name, bytes] : output_of(*crash.disk)) EXPECT_TRUE(bytes == "old" || bytes == "new") << name;
      EXPECT_EQ(output_of(*crash.disk).size(), 2u) << crash.when;
    }
    EXPECT_EQ(disk.contents("/"), (Tree{{"out", "new"}, {"out.quarantine", "new"}}));
  }
}

// The double itself: what it may lose, and what it must keep.
TEST(LosingFiles, LoseBytesThatWereNotSynced) {
  LosingFiles disk;
  const auto file = disk.create("a");
  file->write(std::string("synced"));
  file->sync();
  disk.sync("/");
  file->write(std::string("lost"));
  disk.collect_crashes(kMixtures);
  std::set<std::string> seen;
  for (const auto& crash : disk.crashes()) seen.insert(crash.disk->contents("/").at("a"));
  EXPECT_TRUE(seen.contains("synced"));
  EXPECT_TRUE(seen.contains("syncedlost"));
  for (const std::string& bytes : seen) EXPECT_TRUE(bytes.starts_with("synced")) << bytes;
}

TEST(LosingFiles, LoseANameWhoseFolderWasNotSynced) {
  LosingFiles disk;
  disk.put("a", "x");
  disk.rename("a", "b");
  disk.collect_crashes(kMixtures);
  std::set<Tree> seen;
  for (const auto& crash : disk.crashes()) seen.insert(crash.disk->contents("/"));
  EXPECT_EQ(seen, (std::set<Tree>{{{"a", "x"}}, {{"b", "x"}}}));
  disk.sync("/");
  disk.collect_crashes(kMixtures);
  for (const auto& crash : disk.crashes()) EXPECT_EQ(crash.disk->contents("/"), (Tree{{"b", "x"}}));
}

}  // namespace
}  // namespace neardup::test
