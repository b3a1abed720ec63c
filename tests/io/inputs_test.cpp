#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "base/system.h"
#include "support.h"
#include "support/warnings.h"

namespace neardup::test {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Inputs : public ::testing::Test {
 protected:
  std::string put(const std::string& name, const std::string& bytes) {
    const fs::path path = folder_.path() / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << bytes;
    return path.string();
  }
  std::string path(const std::string& name) const { return (folder_.path() / name).string(); }
  std::vector<std::string> relative_paths(const std::vector<std::string>& inputs) {
    const auto collection = Collection::open(inputs, {}, context_);
    std::vector<std::string> out;
    for (const auto& source : io::impl_of(collection).sources) out.push_back(source.relative);
    return out;
  }

  Warnings warnings_;
  Context context_{.observer = &warnings_};
  base::TempFolder folder_{Context{}};
};

TEST_F(Inputs, WalksFoldersInTheOrderOfNames) {
  put("c/b.txt", "1");
  put("c/a/z.txt", "2");
  put("c/B.txt", "3");
  put("c/.hidden", "4");
  put("c/.git/x.txt", "5");
  EXPECT_THAT(relative_paths({path("c")}), ElementsAre("B.txt", "a/z.txt", "b.txt"));
  EXPECT_THAT(relative_paths({path("c/")}), ElementsAre("B.txt", "a/z.txt", "b.txt"));
}

TEST_F(Inputs, PutsPathsBelowTheCommonFolder) {
  put("x/a/1.txt", "1");
  put("x/b/2.txt", "2");
  EXPECT_THAT(relative_paths({path("x/b/2.txt"), path("x/a/1.txt")}), ElementsAre("b/2.txt", "a/1.txt"));
  EXPECT_THAT(relative_paths({path("x/b/2.txt")}), ElementsAre("2.txt"));
  EXPECT_THAT(relative_paths({path("x/a"), path("x/b")}), ElementsAre("a/1.txt", "b/2.txt"));
}

TEST_F(Inputs, GivesTheSameFileNamedTwiceTwoPlaces) {
  const std::string file = put("a.txt", "x");
  EXPECT_THAT(relative_paths({file, file}), ElementsAre("a.txt", "2-a.txt"));
}

TEST_F(Inputs, EndsFolderLoopsWithAWarning) {
  put("c/a/x.txt", "1");
  fs::create_directory_symlink(path("c"), path("c/a/up"));
  EXPECT_THAT(relative_paths({path("c")}), ElementsAre("a/x.txt"));
  EXPECT_THAT(warnings_.messages, ElementsAre(HasSubstr("c/a/up leads to a folder that was read already")));
}

TEST_F(Inputs, ExpandsGlobs) {
  put("g/2.txt", "");
  put("g/1.txt", "");
  put("g/x.csv", "text\n");
  EXPECT_THAT(relative_paths({path("g/*.txt")}), ElementsAre("1.txt", "2.txt"));
  EXPECT_THAT(error_of([&] { relative_paths({path("g/*.none")}); }, ErrorCode::input), HasSubstr("no file matches"));
}

TEST_F(Inputs, TakesANameWithAStarLiterallyWhenItExists) {
  put("g/a*.txt", "");
  put("g/ab.txt", "");
  EXPECT_THAT(relative_paths({path("g/a*.txt")}), ElementsAre("a*.txt"));
}

TEST_F(Inputs, SaysWhatIsMissing) {
  EXPECT_EQ(error_of([&] { relative_paths({path("nothing.jsonl")}); }, ErrorCode::input),
            "no such file or folder: " + path("nothing.jsonl"));
  fs::create_directories(path("empty"));
  EXPECT_THAT(error_of([&] { relative_paths({path("empty")}); }, ErrorCode::input), HasSubstr("no files in"));
  EXPECT_THAT(error_of([&] { relative_paths({}); }, ErrorCode::usage), HasSubstr("no input"));
}

TEST_F(Inputs, SaysWhichFileCannotBeRead) {
  fs::create_directories(path("c"));
  fs::create_symlink(path("gone"), path("c/dangling.txt"));
  put("c/good.txt", "x");
  EXPECT_THAT(texts(read_all(Collection::open({path("c")}, {}, context_), context_)),
              ElementsAre("BAD: cannot be read: No such file or directory", "x"));
  EXPECT_THAT(error_of([&] { relative_paths({path("c/dangling.txt")}); }, ErrorCode::input), HasSubstr("dangling.txt"));
}

TEST_F(Inputs, NamesAFileWithoutPermission) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may read everything";
  const std::string file = put("secret.txt", "x");
  fs::permissions(file, fs::perms::none);
  EXPECT_THAT(error_of([&] { relative_paths({file}); }, ErrorCode::input), HasSubstr("secret.txt"));
}

