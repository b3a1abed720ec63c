// Records and batches: what every format has in common.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "base/utf8.h"
#include "support.h"

namespace neardup::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Case {
  std::string format, extension, bytes;
};

const Case kCases[] = {
    {"text", ".txt", "one document\nof two lines, \xC3\xA9 too"},
    {"lines", ".txt", "first\n\nthird line \xE2\x82\xAC\r\nlast without an end"},
    {"jsonl", ".jsonl", "{\"text\":\"a\"}\n{\"id\":\"2\",\"text\":\"b \\u00e9\",\"x\":1.0}\r\n{\"text\":\"c\"}\n"},
    {"json", ".json", "[\n{\"text\":\"a\"},\n{\"text\":\"b ]\",\"x\":[1,2]}\n]\n"},
    {"csv", ".csv", "id,text\n1,\"a\nb\"\"\"\n2,c\r\n3,d\n"},
    {"tsv", ".tsv", "id\ttext\n1\t\"a\tb\"\n2\tc\n"},
    {"sets", ".sets", "1 2 3\n\n4,5\t6\r\n18446744073709551615"},
};

class EveryFormatAndCodec : public ::testing::TestWithParam<std::tuple<Case, std::string>> {
 protected:
  const Case& format() const { return std::get<0>(GetParam()); }
  const std::string& codec() const { return std::get<1>(GetParam()); }
  ReadOptions options() const { return {.format = format().format}; }
  std::string name() const { return "in" + format().extension + codec(); }
};
INSTANTIATE_TEST_SUITE_P(Io, EveryFormatAndCodec,
                         ::testing::Combine(::testing::ValuesIn(kCases), ::testing::Values("", ".gz", ".zst")),
                         [](const auto& test) {
                           const std::string codec = std::get<1>(test.param);
                           return std::get<0>(test.param).format + (codec.empty() ? "_plain" : "_" + codec.substr(1));
                         });

TEST_P(EveryFormatAndCodec, WritesBackEveryByteWhenEverythingIsKept) {
  const std::string file = encode(codec(), format().bytes);
  Disk disk(std::map<std::string, std::string>{{name(), file}});
  EXPECT_EQ(write_all(disk.open(name(), options()), disk.context, "out" + format().extension + codec()), file);
}

TEST_P(EveryFormatAndCodec, CutsTheSameRecordsWhateverTheBatchSize) {
  const std::string file = encode(codec(), format().bytes);
  const auto expected = read_bytes(name(), file, options(), 1u << 20);
  EXPECT_FALSE(expected.empty());
  for (std::size_t size = 1; size < 80; ++size) {
    const auto all = read_bytes(name(), file, options(), size);
    ASSERT_EQ(all.size(), expected.size()) << size;
    for (std::size_t i = 0; i < all.size(); ++i) {
      EXPECT_EQ(all[i].raw, expected[i].raw) << size;
      EXPECT_EQ(all[i].number, expected[i].number) << size;
      EXPECT_EQ(all[i].text, expected[i].text) << size;
      EXPECT_EQ(all[i].tokens, expected[i].tokens) << size;
      EXPECT_EQ(all[i].reason, "") << size;
    }
  }
}

// The records before the damage are those of the whole file; at most the last one is cut short.
TEST_P(EveryFormatAndCodec, CutAtAnyByteStillGivesTheRecordsBeforeTheCut) {
  const std::string file = encode(codec(), format().bytes);
  const auto expected = read_bytes(name(), file, options());
  for (std::size_t size = 0; size < file.size(); ++size) {
    std::vector<Seen> all;
    try {
      all = read_bytes(name(), file.substr(0, size), options());
    } catch (const Error& error) {  // half of a header has no "text" column
      EXPECT_EQ(error.code(), ErrorCode::input);
      continue;
    }
    ASSERT_LE(all.size(), expected.size() + 1) << size;
    for (std::size_t i = 0; i + 1 < all.size(); ++i) EXPECT_EQ(all[i].raw, expected[i].raw) << size;
    if (!codec().empty() && size > 0) {
      ASSERT_FALSE(all.empty()) << size;
      EXPECT_THAT(all.back().reason, HasSubstr("truncated")) << size;
    }
  }
}

