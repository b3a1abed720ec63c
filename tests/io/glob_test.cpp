#include "io/glob.h"

#include <glob.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "base/random.h"
#include "support/scratch.h"

namespace neardup::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> by_the_c_library(const std::string& pattern) {
  glob_t found{};
  std::vector<std::string> paths;
  if (::glob(pattern.c_str(), 0, nullptr, &found) == 0) {
    paths.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  }
  globfree(&found);
  std::sort(paths.begin(), paths.end());
  return paths;
}

class Glob : public ::testing::Test {
 protected:
  Glob() {
    for (const char* folder : {"a/b", "a/.hidden", "ab/b", "b"}) {
      std::filesystem::create_directories(scratch_ / folder);
      for (const char* name : {"a.txt", "b.txt", ".a.txt", "a[1]"}) {
        write_bytes(scratch_ / std::string(folder) + "/" + name, "");
      }
    }
    std::filesystem::create_symlink("nowhere", scratch_ / "a/dangling");
  }
  std::vector<std::string> found(const std::string& pattern) {
    return io::glob(system_files(), scratch_ / pattern).paths;
  }

  ScratchFolder scratch_;
};

TEST_F(Glob, MatchesNamesInSeveralFolders) {
  EXPECT_THAT(found("a*/b/[!b].txt"), ElementsAre(scratch_ / "a/b/a.txt", scratch_ / "ab/b/a.txt"));
}

TEST_F(Glob, MatchesALeadingDotOnlyWhenItIsWritten) {
  EXPECT_THAT(found("b/*.txt"), ElementsAre(scratch_ / "b/a.txt", scratch_ / "b/b.txt"));
  EXPECT_THAT(found("b/.a*"), ElementsAre(scratch_ / "b/.a.txt"));
}

TEST_F(Glob, GivesNothingForWhatDoesNotExist) { EXPECT_THAT(found("none/*"), IsEmpty()); }

TEST_F(Glob, AgreesWithTheCLibraryOnRandomPatterns) {
  const std::vector<std::string> pieces{"a", "b", "*",   "?",   "[ab]", "[!a]", "[",  "/",
                                        "/", ".", "\\a", "\\*", "txt",  "a[1]", "a/b"};
  base::Random random(1);
  std::size_t matches = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string pattern = scratch_ / "";
    for (auto left = 1 + random.below(6); left > 0; --left) pattern += pieces[random.below(pieces.size())];
    if (pattern.find("//") != pattern.npos) continue;            // the library keeps or drops slashes as it likes
    if ((pattern + '/').find("/**/") != pattern.npos) continue;  // means more here
    const auto expected = by_the_c_library(pattern);
    matches += expected.size();
    ASSERT_EQ(io::glob(system_files(), pattern).paths, expected) << pattern;
  }
  EXPECT_GT(matches, 1000u);
}

TEST_F(Glob, TwoStarsMeanAnyNumberOfFolders) {
  EXPECT_THAT(found("a/**/a.txt"), ElementsAre(scratch_ / "a/b/a.txt"));
  EXPECT_THAT(found("**/b/a.txt"), ElementsAre(scratch_ / "a/b/a.txt", scratch_ / "ab/b/a.txt", scratch_ / "b/a.txt"));
  EXPECT_THAT(found("ab/**"), ElementsAre(scratch_ / "ab/b/a.txt", scratch_ / "ab/b/a[1]", scratch_ / "ab/b/b.txt"));
  EXPECT_THAT(found("**/**/[!b].txt"),
              ElementsAre(scratch_ / "a/b/a.txt", scratch_ / "ab/b/a.txt", scratch_ / "b/a.txt"));
  std::filesystem::create_directory_symlink(scratch_ / "ab", scratch_ / "ab/b/up");
  EXPECT_THAT(found("ab/**/a.txt"), ElementsAre(scratch_ / "ab/b/a.txt")) << "a loop is entered once";
}

TEST_F(Glob, BracesStandForEachOfTheirWords) {
  EXPECT_THAT(found("{ab,b}/{b/,}a.txt"), ElementsAre(scratch_ / "ab/b/a.txt", scratch_ / "b/a.txt"));
  EXPECT_THAT(found("b/{a,{b,c}}.txt"), ElementsAre(scratch_ / "b/a.txt", scratch_ / "b/b.txt"));
  EXPECT_TRUE(io::is_glob("x.{csv,tsv}"));
  EXPECT_FALSE(io::is_glob("x{1}.csv"));
}

TEST(PathFilter, ComparesNamesOrWholePaths) {
  const io::PathFilter filter({"*.py", "docs/**/*.{md,txt}"}, {"test_*", "build/"});
  EXPECT_TRUE(filter.wants_file("a/b/x.py", "root/a/b/x.py"));
  EXPECT_FALSE(filter.wants_file("a/b/x.pyc", "root/a/b/x.pyc"));
  EXPECT_FALSE(filter.wants_file("a/test_x.py", "root/a/test_x.py"));
  EXPECT_TRUE(filter.wants_file("docs/x.md", "root/docs/x.md"));
  EXPECT_TRUE(filter.wants_file("docs/a/b/x.txt", "root/docs/a/b/x.txt"));
  EXPECT_FALSE(filter.wants_file("other/x.md", "root/other/x.md"));
  EXPECT_FALSE(filter.wants_folder("a/build", "root/a/build"));
  EXPECT_TRUE(filter.wants_folder("a/b", "root/a/b"));
  EXPECT_TRUE(io::PathFilter({"root/*.py"}, {}).wants_file("x.py", "root/x.py")) << "as it is shown";
}

}  // namespace
}  // namespace neardup::test
