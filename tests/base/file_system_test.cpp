#include "neardup/files.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "support/scratch.h"

namespace neardup::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string read_all(InputFile& file) {
  std::string bytes, buffer(7, '\0');
  while (const std::size_t got = file.read(buffer)) bytes.append(buffer, 0, got);
  return bytes;
}

TEST(SystemFiles, ReadBackWhatWasWritten) {
  const ScratchFolder folder;
  const std::string path = folder / "file";
  const auto out = system_files().create(path);
  out->write(std::string("hello, "));
  out->write({});
  out->write(std::string("world"));
  out->sync();
  out->close();
  const auto in = system_files().open(path);
  EXPECT_EQ(in->size(), 12u);
  EXPECT_EQ(read_all(*in), "hello, world");
  std::string part(5, '\0');
  in->read_at(7, part);
  EXPECT_EQ(part, "world");
}

TEST(SystemFiles, CloseTwiceWithoutHarm) {
  const ScratchFolder folder;
  const auto out = system_files().create(folder / "file");
  out->close();
  EXPECT_NO_THROW(out->close());
}

TEST(SystemFiles, SayPathAndReasonWhenAFileIsMissing) {
  const ScratchFolder folder;
  EXPECT_THAT(error_of(ErrorCode::input, [&] { (void)system_files().open(folder / "none"); }),
              AllOf(HasSubstr(folder / "none"), HasSubstr("No such file or directory")));
}

TEST(SystemFiles, RefuseToReadAFolder) {
  const ScratchFolder folder;
  EXPECT_THAT(error_of(ErrorCode::input, [&] { (void)system_files().open(folder.path()); }),
              AllOf(HasSubstr(folder.path().string()), HasSubstr("Is a directory")));
}

TEST(SystemFiles, RefuseToReadBeyondTheEnd) {
  const ScratchFolder folder;
  write_bytes(folder / "file", "abc");
  const auto in = system_files().open(folder / "file");
  std::string part(2, '\0');
  EXPECT_THAT(error_of(ErrorCode::input, [&] { in->read_at(2, part); }), HasSubstr(folder / "file"));
}

TEST(SystemFiles, CreateOnlyWhatIsNotThere) {
  const ScratchFolder folder;
  write_bytes(folder / "file", "precious");
  EXPECT_THAT(error_of(ErrorCode::output, [&] { (void)system_files().create(folder / "file"); }),
              AllOf(HasSubstr(folder / "file"), HasSubstr("File exists")));
  EXPECT_EQ(bytes_of(folder / "file"), "precious");
}

TEST(SystemFiles, SayPathAndReasonWhenAFolderIsMissing) {
  const ScratchFolder folder;
  EXPECT_THAT(error_of(ErrorCode::output, [&] { (void)system_files().create(folder / "no/file"); }),
              AllOf(HasSubstr(folder / "no/file"), HasSubstr("No such file or directory")));
  EXPECT_THAT(error_of(ErrorCode::output, [&] { system_files().rename(folder / "a", folder / "b"); }),
              AllOf(HasSubstr(folder / "b"), HasSubstr("No such file or directory")));
}

TEST(SystemFiles, SayPathAndReasonWhenAFolderCannotBe) {
  const ScratchFolder folder;
  write_bytes(folder / "file", "");
  EXPECT_THAT(error_of(ErrorCode::output, [&] { system_files().create_folders(folder / "file/below"); }),
              AllOf(HasSubstr(folder / "file/below"), HasSubstr("Not a directory")));
}

TEST(SystemFiles, ReplaceAFileByRenaming) {
  const ScratchFolder folder;
  write_bytes(folder / "a", "new");
  write_bytes(folder / "b", "old");
  system_files().rename(folder / "a", folder / "b");
  EXPECT_EQ(bytes_of(folder / "b"), "new");
  EXPECT_FALSE(system_files().exists(folder / "a"));
}

TEST(SystemFiles, SeeADanglingLinkAsSomethingThatIsThere) {
  const ScratchFolder folder;
  ASSERT_EQ(symlink("nowhere", (folder / "link").c_str()), 0);
  EXPECT_TRUE(system_files().exists(folder / "link"));
  EXPECT_FALSE(system_files().exists(folder / "nowhere"));
}

TEST(SystemFiles, RemoveATreeAndAreSilentWhenThereIsNone) {
  const ScratchFolder folder;
  system_files().create_folders(folder / "a/b/c");
  write_bytes(folder / "a/b/file", "x");
  system_files().remove_all(folder / "a");
  EXPECT_FALSE(system_files().exists(folder / "a"));
  system_files().remove_all(folder / "a");
}

TEST(SystemFiles, AppendToWhatIsThereAndToNothing) {
  const ScratchFolder folder;
  for (const char* bytes : {"one", "two"}) {
    const auto out = system_files().append(folder / "file");
    out->write(std::string(bytes));
    out->close();
  }
  EXPECT_EQ(bytes_of(folder / "file"), "onetwo");
}

TEST(SystemFiles, ShortenButDoNotLengthen) {
  const ScratchFolder folder;
  write_bytes(folder / "file", "abcdef");
  system_files().truncate(folder / "file", 2);
  EXPECT_EQ(bytes_of(folder / "file"), "ab");
  EXPECT_THAT(error_of(ErrorCode::output, [&] { system_files().truncate(folder / "file", 3); }),
              HasSubstr(folder / "file"));
}

