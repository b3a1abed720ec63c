#include "clean/query_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "base/random.h"
#include "io/support.h"
#include "neardup/features.h"
#include "support/scratch.h"

namespace neardup::clean {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class QueryLogs : public ::testing::Test {
 protected:
  QueryLog read(const std::string& bytes, QueryLogOptions options = {}, OnBadRecord policy = OnBadRecord::skip) {
    options.path = folder_ / name_;
    test::write_bytes(options.path, bytes);
    return read_query_log(options, policy, context_);
  }
  std::string error(ErrorCode code, const std::string& bytes, const QueryLogOptions& options = {},
                    OnBadRecord policy = OnBadRecord::skip) {
    return test::error_of(code, [&] { read(bytes, options, policy); });
  }
  test::ScratchFolder folder_;
  Context context_;
  std::string name_ = "log.txt";
};

// "query count" of each, in order.
std::vector<std::string> shown(const QueryLog& log) {
  std::vector<std::string> out;
  for (const LoggedQuery& query : log.queries) out.push_back(query.text + " x" + std::to_string(query.count));
  return out;
}

TEST_F(QueryLogs, OfLinesCountHowOftenEachQueryOccurs) {
  const QueryLog log = read("cats\ndogs\ncats\nmice\n");
  EXPECT_EQ(log.report.format, "lines");
  EXPECT_THAT(shown(log), ElementsAre("cats x2", "dogs x1", "mice x1"));
  EXPECT_EQ(log.report.lines, 4u);
  EXPECT_EQ(log.report.queries, 3u);
  EXPECT_EQ(log.report.searches, 4u);
  EXPECT_FALSE(log.has_ids);
}

TEST_F(QueryLogs, FoldSpellingsOfTheSameWordsIntoOneQuery) {
  EXPECT_THAT(shown(read("New  York!\nnew-york\nNEW YORK\n")), ElementsAre("new york x3"));
}

TEST_F(QueryLogs, GoByCountAndThenByPlace) {
  const QueryLog log = read("z\t5\na\t7\nb\t5\n");
  EXPECT_EQ(log.report.format, "counts");
  EXPECT_THAT(shown(log), ElementsAre("a x7", "z x5", "b x5"));
  EXPECT_EQ(log.queries[0].place, 2u);
  EXPECT_EQ(log.queries[1].place, 1u);
}

TEST_F(QueryLogs, OfCountsMayHaveAHeader) {
  const QueryLog log = read("query\tcount\ncats\t3\nCats\t4\ndogs\t1\n");
  EXPECT_EQ(log.report.format, "counts");
  EXPECT_THAT(shown(log), ElementsAre("cats x7", "dogs x1"));
  EXPECT_EQ(log.queries[0].place, 1u);
  EXPECT_EQ(log.queries[1].place, 3u);
  EXPECT_EQ(log.report.lines, 3u);
}

TEST_F(QueryLogs, MayHaveAnIdBeforeEachQuery) {
  const QueryLog log = read("1048585\twhat is paula deen s brother\nq2\tcats\nMB03\tCats\n");
  EXPECT_EQ(log.report.format, "topics");
  EXPECT_THAT(shown(log), ElementsAre("cats x2", "what is paula deen s brother x1"));
  EXPECT_EQ(log.queries[0].id, "q2") << "the first of equal queries";
  EXPECT_EQ(read("cats\tand dogs\n").report.format, "lines") << "not an id";
  EXPECT_EQ(read("q1\t5\nq2\t7\n").report.format, "counts");
}

TEST_F(QueryLogs, OfCountsMayHaveTabsInAQuery) {
  EXPECT_THAT(shown(read("big\tcats\t3\n", {.format = "counts"})), ElementsAre("big cats x3"));
}

TEST_F(QueryLogs, ReportCountsThatAreNotWholeNumbers) {
  const QueryLog log = read("cats\t3\ndogs\tmany\nmice\t-2\nrats\t0\nno tab\nbats\t1.5\nfrogs\t99999999999999999999\n");
  EXPECT_THAT(shown(log), ElementsAre("cats x3"));
  EXPECT_EQ(log.report.bad.count, 6u);
  ASSERT_EQ(log.report.bad.first.size(), 6u);
  EXPECT_EQ(log.report.bad.first[0].number, 2u);
  EXPECT_THAT(log.report.bad.first[0].path, HasSubstr("log.txt"));
  EXPECT_EQ(log.report.bad.first[0].reason, "the count \"many\" is not a whole number");
  EXPECT_EQ(log.report.bad.first[1].reason, "the count \"-2\" is not a whole number");
  EXPECT_EQ(log.report.bad.first[2].reason, "the count is 0");
  EXPECT_THAT(log.report.bad.first[3].reason, HasSubstr("there is no tab"));
  EXPECT_EQ(log.report.lines, 7u);
}

TEST_F(QueryLogs, KeepTheFirstTenBadLinesAndCountAll) {
  std::string bytes = "cats\t3\n";
  for (int i = 0; i < 50; ++i) bytes += "bad\tx\n";
  const QueryLog log = read(bytes, {.format = "counts"});
  EXPECT_EQ(log.report.bad.count, 50u);
  EXPECT_EQ(log.report.bad.first.size(), 10u);
}

TEST_F(QueryLogs, FailWithTheFirstBadLineWhenAskedTo) {
  const std::string message = error(ErrorCode::input, "cats\t3\ndogs\tmany\n", {}, OnBadRecord::fail);
  EXPECT_THAT(message, HasSubstr("log.txt:2: the count \"many\" is not a whole number"));
}

TEST_F(QueryLogs, SaturateCountsThatAddUpToTooMuch) {
  const QueryLog log = read("a\t18446744073709551615\nA\t9\nb\t7\n");
  EXPECT_THAT(shown(log), ElementsAre("a x18446744073709551615", "b x7"));
}

TEST_F(QueryLogs, OfAolAreToldByTheirHeader) {
  const QueryLog log = read(
      "AnonID\tQuery\tQueryTime\tItemRank\tClickURL\n"
      "142\trentdirect.com\t2006-03-01 07:17:12\t\t\n"
      "142\t-\t2006-03-01 07:18:00\t\t\n"
      "217\tlottery\t2006-03-01 11:58:51\t1\thttp://www.calottery.com\n"
      "217\tlottery\t2006-03-27 14:10:38\n");
  EXPECT_EQ(log.report.format, "aol");
  EXPECT_THAT(shown(log), ElementsAre("lottery x2", "rentdirect com x1"));
  EXPECT_EQ(log.report.without_words, 1u);
  EXPECT_EQ(log.report.lines, 4u);
  EXPECT_EQ(log.queries[0].place, 3u);
}

TEST_F(QueryLogs, OfAolAreToldByTheirFirstLineWithoutAHeader) {
  EXPECT_EQ(read("7\tcats\t2006-03-01 07:17:12\n").report.format, "aol");
  EXPECT_EQ(read("7\tcats\tnow\n").report.format, "lines");
}

TEST_F(QueryLogs, OfAolReportLinesWithoutEnoughColumns) {
  const QueryLog log = read("7\tcats\t2006-03-01\ncats\n7\tdogs\n");
  EXPECT_EQ(log.report.bad.count, 2u);
  EXPECT_THAT(log.report.bad.first[0].reason, HasSubstr("user, query and time"));
}

TEST_F(QueryLogs, OfJsonAreToldByContent) {
  const QueryLog log = read(
      "{\"id\": 7, \"query\": \"cats\", \"count\": 2}\n"
      "{\"id\": \"x\", \"query\": \"dogs\"}\n"
      "{\"query\": \"Cats\", \"count\": \"3\"}\n"
      "{\"query\": \"mice\", \"count\": 1.5}\n"
      "{\"text\": \"none\"}\n"
      "not json\n");
  EXPECT_EQ(log.report.format, "jsonl");
  EXPECT_THAT(shown(log), ElementsAre("cats x5", "dogs x1"));
  EXPECT_TRUE(log.has_ids);
  EXPECT_EQ(log.queries[0].id, "7");
  EXPECT_EQ(log.queries[1].id, "x");
  EXPECT_EQ(log.report.bad.count, 3u);
  EXPECT_EQ(log.report.bad.first[0].reason, "the count \"1.5\" is not a whole number");
  EXPECT_THAT(log.report.bad.first[1].reason, HasSubstr("no field \"query\"; it has: text"));
}

TEST_F(QueryLogs, WithAHeaderThatNamesFieldsAreTables) {
  const QueryLog tsv = read("user\tquery\tcount\n1\tcats\t3\n2\tdogs\t4\n");
  EXPECT_EQ(tsv.report.format, "tsv");
  EXPECT_THAT(shown(tsv), ElementsAre("dogs x4", "cats x3"));
  const QueryLog csv = read("\"id\",\"query\"\nq1,\"cats, dogs\"\nq2,mice\nq3,mice\n");
  EXPECT_EQ(csv.report.format, "csv");
  EXPECT_THAT(shown(csv), ElementsAre("mice x2", "cats dogs x1"));
  EXPECT_EQ(csv.queries[0].id, "q2");
  EXPECT_EQ(csv.queries[0].place, 2u);
}

TEST_F(QueryLogs, WithOneColumnAreTablesOnlyWhenTheNameSaysSo) {
  EXPECT_EQ(read("query\ncats\n").report.format, "lines");
  name_ = "log.csv";
  EXPECT_THAT(shown(read("query\ncats\n")), ElementsAre("cats x1"));
}

TEST_F(QueryLogs, MayNameTheirFields) {
  const QueryLog log =
      read("q,n,key\ncats,2,k1\ndogs,3,k2\n", {.query_field = "q", .count_field = "n", .id_field = "key"});
  EXPECT_THAT(shown(log), ElementsAre("dogs x3", "cats x2"));
  EXPECT_EQ(log.queries[0].id, "k2");
  EXPECT_THAT(shown(read("{\"q\": {\"text\": \"cats\"}}\n", {.query_field = "q.text"})), ElementsAre("cats x1"));
}

TEST_F(QueryLogs, RefuseFieldsThatDoNotExist) {
  const std::string bytes = "user,querys,count\n1,cats,3\n";
  EXPECT_THAT(error(ErrorCode::usage, bytes, {.format = "csv"}),
              HasSubstr("no column \"query\"; it has: user, querys, count; did you mean querys?"));
  EXPECT_THAT(error(ErrorCode::usage, bytes, {.query_field = "queri"}), HasSubstr("`query_field` queri"));
  EXPECT_THAT(error(ErrorCode::usage, bytes, {.query_field = "querys", .count_field = "cuont"}),
              HasSubstr("did you mean count?"));
  EXPECT_THAT(error(ErrorCode::usage, "cats\n", {.format = "lines", .query_field = "q"}), HasSubstr("has no fields"));
}

TEST_F(QueryLogs, RefuseFormatsThatDoNotExist) {
  const std::string message = error(ErrorCode::usage, "cats\n", {.format = "line"});
  EXPECT_THAT(message, HasSubstr("lines, counts, topics, tsv, csv, jsonl, aol"));
  EXPECT_THAT(message, HasSubstr("did you mean lines?"));
}

TEST_F(QueryLogs, WithoutAnyQueryAreErrors) {
  for (const char* bytes : {"", "\n\n", "---\n...\n", "query\tcount\n"}) {
    EXPECT_THAT(error(ErrorCode::input, bytes), HasSubstr("log.txt: ")) << bytes;
  }
  EXPECT_THAT(error(ErrorCode::input, "cats\tx\n", {.format = "counts"}), HasSubstr("line 1: the count \"x\""));
  EXPECT_THAT(error(ErrorCode::input, "{\"text\": \"cats\"}\n"), HasSubstr("no field \"query\""));
}

TEST_F(QueryLogs, ThatAreMissingAreNamedWithTheOption) {
  const auto read_missing = [&] { read_query_log({.path = folder_ / "none"}, OnBadRecord::skip, context_); };
  EXPECT_THAT(test::error_of(ErrorCode::input, read_missing), HasSubstr("none"));
  EXPECT_EQ(test::option_of(read_missing), "queries");
}

TEST_F(QueryLogs, KeepOnlyWhatIsFrequentEnough) {
  const QueryLog log = read("a\t5\nb\t3\nc\t2\nd\t2\n", {.min_count = 2, .top = 3});
  EXPECT_THAT(shown(log), ElementsAre("a x5", "b x3", "c x2"));
  EXPECT_EQ(log.report.queries, 4u);
  EXPECT_EQ(log.report.searches, 12u);
  EXPECT_THAT(error(ErrorCode::usage, "a\t5\nb\t3\n", {.min_count = 6}), HasSubstr("`min_count` 6"));
}

TEST_F(QueryLogs, CountBlankLinesAsPlacesWithoutWords) {
  const QueryLog log = read("cats\n\n\ndogs\n");
  EXPECT_EQ(log.queries[1].place, 4u);
  EXPECT_EQ(log.report.without_words, 2u);
  EXPECT_EQ(log.report.lines, 4u);
}

TEST_F(QueryLogs, MayHaveAMarkWindowsLineEndsAndNoLastOne) {
  EXPECT_THAT(shown(read("\xEF\xBB\xBFquery\tcount\r\ncats\t3\r\ndogs\t1")), ElementsAre("cats x3", "dogs x1"));
}

TEST_F(QueryLogs, MayBeUtf16WithAMark) {
  std::string bytes = "\xFF\xFE";
  for (const char c : std::string("cats\t3\n")) bytes += {c, '\0'};
  EXPECT_THAT(shown(read(bytes)), ElementsAre("cats x3"));
}

TEST_F(QueryLogs, MayBeCompressed) {
  for (const char* extension : {".gz", ".zst", ".bz2", ".xz", ".lz4"}) {
    name_ = std::string("log") + extension;
    EXPECT_THAT(shown(read(test::encode(extension, "id,query\n1,cats\n2,cats\n"))), ElementsAre("cats x2"))
        << extension;
  }
}

TEST_F(QueryLogs, ThatAreDamagedGiveWhatCameBefore) {
  std::string lines;
  for (int i = 0; i < 100'000; ++i) lines += "query " + std::to_string(i) + "\n";
  const std::string whole = test::encode(".gz", lines);
  const QueryLog log = read(whole.substr(0, whole.size() / 2));
  EXPECT_GT(log.report.queries, 1000u);
  EXPECT_EQ(log.report.bad.count, 1u);
  EXPECT_THAT(log.report.bad.first.at(0).reason, HasSubstr("truncated"));
}

TEST_F(QueryLogs, SurviveBytesThatAreNoText) {
  EXPECT_THAT(shown(read(std::string("caf\xE9\0x\xFF\ncats\n", 12))), ElementsAre("caf x x1", "cats x1"));
}

TEST_F(QueryLogs, GiveTheSameOnAnyNumberOfThreads) {
  base::Random random(9);
  std::string bytes;
  std::map<std::string, std::uint64_t> counts;
  for (int i = 0; i < 200'000; ++i) {
    const std::string query = "query " + std::to_string(random.below(1 + random.below(5000)));
    ++counts[query];
    bytes += random.below(2) == 0 ? query : "Query, " + query.substr(6);
    bytes += '\n';
  }
  context_.threads = 1;
  const QueryLog one = read(bytes);
  context_.threads = 3;
  const QueryLog three = read(bytes);
  ASSERT_EQ(one.queries.size(), counts.size());
  ASSERT_EQ(three.queries.size(), counts.size());
  for (std::size_t i = 0; i < one.queries.size(); ++i) {
    EXPECT_EQ(one.queries[i].text, three.queries[i].text);
    EXPECT_EQ(one.queries[i].place, three.queries[i].place);
    EXPECT_EQ(one.queries[i].count, counts[one.queries[i].text]);
    EXPECT_EQ(three.queries[i].count, counts[one.queries[i].text]);
  }
}

TEST(QueryFolding, IsTheWordsWithOneSpaceBetweenThem) {
  FeatureExtractor folding = query_folding();
  base::Random random(4);
  const std::vector<std::string> pieces{
      "Cats",     " ", "\t",           "--", "\xE6\x9D\xB1\xE4\xBA\xAC", "e\xCC\x81",
      "\xC3\x89", "7", "\xEF\xAC\x81", "'",  "\xE0\xB8\x81\xE0\xB8\xB4", "\xEF\xBF\xBD"};
  for (int i = 0; i < 5000; ++i) {
    std::string text;
    for (auto n = random.below(8); n > 0; --n) text += pieces[random.below(pieces.size())];
    std::string expected;
    for (const std::string& word : neardup::words(text)) expected += (expected.empty() ? "" : " ") + word;
    ASSERT_EQ(folding.string(text), expected) << text;
  }
}

TEST(QueryLog, OfTheCallersOwnQueriesIsLikeOneOfCounts) {
  const std::vector<SearchedQuery> queries{{"Cats", 2}, {"dogs", 5}, {"cats ", 4}, {"...", 3}, {"birds", 0}};
  const QueryLog log = read_query_log({.queries = queries}, OnBadRecord::fail, {});
  ASSERT_EQ(log.queries.size(), 2u);
  EXPECT_EQ(log.queries[0].text, "cats");
  EXPECT_EQ(log.queries[0].count, 6u);
  EXPECT_EQ(log.queries[0].place, 1u);
  EXPECT_EQ(log.queries[1].text, "dogs");
  EXPECT_EQ(log.report.lines, 5u);
  EXPECT_EQ(log.report.searches, 11u);
  EXPECT_EQ(log.report.without_words, 1u);
  EXPECT_EQ(read_query_log({.queries = queries, .top = 1}, OnBadRecord::fail, {}).queries.size(), 1u);
}

TEST(QueryLog, OfNoQueriesAtAllIsRefused) {
  EXPECT_THROW(read_query_log({.queries = {{"!", 1}}}, OnBadRecord::fail, {}), Error);
}

}  // namespace
}  // namespace neardup::clean
