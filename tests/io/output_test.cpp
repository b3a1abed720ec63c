#include "io/output.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json.h"
#include "support.h"

namespace neardup::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;
using Kind = io::Target::Kind;

TEST(Target, IsAFileWhenTheNameEndsInAFormat) {
  for (const char* name : {"a.jsonl", "b/a.csv.zst", "a.tsv.gz", "a.json", "a.txt", "a.sets", "a.hex", "a.hex.gz"}) {
    EXPECT_EQ(io::parse_target(name).kind, Kind::file) << name;
  }
  EXPECT_EQ(io::parse_target("a.csv.zst").format->name, "csv");
  EXPECT_EQ(io::parse_target("a.csv.zst").codec->name, "zst");
  EXPECT_EQ(io::parse_target("a.hex").format, nullptr);
}

TEST(Target, IsStandardOutputAFolderOrNothingOtherwise) {
  EXPECT_EQ(io::parse_target("-").kind, Kind::stdout_stream);
  EXPECT_EQ(io::parse_target("").kind, Kind::none);
  for (const char* name : {"out", "out/", "a.b", "jsonl", "dir.jsonl/"}) {
    EXPECT_EQ(io::parse_target(name).kind, Kind::folder) << name;
  }
}

TEST(Target, ReadsEndingsWhateverTheirCase) {
  EXPECT_EQ(io::parse_target("A.JSONL").format->name, "jsonl");
  EXPECT_EQ(io::parse_target("A.Csv.GZ").codec->name, "gz");
  EXPECT_EQ(io::parse_target("a.HEX").kind, Kind::file);
}

TEST(Target, RefusesEndingsOfFilesThatAreNotWritten) {
  for (const char* name : {"a.zip", "a.tar.xz", "b.c/a.7Z"}) {
    EXPECT_THAT(error_of([&] { io::parse_target(name); }, ErrorCode::usage), HasSubstr("is not written")) << name;
  }
  EXPECT_EQ(io::parse_target("a.zip/").kind, Kind::folder);
}

TEST(NameLike, KeepsTheExtensionsOfTheSource) {
  Disk disk(std::map<std::string, std::string>{
      {"my.data.jsonl.gz", encode(".gz", "{\"text\":\"\"}")}, {"plain", "x"}, {"b.csv", ""}});
  EXPECT_EQ(io::name_like("kept", io::impl_of(disk.open("my.data.jsonl.gz")).sources[0]), "kept.jsonl.gz");
  EXPECT_EQ(io::name_like("kept", io::impl_of(disk.open("plain")).sources[0]), "kept.txt");
  EXPECT_EQ(io::name_like("removed", io::impl_of(disk.open("b.csv")).sources[0]), "removed.csv");
}

class Transaction : public ::testing::Test {
 protected:
  void write(io::OutputTransaction& transaction, const std::string& bytes) {
    const auto sink = io::open_sink(disk_.files, transaction.working_path(), io::plain_codec());
    sink->write(bytes);
    sink->close();
  }
  Disk disk_;
};

TEST_F(Transaction, ShowsNothingUnderTheFinalNameBeforeCommit) {
  io::OutputTransaction transaction("out.jsonl", Overwrite::refuse, disk_.context);
  write(transaction, "x");
  EXPECT_FALSE(disk_.files.exists("out.jsonl"));
  transaction.commit();
  EXPECT_THAT(disk_.files.contents, UnorderedElementsAre(Pair("out.jsonl", "x")));
}

TEST_F(Transaction, LeavesNothingBehindWithoutCommit) {
  {
    io::OutputTransaction transaction("out.jsonl", Overwrite::refuse, disk_.context);
    write(transaction, "x");
  }
  EXPECT_TRUE(disk_.files.contents.empty());
}

TEST_F(Transaction, LeavesNothingBehindWhenTheDiskIsFull) {
  disk_.files.room = 10;
  EXPECT_THAT(error_of(
                  [&] {
                    io::OutputTransaction transaction("out.jsonl", Overwrite::refuse, disk_.context);
                    write(transaction, std::string(11, 'x'));
                    transaction.commit();
                  },
                  ErrorCode::output),
              HasSubstr("no space left"));
  EXPECT_TRUE(disk_.files.contents.empty());
}

TEST_F(Transaction, LeavesTheOldFileWhenTheLastStepFails) {
  disk_.files.contents["out.jsonl"] = "old";
  disk_.files.renames_fail = true;
  error_of(
      [&] {
        io::OutputTransaction transaction("out.jsonl", Overwrite::replace, disk_.context);
        write(transaction, "new");
        transaction.commit();
      },
      ErrorCode::output);
  EXPECT_THAT(disk_.files.contents, UnorderedElementsAre(Pair("out.jsonl", "old")));
}

