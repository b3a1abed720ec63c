#include "clean/run_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/scratch.h"

namespace neardup::clean {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

QueryLog log_of(const std::vector<LoggedQuery>& queries) {
  QueryLog log;
  log.queries = queries;
  for (const LoggedQuery& query : queries) log.has_ids |= !query.id.empty();
  return log;
}

// Documents d0 to d9, and "my file.txt" in row 10.
authority::NameTable documents() {
  authority::NameTable names;
  for (DocumentNumber row = 0; row < 10; ++row) {
    const authority::NameTable::Entry entry = authority::NameTable::name(row, "d" + std::to_string(row));
    names.add({&entry, 1});
  }
  const authority::NameTable::Entry entry = authority::NameTable::name(10, "my file.txt");
  names.add({&entry, 1});
  names.finish();
  return names;
}

class RunFiles : public ::testing::Test {
 protected:
  RunFile read(const std::string& bytes, const QueryLog& log) {
    test::write_bytes(path(), bytes);
    return {path(), log, documents(), context_};
  }
  RunFile read(const std::string& bytes) { return read(bytes, two_); }
  std::string path() { return folder_ / "results.run"; }

  test::ScratchFolder folder_;
  Context context_;
  QueryLog two_ = log_of({{.text = "cats", .count = 2, .place = 3}, {.text = "big dogs", .count = 1, .place = 1}});
};

std::vector<DocumentNumber> rows(const RunFile& run, QueryNumber query, std::size_t depth = 100,
                                 Removed removed = Removed(11)) {
  std::vector<Hit> hits{{.row = 99, .score = 0}};  // left over from an earlier search
  run.searcher()->search(query, depth, removed, hits);
  std::vector<DocumentNumber> out;
  for (const Hit& hit : hits) out.push_back(hit.row);
  return out;
}

TEST_F(RunFiles, GiveTheResultsOfEachQueryInTheOrderOfRanks) {
  const RunFile run = read("3 Q0 d2 2 5.5 me\n1 Q0 d7 1 9 me\n3 Q0 d1 1 6.5 me\n3 Q0 d3 3 1e-3 me\n");
  EXPECT_THAT(rows(run, 0), ElementsAre(1, 2, 3));
  EXPECT_THAT(rows(run, 1), ElementsAre(7));
  std::vector<Hit> hits;
  run.searcher()->search(0, 1, Removed(11), hits);
  EXPECT_THAT(hits, ElementsAre(Hit{1, 6.5}));
  EXPECT_EQ(run.counts().lines, 4u);
  EXPECT_EQ(run.counts().unsorted, 0u);
}

TEST_F(RunFiles, CallQueriesByPlaceWhenAllIdsAreWholeNumbers) {
  const RunFile run = read("003 Q0 d1 1 1 t\n2 Q0 d2 1 1 t\n");
  EXPECT_THAT(rows(run, 0), ElementsAre(1));
  EXPECT_THAT(rows(run, 1), IsEmpty());
  EXPECT_EQ(run.counts().unknown_queries, 1u);
}

TEST_F(RunFiles, CallQueriesByTextOtherwise) {
  const RunFile run = read("Cats! Q0 d1 1 1 t\nBig  dogs Q0 d2 1 1 t\n3 Q0 d3 1 1 t\nbig\tdogs Q0 d4 2 1 t\n");
  EXPECT_THAT(rows(run, 0), ElementsAre(1));
  EXPECT_THAT(rows(run, 1), ElementsAre(2, 4));
  EXPECT_EQ(run.counts().unknown_queries, 1u);
}

TEST_F(RunFiles, CallQueriesByTheIdsOfTheLogWhenItHasThem) {
  const QueryLog log = log_of({{.text = "cats", .count = 2, .place = 1, .id = "7"},
                               {.text = "dogs", .count = 1, .place = 2, .id = "query eight"},
                               {.text = "mice", .count = 1, .place = 3}});
  const RunFile run = read("7 Q0 d1 1 1 t\n1 Q0 d2 1 1 t\nquery eight Q0 d3 1 1 t\nmice Q0 d4 1 1 t\n", log);
  EXPECT_THAT(rows(run, 0), ElementsAre(1));
  EXPECT_THAT(rows(run, 1), ElementsAre(3));
  EXPECT_THAT(rows(run, 2), ElementsAre(4));
  EXPECT_EQ(run.counts().unknown_queries, 1u);
}

TEST_F(RunFiles, AreWrittenWithIdsThatAreReadBack) {
  EXPECT_EQ(run_file_id(two_, two_.queries[1]), "1");
  const QueryLog log =
      log_of({{.text = "cats", .count = 1, .place = 1, .id = "q1"}, {.text = "dogs", .count = 1, .place = 2}});
  EXPECT_EQ(run_file_id(log, log.queries[0]), "q1");
  EXPECT_EQ(run_file_id(log, log.queries[1]), "dogs");
}

TEST_F(RunFiles, WithTabsMayHaveBlanksInIds) {
  const RunFile run = read("big dogs\tQ0\tmy file.txt\t1\t2.5\tt\ncats\tQ0\td1\t1\t1\tt\n");
  EXPECT_THAT(rows(run, 1), ElementsAre(10));
  EXPECT_THAT(rows(run, 0), ElementsAre(1));
}

TEST_F(RunFiles, MayHaveAnyBlanksBetweenColumnsAndAround) {
  const RunFile run = read("  3 \t Q0   d1\t1\t1 \t t  \r\n\n3\tQ0\td2\t2\t0.5\tt\n3 Q0 d3 3 0 t");
  EXPECT_THAT(rows(run, 0), ElementsAre(1, 2, 3));
}

TEST_F(RunFiles, CountLinesOfUnknownDocuments) {
  const RunFile run = read("3 Q0 gone 1 3 t\n3 Q0 d1 2 2 t\n3 Q0 lost 3 1 t\n");
  EXPECT_THAT(rows(run, 0), ElementsAre(1));
  EXPECT_EQ(run.counts().unknown_documents, 2u);
  EXPECT_EQ(run.counts().lines, 3u);
}

TEST_F(RunFiles, PutRepeatedRanksInTheOrderOfScoresThenOfTheFile) {
  const RunFile run = read("3 Q0 d1 1 1 t\n3 Q0 d2 1 2 t\n3 Q0 d3 1 1 t\n3 Q0 d4 0 0 t\n");
  EXPECT_THAT(rows(run, 0), ElementsAre(4, 2, 1, 3));
  EXPECT_EQ(run.counts().repeated_ranks, 2u);
}

TEST_F(RunFiles, CountScoresThatAreHigherThanTheRankBefore) {
  const RunFile run = read("3 Q0 d1 1 1 t\n3 Q0 d2 2 5 t\n3 Q0 d3 3 5 t\n3 Q0 d4 4 6 t\n");
  EXPECT_THAT(rows(run, 0), ElementsAre(1, 2, 3, 4));
  EXPECT_EQ(run.counts().unsorted, 2u);
}

TEST_F(RunFiles, CountADocumentWhereItFirstStands) {
  const RunFile run = read("3 Q0 d1 2 2 t\n3 Q0 d2 1 3 t\n3 Q0 d1 3 1 t\n3 Q0 d2 4 0 t\n1 Q0 d1 1 1 t\n");
  EXPECT_THAT(rows(run, 0), ElementsAre(2, 1));
  EXPECT_THAT(rows(run, 1), ElementsAre(1));
  EXPECT_EQ(run.counts().repeated_documents, 2u);
}

TEST_F(RunFiles, ShowWhatIsNotRemovedUpToTheDepth) {
  const RunFile run = read("3 Q0 d1 1 4 t\n3 Q0 d2 2 3 t\n3 Q0 d3 3 2 t\n3 Q0 d4 4 1 t\n");
  Removed removed(11);
  removed[2] = true;
  EXPECT_THAT(rows(run, 0, 2, removed), ElementsAre(1, 3));
  EXPECT_THAT(rows(run, 0, 0, removed), IsEmpty());
  EXPECT_EQ(run.searcher()->matches(0, removed), 3u);
  EXPECT_EQ(run.searcher()->matches(1, removed), 0u);
}

TEST_F(RunFiles, AreRefusedForLinesThatAreNone) {
  const auto refused = [&](const std::string& line) {
    return test::error_of(ErrorCode::input, [&] { read("3 Q0 d1 1 1 t\n" + line + "\n"); });
  };
  EXPECT_THAT(refused("3 Q0 d1 1 1"), HasSubstr("results.run:2: expected six columns"));
  EXPECT_THAT(refused("cats"), HasSubstr("expected six columns"));
  EXPECT_THAT(refused("3 Q0 d1 first 1 t"), HasSubstr("the rank \"first\" is not a whole number"));
  EXPECT_THAT(refused("3 Q0 d1 1 high t"), HasSubstr("the score \"high\" is not a number"));
  EXPECT_THAT(refused("3 Q0 d1 1 nan t"), HasSubstr("the score \"nan\" is not a number"));
  EXPECT_THAT(refused("3\tQ0\td1\t\t1\tt"), HasSubstr("expected six columns"));
  EXPECT_EQ(test::option_of([&] { read("x\n"); }), "results");
}

TEST_F(RunFiles, MayBeEmpty) {
  const RunFile run = read("");
  EXPECT_THAT(rows(run, 0), IsEmpty());
  EXPECT_EQ(run.counts().lines, 0u);
}

TEST_F(RunFiles, SayWhatTheyAre) { EXPECT_THAT(read("3 Q0 d1 1 1 t\n").describe(), HasSubstr("results.run")); }

TEST_F(RunFiles, OfManyLinesAreReadAlikeOnAnyNumberOfThreads) {
  std::string bytes;
  for (int i = 0; i < 200'000; ++i) {
    bytes +=
        std::to_string(i % 3 + 1) + " Q0 d" + std::to_string(i * 7 % 10) + " " + std::to_string(i % 1000) + " 1 t\n";
  }
  context_.threads = 1;
  const RunFile one = read(bytes);
  context_.threads = 3;
  const RunFile three = read(bytes);
  for (const QueryNumber query : {0u, 1u}) {
    EXPECT_EQ(rows(one, query), rows(three, query));
    EXPECT_EQ(rows(one, query).size(), 10u);
  }
  EXPECT_EQ(one.counts().repeated_documents, three.counts().repeated_documents);
}

}  // namespace
}  // namespace neardup::clean
