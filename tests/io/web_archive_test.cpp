// WARC and ARC: what is a document, what is bad, and what is written back.
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

std::string record(const std::string& type, const std::string& headers, const std::string& block, long lie = 0) {
  return "WARC/1.0\r\nWARC-Type: " + type + "\r\n" + headers +
         "Content-Length: " + std::to_string(static_cast<long>(block.size()) + lie) + "\r\n\r\n" + block + "\r\n\r\n";
}

std::string info() { return record("warcinfo", "WARC-Record-ID: <urn:info>\r\n", "software: x\r\n"); }

std::string plain(const std::string& name, const std::string& text, long lie = 0) {
  return record("conversion",
                "WARC-Target-URI: http://" + name + "\r\nWARC-Record-ID: <urn:" + name +
                    ">\r\nContent-Type: text/plain\r\nWARC-Date: 2020-01-02T03:04:05Z\r\n",
                text, lie);
}

std::string response(const std::string& http) {
  return record("response", "WARC-Target-URI: http://page/\r\nContent-Type: application/http; msgtype=response\r\n",
                http);
}

std::vector<std::string> read_texts(const std::string& bytes) { return texts(read_bytes("a.warc", bytes)); }

TEST(Warc, DocumentsAreWhatWasFetchedOrDerivedFromIt) {
  const std::string archive = info() + record("request", "", "GET /") + plain("a", "one") +
                              record("metadata", "", "x") + record("resource", "Content-Type: text/plain\r\n", "two") +
                              record("revisit", "WARC-Target-URI: http://again\r\n", "HTTP/1.1 200 OK\r\n\r\n");
  const auto all = read_bytes("a", archive);
  EXPECT_THAT(texts(all), ElementsAre("one", "two", ""));
  EXPECT_EQ(all[0].key, "http://a");
  EXPECT_EQ(all[0].number, 3u);
  EXPECT_EQ(all[2].key, "http://again");
}

TEST(Warc, StripsTheBracketsSomeProgramsPutAroundAnAddress) {
  EXPECT_EQ(read_one("a", record("resource", "WARC-Target-URI: <http://a/b c>\r\n", "x")).key, "http://a/b c");
}

TEST(Warc, APageIsReadAndItsHeadersAreFields) {
  const std::string page =
      "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=latin1\r\n\r\n<title>T</title><p>caf\xE9<script>no</script>";
  const ReadOptions options{.extra_fields = {"title", "status", "type", "url", "WARC-Type", "date"}};
  const Seen seen = read_one("a", response(page), options);
  EXPECT_EQ(seen.text, "caf\u00e9");
  EXPECT_THAT(seen.fields,
              ElementsAre("T", "200", "text/html; charset=latin1", "http://page/", "response", std::nullopt));
}

TEST(Warc, HtmlStaysAsItIsWhenNothingIsToBeStripped) {
  const std::string page = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>x</p>";
  EXPECT_EQ(read_one("a", response(page), {.html = Html::off}).text, "<p>x</p>");
}

TEST(Warc, WhatIsNotTextIsADocumentWithoutText) {
  EXPECT_EQ(read_one("a", response("HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n\x89PNG words")).text, "");
  EXPECT_EQ(read_one("a", response(std::string("HTTP/1.1 200 OK\r\n\r\n\0\1\2", 22))).text, "");
  EXPECT_EQ(read_one("a", record("response", "Content-Type: text/dns\r\n", "example.org. 1 IN A 1.2.3.4")).text, "");
}

