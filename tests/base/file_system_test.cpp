#include "neardup/file_system.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
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

}  // namespace
}  // namespace neardup::test
