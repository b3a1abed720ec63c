// What a run writes and reports, beyond which pairs there are.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/random.h"
#include "io/collection.h"
#include "support/collections.h"
#include "support/runs.h"

namespace neardup::test {
namespace {

// The lists of a page, without the record of its run.
std::string without_threads(const std::string& page) { return page.substr(page.find("\"curve\":")); }

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

// One run over a file of the test's own.
struct FileRun {
  ScratchFolder scratch;
  Context context{.temp_folder = scratch.path()};
  Clusters clusters;  // of the last run

  DedupReport operator()(const std::string& name, const std::string& bytes, DedupOptions options,
                         const ReadOptions& reading = {}, std::size_t batch_bytes = 1 << 20) {
    write_bytes(scratch / name, bytes);
    if (options.output.path.empty()) options.output.path = "out";
    options.output.path = scratch / options.output.path;
    DedupResult result =
        deduplicate(io::open_collection({scratch / name}, reading, context, batch_bytes), options, context);
    clusters = std::move(result.clusters);
    return std::move(result.report);
  }
  [[nodiscard]] std::string out(const std::string& name) const { return bytes_of(scratch / ("out/" + name)); }
};

TEST(WholeRun, WritesTheSameBytesForAnyNumberOfThreadsAndAnyBatches) {
  base::Random random(1);
  for (const NamedGenerator& generator : kGenerators) {
    const std::string input = as_jsonl(numbered(generator.generate(random, 400)));
    for (const std::string finder : {"exact", "minhash"}) {
      std::map<std::string, std::string> expected;
      for (const unsigned threads : {1u, 2u, 8u}) {
        for (const std::size_t batch_bytes : {200u, 1u << 20}) {
          for (const std::size_t memory : {std::size_t{0}, std::size_t{64} << 20}) {
            FileRun run;
            run.context.threads = threads;
            run.context.memory_bytes = memory;
            run("in.jsonl", input,
                {.definition = kWords,
                 .finder = {.name = finder},
                 .clusters = ClusterKind::star,
                 .output = {.path = "out", .save_removed = true}},
                {}, batch_bytes);
            auto files = everything_in(run.scratch / "out");
            files.erase("run.json");
            files.at("report.html") = without_threads(files.at("report.html"));
            if (expected.empty()) expected = files;
            ASSERT_EQ(files, expected) << generator.name << " " << finder << " " << threads;
          }
        }
      }
      EXPECT_EQ(expected.size(), 7u);
    }
  }
}

TEST(WholeRun, EscapesIdsInTablesAndNumbersTheirRepeats) {
  FileRun run;
  const DedupReport report = run("in.jsonl",
                                 "{\"id\":\"a\\tb\",\"text\":\"x y z\"}\n"
                                 "{\"id\":\"a\\tb\",\"text\":\"x y z\"}\n"
                                 "{\"id\":7.50,\"text\":\"x y z\"}\n"
                                 "{\"text\":\"x y z\"}\n"
                                 "{\"id\":\"q\\\"\\\\\",\"text\":\"x y z\"}\n",
                                 {.definition = kWords});
  EXPECT_EQ(report.repeated_ids, 1u);
  const std::string unnamed = (run.scratch / "in.jsonl") + ":4";
  EXPECT_EQ(run.out("pairs.tsv"), "left\tright\tscore\na\\tb\ta\\tb#2\t1.000000\na\\tb\t7.50\t1.000000\na\\tb\t" +
                                      unnamed + "\t1.000000\na\\tb\tq\"\\\\\t1.000000\n");
  EXPECT_THAT(run.out("removed.jsonl"), AllOf(HasSubstr("{\"id\":\"a\\tb#2\",\"kept\":\"a\\tb\","),
                                              HasSubstr("\"7.50\""), HasSubstr("\"q\\\"\\\\\"")));
  ASSERT_EQ(report.warnings.size(), 1u);
  EXPECT_THAT(report.warnings[0], HasSubstr("1 record repeats an id"));
}

TEST(WholeRun, PutsTheRecallItMeasuredIntoRunJson) {
  base::Random random(2);
  FileRun run;
  const DedupReport report = run("in.jsonl", as_jsonl(numbered(near_copies(random, 200))),
                                 {.definition = kWords, .finder = {.name = "minhash", .target_recall = 0.6}});
  ASSERT_TRUE(report.finder.recall);
  EXPECT_GT(report.finder.recall->pairs, 50u);
  EXPECT_LT(report.finder.recall->value, 1);
  base::Random again(2);
  const Naive naive(numbered(near_copies(again, 200)), kWords, ClusterKind::components);
  const IndexPairs truth = naive.distinct_pairs();
  const double recall = static_cast<double>(*report.finder.pairs) / static_cast<double>(truth.size());
  EXPECT_EQ(report.finder.recall->value, recall);
  EXPECT_EQ(report.finder.recall->pairs, truth.size());
  std::string expected = std::to_string(truth.size());
  EXPECT_THAT(run.out("run.json"), HasSubstr("\"pairs\": " + expected + "\n"));
  const std::string json = run.out("run.json");
  const std::size_t at = json.find("\"value\": ", json.find("\"recall\": {"));
  ASSERT_NE(at, std::string::npos);
  EXPECT_EQ(std::stod(json.substr(at + 9)), recall);
}

TEST(WholeRun, DoesNotMeasureRecallWhenToldNotTo) {
  const TextsRun run({"a b c d", "a b c e"},
                     {.definition = kWords, .finder = {.name = "minhash", .measure_recall = false}});
  EXPECT_FALSE(run.report.finder.recall);
  EXPECT_THAT(run.files.at("run.json"), HasSubstr("\"recall\": null"));
}

TEST(WholeRun, MeasuresRecallOnEverythingUpToTwentyThousandDocumentsWhateverTheMemory) {
  base::Random random(3);
  const std::vector<std::string> texts = near_copies(random, 300);
  const DedupOptions options{.definition = kWords, .finder = {.name = "minhash", .target_recall = 0.6}};
  const TextsRun plenty(texts, options), little(texts, options, {.memory_bytes = 1 << 20});
  ASSERT_TRUE(plenty.report.finder.recall && little.report.finder.recall);
  EXPECT_EQ(plenty.report.finder.recall->documents, little.report.finder.recall->documents);
  EXPECT_EQ(plenty.report.finder.recall->value, little.report.finder.recall->value);
}

TEST(WholeRun, LooksAtTheFirstRecordsOnlyWithALimit) {
  FileRun run;
  const DedupReport report =
      run("in.jsonl", as_jsonl(numbered({"a b", "c d", "a b", "c d", "a b"})), {.definition = kWords}, {.limit = 3});
  EXPECT_EQ(report.records, 3u);
  EXPECT_EQ(run.out("kept.jsonl"), as_jsonl({{"d0", "a b"}, {"d1", "c d"}}));
  EXPECT_EQ(run.out("pairs.tsv"), "left\tright\tscore\nd0\td2\t1.000000\n");
}

TEST(WholeRun, LooksAtTheSameSampleInEveryPassAndOnAnyNumberOfThreads) {
  base::Random random(4);
  const std::string input = as_jsonl(numbered(heavy_duplicates(random, 500)));
  std::map<std::string, std::string> expected;
  for (const unsigned threads : {1u, 8u}) {
    FileRun run;
    run.context.threads = threads;
    const DedupReport report = run("in.jsonl", input, {.definition = kWords}, {.sample = 0.3, .seed = 5}, 300);
    EXPECT_GT(report.records, 100u);
    EXPECT_LT(report.records, 200u);
    auto files = everything_in(run.scratch / "out");
    files.erase("run.json");
    files.at("report.html") = without_threads(files.at("report.html"));
    if (expected.empty()) expected = files;
    EXPECT_EQ(files, expected);
  }
}

const Definition kOfSets{.threshold = {3, 5}};  // no features: sets bring their own

TEST(WholeRun, TakesSetsOfIntegersAsTheyAre) {
  FileRun run;
  const DedupReport report =
      run("in.sets", "1 2 3 4\n4 3 2 1 1\n\n1 2 3 5\n100\n18446744073709551615\n100\n", {.definition = kOfSets});
  const std::string path = run.scratch / "in.sets";
  EXPECT_EQ(report.records, 7u);
  EXPECT_EQ(report.without_features, 1u) << "an empty line is an empty set";
  EXPECT_EQ(report.kept, 4u);
  EXPECT_EQ(run.out("kept.sets"), "1 2 3 4\n\n100\n18446744073709551615\n");
  EXPECT_THAT(run.out("pairs.tsv"), HasSubstr(path + ":1\t" + path + ":4\t0.600000\n"));
  EXPECT_EQ(report.definition.features.kind, FeatureKind::tokens);
}

TEST(WholeRun, CountsRepeatedIntegersOnlyInABag) {
  Definition bag = kOfSets;
  bag.features.bag = true;
  FileRun with, without;
  EXPECT_EQ(with("in.sets", "1 1 1 2\n1 2\n", {.definition = bag}).kept, 2u);
  EXPECT_EQ(without("in.sets", "1 1 1 2\n1 2\n", {.definition = kOfSets}).kept, 1u);
}

TEST(WholeRun, TakesSetsForHammingToo) {
  FileRun run;
  const DedupReport report = run("in.sets", "1 2 3 4 5\n5 4 3 2 1\n1 2 3 4 5 5 5 5\n",
                                 {.definition = {.measure = Measure::hamming, .threshold = {0, 1}}});
  EXPECT_EQ(report.copies, 1u);
  EXPECT_EQ(report.kept, 2u);
}

TEST(WholeRun, RefusesToCompareSetsAsStrings) {
  FileRun run;
  EXPECT_THAT(error_of(ErrorCode::usage,
                       [&] {
                         run("in.sets", "1 2\n", {.definition = {.measure = Measure::edit, .threshold = {1, 1}}});
                       }),
              HasSubstr("not strings"));
}

TEST(WholeRun, RefusesNamedFeaturesForSets) {
  FileRun run;
  EXPECT_THAT(error_of(ErrorCode::usage, [&] { run("in.sets", "1 2\n", {.definition = kWords}); }),
              HasSubstr("`features`"));
}

TEST(WholeRun, LeavesBadRecordsOutAndListsThem) {
  FileRun run;
  const DedupReport report = run("in.jsonl",
                                 "{\"id\":\"a\",\"text\":\"x y z\"}\n{\"id\":\"b\",\"text\":7}\nno json\n"
                                 "{\"id\":\"c\",\"text\":\"x y z\"}\n",
                                 {.definition = kWords, .on_bad_record = OnBadRecord::quarantine});
  EXPECT_EQ(report.records, 4u);
  EXPECT_EQ(report.bad.count, 2u);
  EXPECT_EQ(report.kept, 1u);
  EXPECT_EQ(report.removed, 1u);
  EXPECT_TRUE(run.clusters.is_kept(0));
  for (const DocId row : {1, 2, 3}) EXPECT_FALSE(run.clusters.is_kept(row));
  EXPECT_EQ(run.out("quarantine"), "{\"id\":\"b\",\"text\":7}\nno json\n");
  EXPECT_THAT(run.out("bad.jsonl"), AllOf(HasSubstr("\"line\":2"), HasSubstr("\"line\":3")));
}

TEST(WholeRun, StopsAtTheFirstBadRecordWhenToldToAndLeavesNothing) {
  FileRun run;
  EXPECT_THAT(error_of(ErrorCode::input,
                       [&] { run("in.jsonl", "{\"text\":\"x\"}\nno json\n", {.on_bad_record = OnBadRecord::fail}); }),
              HasSubstr("in.jsonl:2"));
  EXPECT_EQ(everything_in(run.scratch.path()).size(), 1u);
}

TEST(WholeRun, AnnotatesEveryRecordInPlace) {
  FileRun run;
  run("in.jsonl", as_jsonl(numbered({"1 2 3 4", "2 3 4 5", "3 4 5 6", "other"})),
      {.definition = kWords, .output = {.path = "out", .annotate = true}});
  const std::string kept = run.out("kept.jsonl");
  EXPECT_EQ(std::count(kept.begin(), kept.end(), '\n'), 4);
  EXPECT_THAT(kept, AllOf(HasSubstr("\"neardup_cluster\":\"d0\",\"neardup_kept\":false,\"neardup_score\":0.600000"),
                          HasSubstr("\"neardup_cluster\":\"d0\",\"neardup_kept\":false,\"neardup_score\":null"),
                          HasSubstr("\"neardup_cluster\":null,\"neardup_kept\":true")));
}

TEST(WholeRun, WritesNothingInADryRunButReportsTheSame) {
  FileRun dry, real;
  const std::string input = as_jsonl(numbered({"a b", "a b", "c"}));
  const DedupReport report = dry("in.jsonl", input, {.definition = kWords, .output = {.path = "out", .dry_run = true}});
  real("in.jsonl", input, {.definition = kWords});
  for (DocId row = 0; row < 3; ++row) EXPECT_EQ(dry.clusters.is_kept(row), real.clusters.is_kept(row));
  EXPECT_EQ(everything_in(dry.scratch.path()).size(), 1u);
  EXPECT_TRUE(report.outputs.empty());
}

TEST(WholeRun, RefusesAnOutputThatExistsBeforeItReads) {
  FileRun run;
  write_bytes(run.scratch / "out", "precious");
  std::size_t events = 0;
  EveryEvent observer([&](std::string_view) { ++events; });
  run.context.observer = &observer;
  EXPECT_THAT(error_of(ErrorCode::output, [&] { run("in.jsonl", "{\"text\":\"x\"}\n", {}); }),
              HasSubstr("exists already"));
  EXPECT_EQ(events, 0u);
  EXPECT_EQ(bytes_of(run.scratch / "out"), "precious");
}

TEST(WholeRun, ShowsExamplesThatDifferFromTheKeptDocument) {
  const TextsRun run({"1 2 3 4", "1 2 3 4", "1 2 3 5"}, {.definition = kWords});
  ASSERT_EQ(run.report.examples.size(), 1u);
  const Example& example = run.report.examples[0];
  EXPECT_EQ(example.removed_key, "2");
  EXPECT_EQ(example.removed_text, "1 2 3 5");
  EXPECT_EQ(example.kept_key, "0");
  EXPECT_EQ(example.score, 0.6);
}

TEST(WholeRun, CutsTheTextsOfExamplesBetweenCodePoints) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "\u00E9";
  const TextsRun run({text, text}, {.definition = kWords});
  ASSERT_EQ(run.report.examples.size(), 1u);
  EXPECT_EQ(run.report.examples[0].removed_text, text.substr(0, 600));
}

TEST(WholeRun, WarnsOfAGiantClusterAndSaysWhatHoldsItTogether) {
  base::Random random(6);
  std::vector<std::string> texts;
  for (int i = 0; i < 150; ++i)
    texts.push_back("this site uses cookies to serve you better " + random_words(random, 2, 1'000'000));
  const TextsRun run(texts, {.definition = kWords});
  ASSERT_EQ(run.report.warnings.size(), 1u);
  EXPECT_THAT(run.report.warnings[0],
              AllOf(HasSubstr("150 of 150"), HasSubstr("this site uses cookies to serve you better"),
                    HasSubstr("`clusters=star`")));
  const TextsRun copies(std::vector<std::string>(150, texts[0]), {.definition = kWords});
  EXPECT_TRUE(copies.report.warnings.empty()) << "copies are nothing improbable";
}

TEST(WholeRun, ReportsOverlapOfCopiesBelowTheThresholdAsNoPair) {
  const TextsRun run({"a b", "a b", "a b c", "a b c"}, {.definition = words_definition(1, Measure::overlap, {3, 1})});
  EXPECT_EQ(run.files.at("pairs.tsv"), "left\tright\tscore\n2\t3\t3\n");
  EXPECT_EQ(run.report.kept, 3u);
}

TEST(WholeRun, RefusesOptionsThatContradictThemselves) {
  Context context;
  const auto refused = [&](const DedupOptions& options) {
    return error_of(ErrorCode::usage, [&] { (void)deduplicate(Collection::from_texts({"a"}), options, context); });
  };
  EXPECT_THAT(refused({.finder = {.target_recall = 1}}), HasSubstr("`target_recall`"));
  EXPECT_THAT(refused({.finder = {.target_recall = 0}}), HasSubstr("`target_recall`"));
  EXPECT_THAT(refused({.keep = {}}), HasSubstr("`keep`"));
  EXPECT_THAT(refused({.output = {.annotate = true}}), HasSubstr("`annotate`"));
  EXPECT_THAT(refused({.output = {.save_removed = true}}), HasSubstr("`save_removed`"));
  EXPECT_THAT(refused({.on_bad_record = OnBadRecord::quarantine}), HasSubstr("quarantine"));
  EXPECT_THAT(refused({.definition = {.measure = Measure::overlap, .threshold = {4, 5}}}), Not(HasSubstr("magic")));
}

TEST(WholeRun, SaysEverythingInItsJsonReport) {
  const TextsRun run({"1 2 3 4", "1 2 3 5", ""},
                     {.definition = kWords, .output = {.recorded_command = {"neardup", "dedup"}}});
  EXPECT_THAT(to_json(run.report),
              AllOf(HasSubstr("\"records\": 3"), HasSubstr("\"kept\": 2"), HasSubstr("\"removed\": 1"),
                    HasSubstr("\"without_features\": 1"), HasSubstr("\"finder\": \"exact\"")));
  EXPECT_THAT(run.files.at("run.json"), AllOf(HasSubstr("\"seed\": 42"), HasSubstr("\"threshold\": \"0.6\""),
                                              HasSubstr("ICU"), HasSubstr("\"features\": \"words\"")));
}

}  // namespace
}  // namespace neardup::test