TEST_F(Transaction, RefusesWhatExistsAndNamesTheFlag) {
  disk_.files.contents["out.jsonl"] = "old";
  EXPECT_EQ(error_of([&] { io::OutputTransaction("out.jsonl", Overwrite::refuse, disk_.context); }, ErrorCode::output),
            "out.jsonl exists already");
}

TEST_F(Transaction, RefusesWhatAppearedMeanwhile) {
  io::OutputTransaction transaction("out.jsonl", Overwrite::refuse, disk_.context);
  write(transaction, "x");
  disk_.files.contents["out.jsonl"] = "somebody else's";
  error_of([&] { transaction.commit(); }, ErrorCode::output);
  EXPECT_EQ(disk_.files.contents["out.jsonl"], "somebody else's");
}

TEST_F(Transaction, ReplacesAWholeFolder) {
  disk_.files.contents["out"] = "";
  disk_.files.contents["out/kept.txt"] = "old";
  disk_.files.contents["out/run.json"] = "{}";
  io::OutputTransaction transaction("out/", Overwrite::replace, disk_.context);
  disk_.files.create_folders(transaction.working_path());
  const auto sink = io::open_sink(disk_.files, transaction.working_path() / "new.txt", io::plain_codec());
  sink->write("new");
  sink->close();
  transaction.commit();
  EXPECT_THAT(disk_.files.contents, UnorderedElementsAre(Pair("out", ""), Pair("out/new.txt", "new")));
}

TEST_F(Transaction, DoesNotReplaceAFolderThatHoldsWhatNoRunHasWritten) {
  disk_.files.contents["out"] = "";
  disk_.files.contents["out/kept.txt"] = disk_.files.contents["out/run.json"] = "{}";
  for (const char* name : {"a", "b", "kept-notes", "runs.json"})
    disk_.files.contents[std::string("out/") + name] = "mine";
  EXPECT_THAT(error_of([&] { io::OutputTransaction("out", Overwrite::replace, disk_.context); }, ErrorCode::output),
              HasSubstr("contains files that no run wrote: a, b, kept-notes, ..."));
}

TEST_F(Transaction, RefusesAMissingParentFolder) {
  EXPECT_THAT(error_of([&] { io::OutputTransaction("no/where/out.jsonl", Overwrite::refuse, disk_.context); },
                       ErrorCode::output),
              HasSubstr("the folder no/where does not exist"));
}

// What comes out when everything in `bytes` is written to a file called `to`.
std::string converted(const std::string& from, const std::string& bytes, const std::string& to,
                      const ReadOptions& options = {}, const io::Annotation* annotation = nullptr) {
  Disk disk(std::map<std::string, std::string>{{from, bytes}});
  return write_all(disk.open(from, options), disk.context, to, annotation);
}

TEST(Conversion, JsonLinesToArrayAndBack) {
  EXPECT_EQ(converted("a.jsonl", "{\"text\": 1.0}\n{\"text\":\"b\"}", "b.json"),
            "[\n{\"text\": 1.0},\n{\"text\":\"b\"}\n]\n");
  EXPECT_EQ(converted("a.json", "[{\n \"text\":\"a\\n\"\r\n},{}]", "b.jsonl"), "{  \"text\":\"a\\n\"  }\n{}\n");
  EXPECT_EQ(converted("a.jsonl", "", "b.json"), "[]\n");
}

TEST(Conversion, BetweenCsvAndTsv) {
  EXPECT_EQ(converted("a.csv", "id,text\n1,\"a,b\"\n2,\"c\td\"\n", "b.tsv"), "id\ttext\n1\ta,b\n2\t\"c\td\"\n");
  EXPECT_EQ(converted("a.tsv", "id\ttext\n1\ta,b\n", "b.csv"), "id,text\n1,\"a,b\"\n");
  EXPECT_EQ(converted("a.csv", "text\n\"\"\n", "b.tsv"), "text\n\"\"\n");
}

TEST(Conversion, FromCsvToJsonKeepsValuesAsStrings) {
  EXPECT_EQ(converted("a.csv", "id,text\n01,\"say \"\"hi\"\"\"\n", "b.jsonl"),
            "{\"id\":\"01\",\"text\":\"say \\\"hi\\\"\"}\n");
  EXPECT_EQ(converted("a.csv", "\xEF\xBB\xBFtext\nx\n", "b.json"), "[\n{\"text\":\"x\"}\n]\n");
}