TEST(SystemFiles, TellKindsApart) {
  const ScratchFolder folder;
  write_bytes(folder / "file", "abc");
  ASSERT_EQ(symlink("file", (folder / "link").c_str()), 0);
  ASSERT_EQ(symlink("nowhere", (folder / "dangling").c_str()), 0);
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  const auto kind = [&](const char* name) { return system_files().info(folder / name).kind; };
  EXPECT_EQ(kind("file"), FileKind::file);
  EXPECT_EQ(kind("."), FileKind::folder);
  EXPECT_EQ(kind("pipe"), FileKind::stream);
  EXPECT_EQ(kind("link"), FileKind::file);
  EXPECT_EQ(kind("dangling"), FileKind::none);
  EXPECT_EQ(kind("file/below"), FileKind::none);
  EXPECT_EQ(system_files().link_info(folder / "link").kind, FileKind::link);
}

TEST(SystemFiles, GiveAFileOneIdentityUnderAllItsNames) {
  const ScratchFolder folder;
  write_bytes(folder / "file", "abc");
  write_bytes(folder / "other", "abc");
  ASSERT_EQ(symlink("file", (folder / "link").c_str()), 0);
  const FileInfo file = system_files().info(folder / "file");
  EXPECT_EQ(file.size, 3u);
  EXPECT_EQ(file.owner, geteuid());
  EXPECT_EQ(file.id, system_files().info(folder / "link").id);
  EXPECT_NE(file.id, system_files().info(folder / "other").id);
}

TEST(SystemFiles, NoticeAChangeByItsTime) {
  const ScratchFolder folder;
  write_bytes(folder / "file", "abc");
  const std::int64_t before = system_files().info(folder / "file").changed_ns;
  const timespec times[2] = {{.tv_sec = 1, .tv_nsec = 2}, {.tv_sec = 3, .tv_nsec = 4}};
  ASSERT_EQ(utimensat(AT_FDCWD, (folder / "file").c_str(), times, 0), 0);
  EXPECT_NE(system_files().info(folder / "file").changed_ns, before);
  EXPECT_EQ(system_files().info(folder / "file").changed_ns, 3'000'000'004);
}

TEST(SystemFiles, ListNamesInTheOrderOfTheirBytes) {
  const ScratchFolder folder;
  for (const char* name : {"b", "B", ".a", "a"}) write_bytes(folder / name, "");
  EXPECT_THAT(system_files().list(folder.path()), ::testing::ElementsAre(".a", "B", "a", "b"));
  EXPECT_THAT(error_of(ErrorCode::input, [&] { (void)system_files().list(folder / "none"); }),
              HasSubstr(folder / "none"));
}

TEST(SystemFiles, ResolveLinksAndKeepWhatDoesNotExist) {
  const ScratchFolder folder;
  system_files().create_folders(folder / "real");
  ASSERT_EQ(symlink("real", (folder / "link").c_str()), 0);
  EXPECT_EQ(system_files().resolve(folder / "link/../link/new"), system_files().resolve(folder.path()) / "real/new");
}

TEST(SystemFiles, ExchangeAFileAndAFolder) {
  const ScratchFolder folder;
  write_bytes(folder / "a", "x");
  system_files().create_folders(folder / "b/below");
  if (!system_files().exchange(folder / "a", folder / "b")) GTEST_SKIP() << "this file system cannot";
  EXPECT_EQ(bytes_of(folder / "b"), "x");
  EXPECT_TRUE(system_files().exists(folder / "a/below"));
  error_of(ErrorCode::output, [&] { (void)system_files().exchange(folder / "a", folder / "none"); });
}

TEST(SystemFiles, RemoveOneThingAndSayWhenTheyCannot) {
  const ScratchFolder folder;
  system_files().create_folders(folder / "a/b");
  error_of(ErrorCode::output, [&] { system_files().remove(folder / "a"); });
  system_files().remove(folder / "a/b");
  system_files().remove(folder / "a");
  EXPECT_THAT(error_of(ErrorCode::output, [&] { system_files().remove(folder / "a"); }),
              AllOf(HasSubstr(folder / "a"), HasSubstr("No such file or directory")));
}

TEST(SystemFiles, SyncFilesFoldersAndDisksButNotNothing) {
  const ScratchFolder folder;
  write_bytes(folder / "file", "abc");
  system_files().sync(folder / "file");
  system_files().sync(folder.path());
  system_files().sync_all(folder.path());
  error_of(ErrorCode::output, [&] { system_files().sync(folder / "none"); });
}

TEST(SystemFiles, HoldALockOnceUntilItIsGivenUp) {
  const ScratchFolder folder;
  auto held = system_files().lock(folder / "lock");
  EXPECT_THAT(error_of(ErrorCode::locked, [&] { (void)system_files().lock(folder / "lock"); }),
              HasSubstr(folder / "lock"));
  held.reset();
  EXPECT_NO_THROW((void)system_files().lock(folder / "lock"));
}

TEST(SystemFiles, MapAFileAndAnEmptyOne) {
  const ScratchFolder folder;
  write_bytes(folder / "file", "abc");
  write_bytes(folder / "empty", "");
  const auto map = system_files().map(folder / "file");
  EXPECT_EQ(std::string(map->bytes().begin(), map->bytes().end()), "abc");
  EXPECT_TRUE(system_files().map(folder / "empty")->bytes().empty());
  error_of(ErrorCode::input, [&] { (void)system_files().map(folder.path()); });
}

}  // namespace
}  // namespace neardup::test