TEST_F(Inputs, ReadsAPipeTwiceByKeepingACopy) {
  const std::string fifo = path("pipe");
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  const std::string bytes = encode(".gz", "{\"text\":\"piped\"}\n");
  std::jthread writer([&] {
    const int end = ::open(fifo.c_str(), O_WRONLY);  // waits for the reader
    EXPECT_EQ(::write(end, bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
    ::close(end);
  });
  const auto collection = Collection::open({fifo}, {}, context_);
  EXPECT_THAT(texts(read_all(collection, context_)), ElementsAre("piped"));
  EXPECT_THAT(texts(read_all(collection, context_)), ElementsAre("piped"));
}

TEST_F(Inputs, SpoolsStandardInputAndRemovesTheCopyInTheEnd) {
  const std::string file = put("in.csv", "id,text\n1,a\n");
  const int saved = ::dup(STDIN_FILENO);
  const int fd = ::open(file.c_str(), O_RDONLY);
  ::dup2(fd, STDIN_FILENO);
  ::close(fd);
  context_.temp_folder = path("temp");
  {
    const auto collection = Collection::open({"-"}, {.format = "csv"}, context_);
    EXPECT_EQ(io::impl_of(collection).sources[0].path, "-");
    EXPECT_TRUE(io::impl_of(collection).single_input);
    EXPECT_THAT(texts(read_all(collection, context_)), ElementsAre("a"));
    EXPECT_FALSE(fs::is_empty(path("temp")));
  }
  EXPECT_TRUE(fs::is_empty(path("temp")));
  ::dup2(saved, STDIN_FILENO);
  ::close(saved);
}

TEST_F(Inputs, KnowsASingleFileFromAFolder) {
  const std::string file = put("c/a.txt", "x");
  EXPECT_TRUE(io::impl_of(Collection::open({file}, {}, context_)).single_input);
  EXPECT_FALSE(io::impl_of(Collection::open({path("c")}, {}, context_)).single_input);
  EXPECT_FALSE(io::impl_of(Collection::open({file, file}, {}, context_)).single_input);
}

std::string sniffed(const std::string& name, const std::string& bytes) {
  Disk disk(std::map<std::string, std::string>{{name, bytes}});
  return std::string(io::impl_of(disk.open(name)).sources[0].format->name);
}

TEST(Sniffing, GoesByContentFirst) {
  EXPECT_EQ(sniffed("a.txt", "{\"text\":1}\n"), "jsonl");
  EXPECT_EQ(sniffed("a", "\n  [ {\"text\":1}]"), "json");
  EXPECT_EQ(sniffed("a.jsonl", "[{}]"), "json");
  EXPECT_EQ(sniffed("a", encode(".zst", "{\"text\":1}\n")), "jsonl");
}

TEST(Sniffing, GoesByNameWhereContentCannotTell) {
  EXPECT_EQ(sniffed("a.csv", "{\"a\",b\n"), "csv");
  EXPECT_EQ(sniffed("a.tsv.gz", encode(".gz", "a\tb\n")), "tsv");
  EXPECT_EQ(sniffed("a.sets", "1 2\n"), "sets");
  EXPECT_EQ(sniffed("a.ndjson", ""), "jsonl");
  EXPECT_EQ(sniffed("a.json", ""), "json");
}

TEST(Sniffing, TakesEverythingElseForText) {
  EXPECT_EQ(sniffed("a.txt", "[1] first"), "text");
  EXPECT_EQ(sniffed("a.c", "{ int x; }"), "text");
  EXPECT_EQ(sniffed("a", ""), "text");
}

TEST(Sniffing, RefusesABinaryFileThatIsNamed) {
  const auto said = [](const std::string& bytes, const ReadOptions& options = {}) {
    return error_of([&] { read_bytes("a.dat", bytes, options); }, ErrorCode::input);
  };
  EXPECT_EQ(said("PARE...."), "a.dat is an encrypted Parquet file, which is not read");
  EXPECT_EQ(said("%PDF-1.7\n"), "a.dat is a PDF file, which is not read");
  EXPECT_THAT(said("\x89PNG\r\n\x1A\n...", {.format = "lines"}), HasSubstr("a PNG image"));
  EXPECT_THAT(said(std::string("\xCB\r\r\n\0\0\0\0 code", 12)), HasSubstr("NUL bytes"));
  EXPECT_EQ(read_one("a.dat", std::string("a\0b", 3), {.format = "text"}).text, std::string("a\0b", 3));
}

TEST(Sniffing, TakesWideTextForText) {
  const std::string latin("h\0e\0l\0l\0o\0 \0w\0o\0r\0l\0d\0\n\0", 24);
  EXPECT_EQ(sniffed("a", latin), "text");
  EXPECT_EQ(sniffed("a", "\xFF\xFE" + latin), "text");
}

TEST_F(Inputs, LeavesOutBinaryFilesThatAreFound) {
  put("c/a.txt", "x");
  put("c/b.png", "\x89PNG\r\n\x1A\n");
  put("c/c.bin", std::string("\0\1", 2));
  const auto collection = Collection::open({path("c")}, {}, context_);
  EXPECT_EQ(io::impl_of(collection).sources.size(), 1u);
  EXPECT_EQ(io::impl_of(collection).binary_files, 2u);
  EXPECT_THAT(warnings_.messages, ElementsAre(HasSubstr("2 binary files skipped; the first is " + path("c/b.png"))));
  EXPECT_THAT(error_of([&] { relative_paths({path("c/*.png")}); }, ErrorCode::input),
              HasSubstr("all files are binary"));
}

TEST_F(Inputs, FiltersWhatIsFoundButNotWhatIsNamed) {
  put("c/a.txt", "1");
  put("c/b.md", "2");
  put("c/d/c.txt", "3");
  const auto found = [&](const InputFiles& files) {
    const auto collection = Collection::open(files, {}, context_);
    std::vector<std::string> out;
    for (const auto& source : io::impl_of(collection).sources) out.push_back(source.relative);
    return out;
  };
  EXPECT_THAT(found({.inputs = {path("c")}, .include = {"*.txt"}}), ElementsAre("a.txt", "d/c.txt"));
  EXPECT_THAT(found({.inputs = {path("c")}, .exclude = {"d", "*.md"}}), ElementsAre("a.txt"));
  EXPECT_THAT(found({.inputs = {path("c/*"), path("c/b.md")}, .include = {"*.txt"}}),
              ElementsAre("a.txt", "d/c.txt", "b.md"));
  EXPECT_THAT(error_of([&] { found({.inputs = {path("c")}, .include = {"*.none"}}); }, ErrorCode::input),
              HasSubstr("`include` and `exclude` leave no files"));
}

TEST_F(Inputs, ReadsAListOfFiles) {
  const std::string a = put("a.txt", "1"), b = put("b*.txt", "2"), folder = path("c");
  put("c/x.txt", "3");
  const auto listed = [&](const std::string& list) {
    return texts(read_all(Collection::open({.files_from = put("list", list)}, {}, context_), context_));
  };
  EXPECT_THAT(listed(b + "\n\n" + a + "\r\n" + folder), ElementsAre("2", "1", "3"));
  EXPECT_THAT(listed(a + '\0' + b + '\0'), ElementsAre("1", "2"));
  EXPECT_THAT(error_of([&] { listed("\n"); }, ErrorCode::input), HasSubstr("names no files"));
  EXPECT_THAT(error_of([&] { listed(path("gone")); }, ErrorCode::input), HasSubstr("gone"));
}

TEST_F(Inputs, OfAFolderOfOutputsReadsWhatWasKept) {
  put("out/run.json", "{\"version\":\"0\",\"command_line\":[]}");
  put("out/kept.jsonl", "{\"text\":\"kept\"}\n");
  put("out/clusters.tsv", "cluster\tid\tkept\n");
  EXPECT_THAT(texts(read_all(Collection::open({path("out")}, {}, context_), context_)), ElementsAre("kept"));
  put("foreign/run.json", "{\"speed\":7}");
  put("foreign/kept.txt", "kept");
  EXPECT_EQ(relative_paths({path("foreign")}).size(), 2u);
}

TEST_F(Inputs, SaysThatAFileIsGivenTwice) {
  const std::string file = put("c/a.txt", "x");
  relative_paths({file, path("c")});
  EXPECT_THAT(warnings_.messages, ElementsAre(HasSubstr("c/a.txt is given twice")));
}

TEST_F(Inputs, SaysThatUrlsAreNotFetched) {
  EXPECT_THAT(error_of([&] { relative_paths({"https://host/a.jsonl"}); }, ErrorCode::input),
              HasSubstr("URLs are not fetched"));
}

TEST_F(Inputs, SaysWhenAFolderHoldsSeveralKindsOfFiles) {
  put("c/a.jsonl", "{\"text\":\"x\"}\n");
  put("c/b.tsv", "id\tname\n");
  EXPECT_THAT(error_of([&] { read_all(Collection::open({path("c")}, {}, context_), context_); }, ErrorCode::input),
              HasSubstr("the inputs are of several kinds (jsonl, tsv): `include`"));
}

TEST(Open, ListsTheFormatsWhenTheNameIsUnknown) {
  EXPECT_EQ(error_of([] { read_bytes("a", "", {.format = "xml"}); }, ErrorCode::usage),
            "`format` xml: unknown format; expected one of: auto, text, lines, html, jsonl, json, csv, tsv, sets, "
            "eml, mbox, warc, arc, parquet, arrow, arrows");
}

TEST(Open, RefusesImpossibleOptions) {
  for (const double sample : {0.0, -1.0, 1.5}) {
    EXPECT_THAT(error_of([&] { read_bytes("a", "", {.sample = sample}); }, ErrorCode::usage), HasSubstr("`sample`"));
  }
  EXPECT_THAT(error_of([] { read_bytes("a", "", {.max_record_bytes = 0}); }, ErrorCode::usage),
              HasSubstr("`max_record_bytes`"));
}

TEST(RecordName, IsTheKeyOrThePathAndLineOrThePath) {
  const io::Source source{.path = "a/b.txt"};
  EXPECT_EQ(io::record_name(source, 3, "key"), "key");
  EXPECT_EQ(io::record_name(source, 3, ""), "a/b.txt:3");
  EXPECT_EQ(io::record_name(source, 0, ""), "a/b.txt");
}

TEST(Opening, RefusesANamedFieldWhenNoInputHasFields) {
  Disk disk(std::map<std::string, std::string>{{"a.txt", "x"}, {"b.sets", "1 2"}, {"c.jsonl", "{}"}});
  const ReadOptions text{.text_fields = {{"text"}}}, id{.id_field = "id"};
  EXPECT_EQ(error_of(
                [&] {
                  Collection::open({"a.txt", "b.sets"}, text, disk.context);
                },
                ErrorCode::usage),
            "`text_fields` names a field, but a.txt looks like text, whose records have none");
  error_of([&] { disk.open("b.sets", id); }, ErrorCode::usage);
  Collection::open({"a.txt", "c.jsonl"}, text, disk.context);
}

TEST(Opening, RemembersItsFileSystem) {
  Disk disk(std::map<std::string, std::string>{{"a.txt", "here"}}), elsewhere;
  EXPECT_EQ(texts(read_all(disk.open("a.txt"), elsewhere.context)), std::vector<std::string>{"here"});
}

}  // namespace
}  // namespace neardup::test