TEST_P(EveryFormatAndCodec, KeepsAByteOrderMarkButNotInTheText) {
  const std::string file = encode(codec(), "\xEF\xBB\xBF" + format().bytes);
  Disk disk(std::map<std::string, std::string>{{name(), file}});
  const Collection collection = disk.open(name(), options());
  EXPECT_EQ(texts(read_all(collection, disk.context)),
            texts(read_bytes(name(), encode(codec(), format().bytes), options())));
  if (format().format != "json") {  // an array is framed anew
    EXPECT_EQ(write_all(collection, disk.context, "out" + format().extension + codec()), file);
  }
}

TEST_P(EveryFormatAndCodec, AnEmptyFileIsNoError) {
  const auto all = read_bytes(name(), encode(codec(), ""), options());
  EXPECT_EQ(all.size(), format().format == "text" ? 1u : 0u);
}

TEST(Lines, HaveEveryFieldThatIsAskedForAlthoughNoneIsThere) {
  const ScratchFolder scratch;
  write_bytes(scratch / "a", "one\n");
  const auto reader = Collection::open({scratch / "a"}, {.format = "lines", .extra_fields = {"x", "y"}}, {}).read({});
  Document document;
  ASSERT_TRUE(reader->next(document));
  EXPECT_EQ(document.fields, std::vector<std::optional<std::string>>(2));
}

TEST(Lines, KeepsEmptyLinesAsEmptyDocuments) {
  EXPECT_THAT(texts(read_bytes("a", "\n\na\n", {.format = "lines"})), ElementsAre("", "", "a"));
}

TEST(Sets, ReadsIntegersSeparatedByBlanksOrCommas) {
  const auto all = read_bytes("a.sets", "3 1,2\n\n18446744073709551615\n");
  EXPECT_THAT(all[0].tokens, ElementsAre(3, 1, 2));
  EXPECT_THAT(all[1].tokens, IsEmpty());
  EXPECT_THAT(all[2].tokens, ElementsAre(18446744073709551615u));
}

TEST(Sets, RefusesEverythingElse) {
  for (const char* line :
       {"1 x", "-", "--1", "-9223372036854775809", "1.5", "18446744073709551616", "1;2", "0x10", "+1"}) {
    EXPECT_THAT(read_one("a.sets", line).reason, HasSubstr("is not an integer")) << line;
  }
}

TEST(Splitter, PassesOverARecordThatIsTooLong) {
  for (const std::size_t batch : {1u, 16u, 64u, 4096u}) {
    const auto all = read_bytes("a", "short\n" + std::string(1001, 'x') + "\nnext\n" + std::string(1000, 'y') + "\r\n",
                                {.format = "lines", .max_record_bytes = 1000}, batch);
    EXPECT_THAT(texts(all), ElementsAre("short", HasSubstr("longer than 1000 bytes"), "next", std::string(1000, 'y')))
        << batch;
    EXPECT_EQ(all[2].number, 3u);
  }
}

TEST(Splitter, PassesOverAnElementOfAnArrayThatIsTooLong) {
  const auto all = read_bytes("a.json", "[{\"text\":\"" + std::string(5000, ']') + "\"},{\"text\":\"b\"}]",
                              {.max_record_bytes = 1000});
  EXPECT_THAT(texts(all), ElementsAre(HasSubstr("longer"), "b"));
}

TEST(Splitter, PassesOverATextFileThatIsTooLong) {
  const Seen seen = read_one("a.txt", std::string(5000, 'x'), {.max_record_bytes = 1000});
  EXPECT_THAT(seen.reason, HasSubstr("longer"));
  EXPECT_EQ(seen.number, 0u);
}

