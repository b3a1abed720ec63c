// Texts in other encodings than UTF-8, through the whole reader.
#include <gtest/gtest.h>

#include "io/support.h"

namespace neardup::test {
namespace {

const std::string kLatinE = "\xE9";  // é in windows-1252

std::string utf16(const std::string& ascii, bool little, bool mark) {
  std::string out = !mark ? "" : little ? "\xFF\xFE" : "\xFE\xFF";
  for (const char c : ascii) {
    if (!little) out += '\0';
    out += c;
    if (little) out += '\0';
  }
  return out;
}

TEST(Encodings, ATextFileThatIsNotUtf8IsDetected) {
  const std::string german =
      "Die Gr\xF6\xDF"
      "e der K\xFC"
      "che \xE4ndert sich nicht, sagte der Verk\xE4ufer.\n";
  const Seen seen = read_one("a.txt", german);
  EXPECT_EQ(seen.text, "Die Größe der Küche ändert sich nicht, sagte der Verkäufer.\n");
  EXPECT_EQ(seen.encoding, "windows-1252");
  EXPECT_TRUE(seen.detected);
  EXPECT_FALSE(seen.repaired);
}

TEST(Encodings, LinesAndJsonAreUtf8UnlessToldOtherwise) {
  EXPECT_EQ(read_one("a.jsonl", "{\"text\":\"caf" + kLatinE + "\"}\n").text, "caf\xEF\xBF\xBD");
  const Seen seen = read_one("a.jsonl", "{\"text\":\"caf" + kLatinE + "\"}\n", {.encoding = "latin1"});
  EXPECT_EQ(seen.text, "café");
  EXPECT_EQ(seen.encoding, "windows-1252");
  EXPECT_FALSE(seen.detected);
}

TEST(Encodings, ABackslashThatIsHalfACharacterEscapesNothing) {
  // Shift_JIS: 0x95 0x5C is one character, whose second byte is that of a backslash.
  const Seen seen = read_one("a.jsonl", "{\"text\":\"\x95\x5C\"}\n", {.encoding = "shift_jis"});
  EXPECT_EQ(seen.reason, "");
  EXPECT_EQ(seen.text, "表");
  EXPECT_EQ(read_one("a.json", "[{\"text\":\"\x95\x5C\"}]\n", {.encoding = "shift_jis"}).text, "表");
}

TEST(Encodings, CsvColumnsAreNamedInTheFilesEncoding) {
  const Seen seen = read_one("a.csv", "id,caf" + kLatinE + "\n1,th" + kLatinE + "\n",
                             {.text_fields = {{"café"}}, .encoding = "windows-1252"});
  EXPECT_EQ(seen.text, "thé");
}

TEST(Encodings, Utf16IsReadByItsMarkInEveryFormat) {
  for (const bool little : {true, false}) {
    EXPECT_EQ(read_one("a.txt", utf16("two\nlines", little, true)).text, "two\nlines");
    EXPECT_EQ(texts(read_bytes("a.jsonl", utf16("{\"text\":\"a\"}\n{\"text\":\"b\"}\n", little, true))),
              (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(texts(read_bytes("a.csv", utf16("id,text\n1,x\n", little, true))), (std::vector<std::string>{"x"}));
  }
  EXPECT_EQ(read_one("a.jsonl", utf16("{\"text\":\"a\"}", true, false), {.encoding = "utf-16le"}).text, "a");
}

TEST(Encodings, KeptRecordsAreWrittenBackAsTheyStood) {
  const std::vector<std::pair<std::string, std::string>> files{
      {"a.jsonl", utf16("{\"text\":\"a\"}\r\n{\"text\":\"b\"}\r\n", true, true)},
      {"a.csv", utf16("id,text\n1,x\n", false, true)},
      {"a.txt", utf16("text", true, true)},
      {"b.txt", "caf" + kLatinE},
      {"c.txt", "\xEF\xBB\xBFmarked"},
      {"c.jsonl", "\xEF\xBB\xBF{\"text\":\"b\"}\n"}};
  for (const auto& [name, bytes] : files) {
    Disk disk(std::map<std::string, std::string>{{name, bytes}});
    EXPECT_EQ(write_all(disk.open(name), disk.context, "out" + name.substr(1)), bytes) << name;
  }
  Disk disk(std::map<std::string, std::string>{{"a.csv", "id,text\n1,caf" + kLatinE + "\n"}});
  const Collection latin = disk.open("a.csv", {.encoding = "latin1"});
  EXPECT_EQ(write_all(latin, disk.context, "out.csv"), "id,text\n1,caf" + kLatinE + "\n");
  EXPECT_EQ(write_all(latin, disk.context, "out.jsonl"), "{\"id\":\"1\",\"text\":\"café\"}\n");
}

TEST(Encodings, AnUnknownOneIsAUsageError) {
  Disk disk(std::map<std::string, std::string>{{"a.txt", "x"}});
  const std::string said = error_of(ErrorCode::usage, [&] { disk.open("a.txt", {.encoding = "klingon"}); });
  EXPECT_NE(said.find("`encoding` klingon"), std::string::npos);
}

TEST(Html, FilesAreStrippedUnlessToldOtherwise) {
  const std::string page = "<html><head><title>T</title><body><p>one<p>two &amp; three<script>x</script>";
  EXPECT_EQ(read_one("a.html", page).text, "one\ntwo & three");
  EXPECT_EQ(read_one("a.html", page, {.html = Html::off}).text, page);
  EXPECT_EQ(read_one("page", page).text, "one\ntwo & three");
  EXPECT_EQ(read_one("a.txt", page).text, page);
  EXPECT_EQ(read_one("a.html", page, {.extra_fields = {"title"}}).fields[0], "T");
}

TEST(Html, FieldsAreStrippedOnlyWhenAsked) {
  const std::string json = "{\"title\":\"<b>a</b>\",\"text\":\"<p>b\"}\n";
  const ReadOptions both{.text_fields = {{"title", "text"}}};
  EXPECT_EQ(read_one("a.jsonl", json, both).text, "<b>a</b>\n<p>b");
  ReadOptions strips = both;
  strips.html = Html::all;
  EXPECT_EQ(read_one("a.jsonl", json, strips).text, "a\nb");
}

TEST(Html, DeclarationsDecideTheEncoding) {
  EXPECT_EQ(read_one("a.html", "<html><meta charset=windows-1251><p>\xEF\xF0\xE8").text, "при");
  EXPECT_EQ(read_one("a.html", "<?xml version=\"1.0\" encoding=\"iso-8859-1\"?><html><p>caf" + kLatinE).text, "café");
}

}  // namespace
}  // namespace neardup::test