TEST(Conversion, RefusesColumnsOfTheSameNameAsJson) {
  EXPECT_THAT(error_of([] { converted("a.csv", "text,x,x\na,b,c\n", "b.jsonl"); }, ErrorCode::usage),
              HasSubstr("two columns are called \"x\""));
  EXPECT_EQ(converted("a.csv", "text,x,x\na,b,c\n", "b.tsv"), "text\tx\tx\na\tb\tc\n");
}

TEST(Conversion, FromTextToJson) {
  EXPECT_EQ(converted("a", "one\n\"two\"\n", "b.jsonl", {.format = "lines"}),
            "{\"text\":\"one\"}\n{\"text\":\"\\\"two\\\"\"}\n");
  EXPECT_EQ(converted("a.txt", "one\ntwo", "b.jsonl"), "{\"id\":\"a.txt\",\"text\":\"one\\ntwo\"}\n");
  EXPECT_THAT(error_of([] { converted("a.txt", "\xFF", "b.jsonl"); }, ErrorCode::usage), HasSubstr("invalid UTF-8"));
}

TEST(Conversion, RefusesWhatWouldLoseSomething) {
  EXPECT_THAT(error_of([] { converted("a.jsonl", "{\"text\":\"\"}", "b.csv"); }, ErrorCode::usage),
              HasSubstr("jsonl cannot be written as csv without loss"));
  error_of([] { converted("a.sets", "1 2\n", "b.jsonl"); }, ErrorCode::usage);
  error_of([] { converted("a.txt", "x", "b.csv"); }, ErrorCode::usage);
}

TEST(Writer, AddsALineEndOnlyWhenAnotherRecordFollows) {
  Disk disk(std::map<std::string, std::string>{{"a.jsonl", "{\"text\":\"a\"}"}, {"b.jsonl", "{\"text\":\"b\"}"}});
  const auto collection = Collection::open({"a.jsonl", "b.jsonl"}, {}, disk.context);
  EXPECT_EQ(write_all(collection, disk.context, "o.jsonl"), "{\"text\":\"a\"}\n{\"text\":\"b\"}");
}

TEST(Writer, WritesOneHeaderForSeveralCsvFilesWithTheSameColumns) {
  Disk disk(std::map<std::string, std::string>{
      {"a.csv", "id,text\n1,a\n"}, {"b.csv", "id,text\n2,b\n"}, {"c.csv", "text,id\nc,3\n"}});
  EXPECT_EQ(write_all(Collection::open({"a.csv", "b.csv"}, {}, disk.context), disk.context, "o.csv"),
            "id,text\n1,a\n2,b\n");
  EXPECT_THAT(error_of(
                  [&] {
                    write_all(Collection::open({"a.csv", "c.csv"}, {}, disk.context), disk.context, "o.csv");
                  },
                  ErrorCode::usage),
              HasSubstr("c.csv: its columns differ"));
}

TEST(Writer, WritesTheHeaderEvenWhenNoRowIsKept) {
  Disk disk(std::map<std::string, std::string>{{"a.csv", "id,text\r\n1,a\r\n"}});
  const auto writer =
      io::make_writer(disk.open("a.csv"), io::open_sink(disk.files, "o.csv", io::plain_codec()), nullptr, {});
  writer->close();
  EXPECT_EQ(disk.files.contents["o.csv"], "id,text\r\n");
}

TEST(Writer, RefusesSeveralTextsInOneTextFile) {
  Disk disk(std::map<std::string, std::string>{{"a.txt", "a"}, {"b.txt", "b"}});
  error_of(
      [&] {
        write_all(Collection::open({"a.txt", "b.txt"}, {}, disk.context), disk.context, "o.txt");
      },
      ErrorCode::usage);
}

TEST(Writer, RefusesSeveralTextsInOneStream) {
  Disk disk(std::map<std::string, std::string>{{"a.txt", "a"}, {"b.txt", "b"}});
  const auto collection = Collection::open({"a.txt", "b.txt"}, {}, disk.context);
  error_of([&] { io::check_writable(collection, nullptr, {}); }, ErrorCode::usage);
  io::check_writable_apart(collection, {});
}

TEST(Writer, LetsSourcesOfAFolderHaveFormatsOfTheirOwn) {
  Disk disk(std::map<std::string, std::string>{{"a.csv", "text\na\n"}, {"b.jsonl", "{}"}, {"c.txt", "c"}});
  io::check_writable_apart(Collection::open({"a.csv", "b.jsonl", "c.txt"}, {}, disk.context), {});
  io::check_writable_apart(Collection::open({"a.csv", "b.jsonl"}, {}, disk.context), io::decision_fields());
  EXPECT_THAT(
      error_of(
          [&] {
            io::check_writable_apart(Collection::open({"b.jsonl", "c.txt"}, {}, disk.context), io::decision_fields());
          },
          ErrorCode::usage),
      HasSubstr("c.txt: `annotate` needs fields"));
}