TEST(Warc, ABombInABodyIsABadRecord) {
  const std::string bomb = encode(".gz", std::string(1u << 20, ' '));
  const auto all =
      read_bytes("a", response("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Encoding: gzip\r\n\r\n" + bomb),
                 {.max_record_bytes = 100'000});
  EXPECT_THAT(texts(all), ElementsAre(HasSubstr("unpacks to more than 100000 bytes")));
}

// One record is bad, all others are there.
TEST(Warc, ALengthThatLiesCostsOneRecord) {
  const std::string next = plain("b", "two") + plain("c", "three");
  for (const long lie : {-5L, -1L, 5L, 10L, 40L, 300L, 500L, 100'000L, 1'000'000'000'000L}) {
    for (const std::uint64_t most : {std::uint64_t{1000}, std::uint64_t{64u << 20}}) {
      const auto all =
          read_bytes("a", info() + plain("a", "a text of some length", lie) + next, {.max_record_bytes = most});
      EXPECT_THAT(texts(all), ElementsAre(HasSubstr("BAD"), "two", "three")) << lie;
    }
  }
}

TEST(Warc, ALengthThatIsNoneCostsOneRecord) {
  for (const char* header : {"", "Content-Length: many\r\n", "Content-Length: -1\r\n", "Content-Length:\r\n",
                             "Content-Length: 99999999999999999999999\r\n"}) {
    const std::string bad = std::string("WARC/1.0\r\nWARC-Type: response\r\n") + header + "\r\nx\r\n\r\n";
    EXPECT_THAT(read_texts(plain("a", "one") + bad + plain("b", "two")),
                ElementsAre("one", HasSubstr("Content-Length"), "two"))
        << header;
  }
}

TEST(Warc, GarbageBetweenRecordsIsOneBadRecord) {
  EXPECT_THAT(read_texts(plain("a", "one") + "garbage\r\nmore WARC/1.0 of it\r\n\r\n" + plain("b", "two")),
              ElementsAre(HasSubstr("BAD"), "two"));
  EXPECT_THAT(read_texts("\n\n" + plain("a", "one") + "\r\n\r\n\r\n" + plain("b", "two") + "\n"),
              ElementsAre("one", "two"));
}

TEST(Warc, MissingLineEndsBetweenRecordsDoNoHarm) {
  const std::string whole = plain("a", "one");
  const std::string bare = whole.substr(0, whole.size() - 4);
  EXPECT_THAT(read_texts(bare + plain("b", "two") + bare), ElementsAre("one", "two", "one"));
}

TEST(Warc, LineEndsMayBeBare) {
  EXPECT_THAT(read_texts("WARC/1.1\nWARC-Type: resource\nContent-Length: 1\n\nx\n\nWARC/1.1\nWARC-Type: resource\n"
                         "Content-Length: 1\n\ny\n\n"),
              ElementsAre("x", "y"));
}

TEST(Warc, ARecordMayHoldAWholeArchive) {
  EXPECT_THAT(read_texts(plain("a", plain("inner", "x") + plain("inner", "y")) + plain("b", "two")),
              ElementsAre(HasSubstr("WARC/1.0"), "two"));
}

TEST(Warc, ACutOffRecordIsBad) {
  const std::string whole = plain("a", "one") + plain("b", "two");
  EXPECT_THAT(read_texts(whole.substr(0, whole.size() - 5)), ElementsAre("one", HasSubstr("cut off")));
  EXPECT_THAT(read_texts(whole.substr(0, whole.size() - 4)), ElementsAre("one", "two"));
}

TEST(Warc, ManyHeadersThatAllClaimTheRestTakeLinearTime) {
  std::string hostile;
  for (int i = 0; i < 50'000; ++i) hostile += "WARC/1.0\r\nContent-Length: 60000000\r\n\r\n";
  const auto all = read_bytes("a", hostile, {.format = "warc"}, 1u << 20);
  EXPECT_GT(all.size(), 100u);
}

TEST(Warc, LongRecordsThatAreNoDocumentsAreNotMissed) {
  EXPECT_THAT(texts(read_bytes("a", record("metadata", "", std::string(5000, 'x')) + plain("b", "two"),
                               {.max_record_bytes = 1000})),
              ElementsAre("two"));
}

std::string arc_line(const std::string& url, const std::string& block, long lie = 0) {
  return url + " 1.2.3.4 20200102030405 text/html " + std::to_string(static_cast<long>(block.size()) + lie) + "\n" +
         block + "\n";
}

std::string arc_info() {
  return arc_line("filedesc://x.arc", "1 0 X\nURL IP-address Archive-date Content-type Archive-length\n");
}

TEST(Arc, ReadsBothVersions) {
  const std::string block = "HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n<p>page";
  const std::string second = "http://b/ 1.2.3.4 20200102030405 text/html 200 CHECK - 17 x.arc " +
                             std::to_string(block.size()) + "\n" + block + "\n";
  const auto all = read_bytes("a", arc_info() + arc_line("http://a/with a blank", block) + second);
  EXPECT_THAT(texts(all), ElementsAre("page", "page"));
  EXPECT_EQ(all[0].key, "http://a/with a blank");
  EXPECT_EQ(all[1].key, "http://b/");
}

TEST(Arc, ALengthThatLiesCostsOneRecord) {
  const std::string next = arc_line("http://b/", "two") + arc_line("http://c/", "three");
  for (const long lie : {-5L, 60L, 1000L, 1'000'000'000L}) {
    const auto all = read_bytes("a.arc", arc_info() + arc_line("http://a/", "<p>some <b>text", lie) + next);
    EXPECT_THAT(texts(all), ElementsAre(HasSubstr("BAD"), "two", "three")) << lie;
  }
}

struct Archive {
  std::string name, bytes;
};

std::vector<Archive> archives() {
  return {{"a.warc",
           info() + record("request", "", "GET /") + plain("a", "one") + plain("b", "two\nWARC/x\n") + plain("c", "")},
          {"a.arc", arc_info() + arc_line("http://a/", "one") + arc_line("http://b/", "<p>two\nlines\n")}};
}

TEST(WebArchives, AreCutTheSameWhateverTheBatchSize) {
  std::vector<Archive> all = archives();
  all.push_back({"b.warc", plain("a", "one", 60) + "junk\r\n" + plain("b", "two", -1) + plain("c", "three", 5000) +
                               plain("d", "x")});
  all.push_back({"b.arc", arc_line("http://a/", "one", 30) + "\n\nno\n" + arc_line("http://b/", "two", 5000) +
                              arc_line("http://c/", "x")});
  for (const Archive& archive : all) {
    for (const std::uint64_t most : {std::uint64_t{150}, std::uint64_t{220}, std::uint64_t{1} << 20}) {
      const ReadOptions options{.max_record_bytes = most};
      const auto expected = read_bytes(archive.name, archive.bytes, options, 1u << 20);
      for (std::size_t size = 1; size < 300; ++size) {
        const auto seen = read_bytes(archive.name, archive.bytes, options, size);
        ASSERT_EQ(texts(seen), texts(expected)) << archive.name << size << " " << most;
        for (std::size_t i = 0; i < seen.size(); ++i) EXPECT_EQ(seen[i].raw, expected[i].raw);
      }
    }
  }
}

TEST(WebArchives, CutAnywhereGiveTheRecordsBeforeTheCut) {
  for (const Archive& archive : archives()) {
    const auto expected = read_bytes(archive.name, archive.bytes);
    for (std::size_t size = 0; size < archive.bytes.size(); ++size) {
      const auto all = read_bytes(archive.name, archive.bytes.substr(0, size));
      ASSERT_LE(all.size(), expected.size() + 1) << size;
      for (std::size_t i = 0; i + 1 < all.size(); ++i) EXPECT_EQ(all[i].raw, expected[i].raw) << size;
    }
  }
}

TEST(WebArchives, AreWrittenBackAsTheyStoodWithoutWhatIsNoDocument) {
  for (const Archive& archive : archives()) {
    for (const char* codec : {"", ".gz", ".zst", ".bz2"}) {
      const std::string name = archive.name + codec;
      Disk disk(std::map<std::string, std::string>{{name, encode(codec, archive.bytes)}});
      const std::string written = write_all(disk.open(name), disk.context, "out" + name);
      std::string expected;
      if (archive.name == "a.warc") {
        for (const std::string& member : {info(), plain("a", "one"), plain("b", "two\nWARC/x\n"), plain("c", "")})
          expected += encode(codec, member);
      } else {
        for (const std::string& member :
             {arc_info(), arc_line("http://a/", "one"), arc_line("http://b/", "<p>two\nlines\n")})
          expected += encode(codec, member);
      }
      EXPECT_EQ(written, expected) << name;
    }
  }
}

TEST(WebArchives, GetTheLineEndsThatTheirRecordsLack) {
  const std::string whole = plain("a", "one\n");
  Disk disk(std::map<std::string, std::string>{{"a.warc", whole.substr(0, whole.size() - 4)}});
  EXPECT_EQ(write_all(disk.open("a.warc"), disk.context, "out.warc"), whole);
}

TEST(WebArchives, CannotBeAnnotatedNorConverted) {
  Disk disk(std::map<std::string, std::string>{{"a.warc", info()}});
  const auto collection = disk.open("a.warc");
  EXPECT_THAT(error_of([&] { io::check_writable(collection, nullptr, io::decision_fields()); }, ErrorCode::usage),
              HasSubstr("`annotate`"));
  EXPECT_THAT(error_of([&] { io::check_writable(collection, &io::format_named("jsonl"), {}); }, ErrorCode::usage),
              HasSubstr("without loss"));
}

TEST(WebArchives, SurviveAnything) {
  std::mt19937_64 random(11);
  for (const Archive& archive : archives()) {
    for (int round = 0; round < 2000; ++round) {
      std::string bytes = archive.bytes;
      for (int change = 0; change < 4; ++change) {
        const std::size_t at = random() % bytes.size();
        switch (random() % 3) {
          case 0:
            bytes[at] = static_cast<char>(random());
            break;
          case 1:
            bytes.erase(at, random() % 20);
            break;
          default:
            bytes.insert(at, bytes.substr(random() % bytes.size(), random() % 60));
        }
      }
      const ReadOptions options{.max_record_bytes = 300};
      const auto small = read_bytes(archive.name, bytes, options, 7),
                 large = read_bytes(archive.name, bytes, options, 1u << 14);
      ASSERT_EQ(texts(small), texts(large)) << bytes;
      for (const Seen& seen : small) EXPECT_TRUE(base::is_valid_utf8(seen.text) && base::is_valid_utf8(seen.key));
    }
  }
}

}  // namespace
}  // namespace neardup::test
