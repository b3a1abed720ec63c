#include "authority/links.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "authority/names.h"
#include "authority/urls.h"
#include "support/scratch.h"

namespace neardup::authority {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Documents a, b, c, ... in rows 0, 1, 2, ...
NameTable table(const std::vector<std::string>& names, const std::vector<std::string>& urls = {}) {
  NameTable out;
  std::vector<NameTable::Entry> entries;
  for (DocumentNumber row = 0; row < names.size(); ++row) entries.push_back(NameTable::name(row, names[row]));
  for (DocumentNumber row = 0; row < urls.size(); ++row) {
    if (const auto entry = NameTable::url(row, urls[row])) entries.push_back(*entry);
  }
  out.add(entries);
  out.finish();
  return out;
}

TEST(NameTable, FindsADocumentByItsNameAndByItsUrl) {
  const NameTable names = table({"a", "b"}, {"http://x/1", "http://x/2"});
  EXPECT_EQ(names.find("b"), 1);
  EXPECT_EQ(names.find("HTTP://X:80/2#top"), 1);
  EXPECT_EQ(names.find("c"), std::nullopt);
}

TEST(NameTable, PrefersANameToTheUrlOfAnother) {
  const NameTable names = table({"a", "http://x/1"}, {"http://x/1", ""});
  EXPECT_EQ(names.find("http://x/1"), 1);
}

TEST(NameTable, MeansTheFirstOfSeveralWithTheSameName) {
  const NameTable names = table({"a", "same", "same"}, {"", "http://x/", "http://x"});
  EXPECT_EQ(names.find("same"), 1);
  EXPECT_EQ(names.find("http://x/"), 1);
}

TEST(NameTable, FindsNothingWhenItIsEmpty) {
  EXPECT_EQ(NameTable().find("a"), std::nullopt);
  EXPECT_EQ(table({}).find("a"), std::nullopt);
}

TEST(NameTable, FindsEachOfManyAndNothingElse) {
  std::vector<std::string> names;
  for (int i = 0; i < 10'000; ++i) names.push_back("document " + std::to_string(i));
  const NameTable all = table(names);
  for (DocumentNumber row = 0; row < names.size(); ++row) ASSERT_EQ(all.find(names[row]), row);
  for (int i = 10'000; i < 20'000; ++i) ASSERT_EQ(all.find("document " + std::to_string(i)), std::nullopt);
}

std::vector<PageLink> links_of(std::string_view own, std::string_view base, const std::vector<std::string>& links) {
  std::vector<PageLink> out;
  page_links(5, own, base, links, out);
  return out;
}

TEST(PageLinks, StandAgainstThePageItself) {
  const auto links = links_of("http://a/b/c.htm", "", {"d.htm", "/e.htm", "http://f/"});
  ASSERT_EQ(links.size(), 3u);
  EXPECT_EQ(links[0].from, 5);
  EXPECT_EQ(links[0].to, name_hash("http://a/b/d.htm"));
  EXPECT_EQ(links[1].to, name_hash("http://a/e.htm"));
  EXPECT_EQ(links[2].to, name_hash("http://f/"));
}

TEST(PageLinks, StandAgainstTheBaseThatThePageNames) {
  EXPECT_EQ(links_of("http://a/b/c.htm", "http://x/y/", {"d.htm"}).at(0).to, name_hash("http://x/y/d.htm"));
  EXPECT_EQ(links_of("http://a/b/c.htm", "/y/", {"d.htm"}).at(0).to, name_hash("http://a/y/d.htm"));
  EXPECT_EQ(links_of("http://a/b/c.htm", "mailto:no", {"d.htm"}).at(0).to, name_hash("http://a/b/d.htm"));
}

TEST(PageLinks, LeaveOutWhatLeadsToNoPage) {
  EXPECT_EQ(links_of("http://a/", "", {"mailto:a@b", "javascript:void(0)", "http://"}).size(), 0u);
}

TEST(PageLinks, MeetFilesWhoseNamesHaveEscapesInThem) {
  const NameTable names = table({"wp/%/%C3%89ire.htm", "wp/c/C#.htm"}, {"wp/%/%C3%89ire.htm", "wp/c/C#.htm"});
  const auto links = links_of("wp/a/Air.htm", "", {"../../wp/%25/%25C3%2589ire.htm", "../c/C%23.htm", "gone.htm"});
  const FoundLinks found = look_up(links, names);
  EXPECT_THAT(found.links, ElementsAre(Link{5, 0}, Link{5, 1}));
  EXPECT_EQ(found.unknown, 1u);
}

class LinkFiles : public ::testing::Test {
 protected:
  FoundLinks read(const std::string& bytes, const NameTable& names) {
    test::write_bytes(file(), bytes);
    return read_links(file(), names, context_);
  }
  std::map<DocumentNumber, double> scores(const std::string& bytes, const NameTable& names) {
    test::write_bytes(file(), bytes);
    std::vector<double> by_row(8, -HUGE_VAL);
    counts_ = read_scores(file(), names, by_row, context_);
    std::map<DocumentNumber, double> out;
    for (DocumentNumber row = 0; row < by_row.size(); ++row)
      if (by_row[row] != -HUGE_VAL) out[row] = by_row[row];
    return out;
  }
  std::string file() { return folder_ / "links.tsv"; }
  test::ScratchFolder folder_;
  Context context_;
  ReadScores counts_;
};

TEST_F(LinkFiles, AreReadWithAHeaderAndWithout) {
  const NameTable names = table({"a", "b", "c"});
  EXPECT_THAT(read("a\tb\nb\tc\n", names).links, ElementsAre(Link{0, 1}, Link{1, 2}));
  EXPECT_THAT(read("from\tto\na\tb\n", names).links, ElementsAre(Link{0, 1}));
}

TEST_F(LinkFiles, TakeAHeaderBelowTheFirstLineForData) {
  EXPECT_EQ(read("a\tb\nfrom\tto\n", table({"a", "b"})).unknown, 1u);
}

TEST_F(LinkFiles, KeepSelfLinksAndRepeatsForTheGraphToCount) {
  EXPECT_THAT(read("a\ta\na\tb\na\tb\n", table({"a", "b"})).links, ElementsAre(Link{0, 0}, Link{0, 1}, Link{0, 1}));
}

TEST_F(LinkFiles, CountLinksOfUnknownPages) {
  const FoundLinks found = read("a\tx\nx\ta\nx\ty\na\tb\n", table({"a", "b"}));
  EXPECT_EQ(found.links.size(), 1u);
  EXPECT_EQ(found.unknown, 3u);
}

TEST_F(LinkFiles, MayUseUrlsAndIdsAsOutputsPrintThem) {
  const NameTable names = table({"tab\there", "back\\slash"}, {"http://x/1", ""});
  EXPECT_THAT(read("http://X/1#a\tback\\\\slash\ntab\\there\tback\\slash\n", names).links,
              ElementsAre(Link{0, 1}, Link{0, 1}));
}

TEST_F(LinkFiles, MayHaveBlankLinesAMarkWindowsLineEndsAndNoLastOne) {
  EXPECT_THAT(read("\xEF\xBB\xBF"
                   "from\tto\r\n\r\na\tb\r\n\n  \nb\ta",
                   table({"a", "b"}))
                  .links,
              ElementsAre(Link{0, 1}, Link{1, 0}));
}

TEST_F(LinkFiles, MayBeUtf16WithAMark) {
  std::string bytes = "\xFF\xFE";
  for (const char c : std::string("a\tb\n")) bytes += {c, '\0'};
  EXPECT_THAT(read(bytes, table({"a", "b"})).links, ElementsAre(Link{0, 1}));
}

TEST_F(LinkFiles, MayBeEmpty) { EXPECT_TRUE(read("", table({"a"})).links.empty()); }

TEST_F(LinkFiles, AreRefusedWithTheFirstLineThatIsNotTwoColumns) {
  const NameTable names = table({"a", "b"});
  std::string bytes = "a\tb\na b\n";
  for (int i = 0; i < 200'000; ++i) bytes += "a\tb\tc\n";  // others, in later batches
  for (const unsigned threads : {1u, 3u}) {
    context_.threads = threads;
    const std::string message = test::error_of(ErrorCode::input, [&] { read(bytes, names); });
    EXPECT_THAT(message, HasSubstr("links.tsv:2: expected two columns"));
  }
}

TEST_F(LinkFiles, AreReadInOrderOnAnyNumberOfThreads) {
  std::vector<std::string> documents;
  std::string bytes;
  for (int i = 0; i < 300; ++i) documents.push_back("d" + std::to_string(i));
  for (int i = 0; i < 300'000; ++i) bytes += documents[i % 300] + "\t" + documents[i * 7 % 300] + "\n";
  const NameTable names = table(documents);
  context_.threads = 1;
  const FoundLinks one = read(bytes, names);
  context_.threads = 3;
  EXPECT_EQ(read(bytes, names).links, one.links);
  EXPECT_EQ(one.links.size(), 300'000u);
}

TEST_F(LinkFiles, ThatAreMissingAreNamedWithTheOption) {
  const auto read_missing = [&] { read_links(folder_ / "none.tsv", table({"a"}), context_); };
  EXPECT_THAT(test::error_of(ErrorCode::input, read_missing), HasSubstr("none.tsv"));
  EXPECT_EQ(test::option_of(read_missing), "links");
}

TEST_F(LinkFiles, OfScoresGiveTheLastScoreOfARepeatedId) {
  const auto found = scores("id\tscore\na\t0.5\nb\t-1e3\nx\t1\na\t2\n", table({"a", "b", "c"}));
  EXPECT_EQ(found, (std::map<DocumentNumber, double>{{0, 2}, {1, -1000}}));
  EXPECT_EQ(counts_.scores, 2u);
  EXPECT_EQ(counts_.unknown, 1u);
  EXPECT_EQ(counts_.repeated, 1u);
}

TEST_F(LinkFiles, OfScoresAreRefusedWhenAScoreIsNotAFiniteNumber) {
  for (const char* score : {"x", "", "1,5", "nan", "inf", "1e999", "1 2"}) {
    const auto read_score = [&] { scores("a\t1\nb\t" + std::string(score) + "\n", table({"a", "b"})); };
    EXPECT_THAT(test::error_of(ErrorCode::input, read_score),
                HasSubstr("links.tsv:2: the score \"" + std::string(score) + "\" is not a number"));
    EXPECT_EQ(test::option_of(read_score), "authority");
  }
}

}  // namespace
}  // namespace neardup::authority