TEST(Annotate, RefusesAFieldThatIsThereAlready) {
  const io::Annotation in{"", "true", ""};
  for (const char* record : {"{\"neardup_score\":1}", "{\"a\":[{\"b\":\"\\\"{\"}], \"neardup_cluster\"\t: 1}"}) {
    EXPECT_THAT(error_of([&] { converted("a.jsonl", record, "b.jsonl", {}, &in); }, ErrorCode::usage),
                HasSubstr("a.jsonl:1: there is a field neardup_"));
  }
  error_of([&] { converted("a.csv", "text,neardup_kept\nx,1\n", "b.csv", {}, &in); }, ErrorCode::usage);
  error_of([&] { converted("a.csv", "text,neardup_kept\nx,1\n", "b.jsonl", {}, &in); }, ErrorCode::usage);
}

TEST(Annotate, AllowsItsNamesInValuesAndInNestedObjects) {
  const io::Annotation in{"", "true", ""};
  EXPECT_THAT(converted("a.jsonl", "{\"a\":\"neardup_kept\",\"b\":{\"neardup_kept\":1}}", "b.jsonl", {}, &in),
              HasSubstr("\"b\":{\"neardup_kept\":1},\"neardup_cluster\":null"));
  EXPECT_EQ(converted("a.jsonl", "\"neardup_kept", "b.jsonl", {}, &in), "\"neardup_kept");
}

TEST(Annotate, AddsFieldsToJson) {
  const io::Annotation in{"c\"1", "false", "0.850000"};
  EXPECT_EQ(converted("a.jsonl", "{\"text\":\"a}\" }\n{}\n", "b.jsonl", {}, &in),
            "{\"text\":\"a}\" ,\"neardup_cluster\":\"c\\\"1\",\"neardup_kept\":false,\"neardup_score\":0.850000}\n"
            "{\"neardup_cluster\":\"c\\\"1\",\"neardup_kept\":false,\"neardup_score\":0.850000}\n");
  const io::Annotation alone{"", "true", ""};
  EXPECT_EQ(converted("a.json", "[{ }]", "b.json", {}, &alone),
            "[\n{ \"neardup_cluster\":null,\"neardup_kept\":true,\"neardup_score\":null}\n]\n");
}

TEST(Annotate, AddsColumnsToCsv) {
  const io::Annotation in{"a,b", "true", ""};
  EXPECT_EQ(converted("a.csv", "id,text\n1,x\n", "b.csv", {}, &in),
            "id,text,neardup_cluster,neardup_kept,neardup_score\n1,x,\"a,b\",true,\n");
}

TEST(Annotate, NeedsAFormatWithFields) {
  const io::Annotation in{"", "true", ""};
  EXPECT_THAT(error_of([&] { converted("a.txt", "x", "b.txt", {}, &in); }, ErrorCode::usage), HasSubstr(".jsonl"));
  EXPECT_THAT(converted("a", "x\n", "b.jsonl", {.format = "lines"}, &in),
              HasSubstr("{\"text\":\"x\",\"neardup_cluster\":null"));
}

TEST(JsonString, EscapesWhatJsonDemands) {
  std::string out;
  base::append_json_string(out, std::string_view("a\"\\\n\r\t\0\x1F\u00e9", 10));
  EXPECT_EQ(out, "\"a\\\"\\\\\\n\\r\\t\\u0000\\u001f\u00e9\"");
}

TEST(JsonString, ReplacesWhatIsNotUtf8) {
  std::string out;
  base::append_json_string(out, "a\xFF\"\xE2\x82z\xC3\xA9\xF0\x9F");
  EXPECT_EQ(out, "\"a\uFFFD\\\"\uFFFDz\u00e9\uFFFD\"");
}

TEST(Target, ANameThatEndsNearlyLikeAFormatIsNotAFolder) {
  const auto said = [](const char* name) { return error_of([&] { io::parse_target(name); }, ErrorCode::usage); };
  EXPECT_THAT(said("kept.jsonI"), HasSubstr("did you mean .jsonl?"));
  EXPECT_THAT(said("out.jsonl.rar"), HasSubstr(".rar is not a format or compression"));
  for (const char* name : {"kept.jsonI/", "out.v2", "run-2024.01", "results.d"})
    EXPECT_EQ(io::parse_target(name).kind, Kind::folder) << name;
}

TEST(Target, KnowsTheDevices) {
  EXPECT_EQ(io::parse_target("/dev/stdout").kind, Kind::stdout_stream);
  EXPECT_EQ(io::parse_target("/dev/null").kind, Kind::null_device);
}

}  // namespace
}  // namespace neardup::test
