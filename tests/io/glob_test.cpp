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
  std::vector<std::string> found(const std::string& pattern) { return io::glob(system_files(), scratch_ / pattern); }

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
    if (pattern.find("//") != pattern.npos) continue;  // the library keeps or drops slashes as it likes
    const auto expected = by_the_c_library(pattern);
    matches += expected.size();
    ASSERT_EQ(io::glob(system_files(), pattern), expected) << pattern;
  }
  EXPECT_GT(matches, 1000u);
}

}  // namespace
}  // namespace neardup::test