TEST(Splitter, ReadsOnAfterADamagedSource) {
  const std::string whole = encode(".gz", "{\"text\":\"lost\"}\n");
  Disk disk(std::map<std::string, std::string>{{"a.jsonl.gz", whole.substr(0, whole.size() - 4)},
                                               {"b.jsonl", "{\"text\":\"found\"}\n"}});
  const auto collection = Collection::open({"a.jsonl.gz", "b.jsonl"}, {}, disk.context);
  const auto all = read_all(collection, disk.context);
  EXPECT_EQ(all.back().text, "found");
  EXPECT_THAT(all[all.size() - 2].reason, HasSubstr("truncated gzip data"));
}

TEST(Limit, ReadsOnlyTheFirstRecords) {
  EXPECT_THAT(texts(read_bytes("a", "a\nb\nc\n", {.format = "lines", .limit = 2}, 1)), ElementsAre("a", "b"));
}

TEST(Sample, KeepsAboutTheShareAndDependsOnlyOnTheSeed) {
  std::string bytes;
  for (int i = 0; i < 10'000; ++i) bytes += std::to_string(i) + "\n";
  const auto sample = [&](std::uint64_t seed, std::size_t batch) {
    return texts(read_bytes("a", bytes, {.format = "lines", .sample = 0.3, .seed = seed}, batch));
  };
  const auto first = sample(1, 64);
  EXPECT_NEAR(static_cast<double>(first.size()), 3000, 200);
  EXPECT_EQ(first, sample(1, 5000));
  EXPECT_NE(first, sample(2, 64));
}

TEST(Utf8, ReplacesEveryMaximalInvalidPartOnce) {
  const auto repaired = [](std::string_view text) {
    std::string out;
    base::append_repaired_utf8(out, text);
    return out;
  };
  EXPECT_EQ(repaired("a\x80"
                     "b"),
            "a\uFFFDb");
  EXPECT_EQ(repaired("\xF0\x9F\x98"
                     "x"),
            "\uFFFDx");                                       // one cut-off character
  EXPECT_EQ(repaired("\xED\xA0\x80"), "\uFFFD\uFFFD\uFFFD");  // a surrogate is three stray bytes
  EXPECT_EQ(repaired("\xC0\xAF"), "\uFFFD\uFFFD");            // overlong
  EXPECT_EQ(repaired("\xF4\x90\x80\x80"), "\uFFFD\uFFFD\uFFFD\uFFFD");
  EXPECT_EQ(repaired("\xE2\x82"), "\uFFFD");
  EXPECT_EQ(repaired("\u00e9\u20ac\U0001F600"), "\u00e9\u20ac\U0001F600");
}

TEST(Utf8, RepairedTextIsAlwaysValidAndValidTextIsNeverChanged) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 20'000; ++round) {
    std::string text(random() % 12, '\0');
    for (char& c : text) c = static_cast<char>("a\x80\xBF\xC2\xE0\xE2\xED\xF0\xF4\x90\xA0\xFF"[random() % 12]);
    std::string out;
    EXPECT_EQ(base::assign_valid_utf8(out, text), !base::is_valid_utf8(text));
    EXPECT_TRUE(base::is_valid_utf8(out));
    EXPECT_TRUE(out == text || !base::is_valid_utf8(text));
  }
}

TEST(FromTexts, NamesDocumentsByTheirRow) {
  Context context;
  const auto collection = Collection::from_texts({"zero", "", "t\xFFwo"});
  const auto reader = collection.read(context);
  Document document;
  std::vector<std::string> seen;
  while (reader->next(document)) seen.push_back(document.key + "=" + document.text);
  EXPECT_THAT(seen, ElementsAre("0=zero", "1=", "2=t\uFFFDwo"));
}

TEST(Reader, SkipsBadRecordsButKeepsRowNumbers) {
  Disk disk(std::map<std::string, std::string>{{"a.jsonl", "{\"text\":\"x\"}\nbad\n{\"text\":\"y\"}\n"}});
  const auto reader = disk.open("a.jsonl").read(disk.context);
  Document document;
  ASSERT_TRUE(reader->next(document));
  ASSERT_TRUE(reader->next(document));
  EXPECT_EQ(document.text, "y");
  EXPECT_EQ(document.id, 2u);
  EXPECT_FALSE(reader->next(document));
}

}  // namespace
}  // namespace neardup::test
