// The whole job on documents that the caller holds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "neardup/dedup.h"
#include "support/answers.h"
#include "support/held_collections.h"
#include "support/no_files.h"
#include "support/runs.h"

namespace neardup::test {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

DedupOptions with(const std::string& finder, const std::string& keep = "first") {
  return {.definition = kWords, .finder = {.name = finder}, .keep = parse_keep_rules(keep), .keep_evidence = true};
}

class InMemory : public ::testing::TestWithParam<const char*> {
 protected:
  ScratchFolder scratch_;
  Context context_{.temp_folder = scratch_.path()};
};
INSTANTIATE_TEST_SUITE_P(Finders, InMemory, ::testing::Values("exact", "minhash", "simhash"));

TEST_P(InMemory, TheAnswerIsThatOfTheSameDocumentsInAFile) {
  const HeldList documents = held_near_copies(1, 300);
  const Collection file = as_file(documents, scratch_ / "in.jsonl", context_);
  for (const char* keep : {"first", "longest", "max:rank,last", "prefer:rank=7"}) {
    const std::string expected = answer(deduplicate(file, with(GetParam(), keep), context_));
    for (const std::size_t batch : {1u, 7u, 1000u})
      EXPECT_EQ(answer(deduplicate(held(documents, batch), with(GetParam(), keep), context_)), expected) << keep;
  }
}

TEST_P(InMemory, SoItIsAgainstAnotherCollection) {
  const HeldList documents = held_near_copies(2, 200), others = held_near_copies(2, 90);
  const Collection file = as_file(documents, scratch_ / "in.jsonl", context_);
  const Collection other_file = as_file(others, scratch_ / "others.jsonl", context_);
  const std::string expected = answer(deduplicate(file, other_file, with(GetParam()), context_));
  EXPECT_THAT(expected, HasSubstr(" near "));
  EXPECT_EQ(answer(deduplicate(held(documents), held(others, 3), with(GetParam()), context_)), expected);
  EXPECT_EQ(answer(deduplicate(held(documents), other_file, with(GetParam()), context_)), expected);
  EXPECT_EQ(answer(deduplicate(file, held(others), with(GetParam()), context_)), expected);
}

TEST_P(InMemory, NoFileIsTouched) {
  NoFiles files;
  const HeldList documents = held_near_copies(3, 300);
  const Context context{.files = &files};
  const DedupResult result = deduplicate(held(documents), with(GetParam(), "max:rank"), context);
  EXPECT_GT(result.report.removed, 50u);
  EXPECT_GT(result.clusters.size(), 10u);
}

TEST(InMemoryDocuments, MayBeSetsOfIntegers) {
  const auto source = std::make_shared<HeldDocuments>(
      HeldList{{.tokens = {1, 2, 3, 4}}, {.tokens = {9}}, {.tokens = {4, 3, 2, 1}}, {.tokens = {1, 2, 3, 5}}, {}});
  source->tokens = true;
  const DedupResult result =
      deduplicate(Collection::from(source), {.definition = {.measure = Measure::jaccard, .threshold = {3, 5}}}, {});
  ASSERT_EQ(result.clusters.size(), 1u);
  EXPECT_THAT(result.clusters[0], ElementsAre(0, 2, 3));
  EXPECT_EQ(result.report.without_features, 1u);
  EXPECT_EQ(result.report.definition.features.kind, FeatureKind::tokens);
  EXPECT_THAT(error_of(ErrorCode::usage,
                       [&] {
                         (void)deduplicate(Collection::from(source),
                                           {.definition = {.measure = Measure::edit, .threshold = {1, 1}}}, {});
                       }),
              HasSubstr("not strings"));
}

TEST(InMemoryDocuments, WeighTheirFields) {
  const HeldList documents{{.texts = {"a b c d", "x"}}, {.texts = {"a b c d", "y"}}, {.texts = {"x", "a b c d"}}};
  Definition definition{.measure = Measure::hamming, .threshold = {3, 1}, .field_weights = {50, 1}};
  const DedupResult result = deduplicate(held(documents), {.definition = definition}, {});
  EXPECT_EQ(result.clusters.representative(1), 0u);
  EXPECT_EQ(result.clusters.representative(2), 2u);
  definition.field_weights = {1, 2, 3};
  EXPECT_THAT(error_of(ErrorCode::usage, [&] { (void)deduplicate(held(documents), {.definition = definition}, {}); }),
              HasSubstr("2 text fields"));
}

TEST(InMemoryDocuments, MayBeNone) {
  const DedupResult result = deduplicate(held({}), {.definition = kWords}, {});
  EXPECT_EQ(result.clusters.rows(), 0u);
  EXPECT_EQ(result.report.kept, 0u);
}

TEST(InMemoryDocuments, AskForTheFieldsOfKeepRulesOnlyWhereTheyAreLookedAt) {
  const auto source = std::make_shared<HeldDocuments>(held_near_copies(4, 50));
  (void)deduplicate(Collection::from(source), with("exact", "max:rank"), {});
  const auto asked = source->asked();
  EXPECT_THAT(asked.front(), ElementsAre("rank"));
  EXPECT_THAT(std::vector(asked.begin() + 1, asked.end()), Each(IsEmpty()));
}

TEST(InMemoryDocuments, AreRefusedAFieldThatTheyDoNotHave) {
  const auto source = std::make_shared<HeldDocuments>(held_near_copies(5, 10));
  source->no_fields = {"date"};
  const std::string message = error_of(
      ErrorCode::usage, [&] { (void)deduplicate(Collection::from(source), with("exact", "newest:date"), {}); });
  EXPECT_THAT(message, HasSubstr("\"date\""));
  EXPECT_THAT(source->asked(), IsEmpty()) << "before anything is read";
}

TEST(InMemoryDocuments, EndTheCallWithTheErrorOfTheirSource) {
  for (const unsigned threads : {1u, 4u}) {
    const auto source = std::make_shared<HeldDocuments>(HeldList(100, {.texts = {"x y z"}}));
    source->before_batch = [](std::size_t first) {
      if (first >= 50) throw Error(ErrorCode::corrupt, "the table is damaged", "table");
    };
    const auto call = [&] {
      (void)deduplicate(Collection::from(source), {.definition = kWords}, {.threads = threads});
    };
    EXPECT_EQ(error_of(ErrorCode::corrupt, call), "the table is damaged");
    EXPECT_EQ(option_of(call), "table");
    EXPECT_EQ(source->alive(), 0);
    source->before_batch = [](std::size_t) { throw std::runtime_error("what is this"); };
    EXPECT_THAT(error_of(ErrorCode::internal, call), HasSubstr("what is this"));
  }
}

TEST(InMemoryDocuments, MustBeTheSameInEveryReading) {
  const auto source = std::make_shared<HeldDocuments>(HeldList{});
  source->other = [](std::size_t reading) {
    HeldList documents = held_near_copies(6, 60);
    if (reading > 0) documents[40].texts[0] += " changed";
    return documents;
  };
  EXPECT_THAT(
      error_of(ErrorCode::input, [&] { (void)deduplicate(Collection::from(source, "table"), with("exact"), {}); }),
      HasSubstr("table changed while it was being read"));
}

TEST(InMemoryDocuments, LeaveListsInAFolderButNoRecords) {
  const ScratchFolder scratch;
  const HeldList documents = held_near_copies(7, 100);
  const Context context{.temp_folder = scratch.path()};
  const auto write = [&](const Collection& collection, const std::string& folder) {
    deduplicate(collection, {.definition = kWords, .output = {.path = scratch / folder}}, context);
    return everything_in(scratch / folder);
  };
  const auto from_memory = write(held(documents), "memory"),
             from_file = write(as_file(documents, scratch / "in.jsonl", context), "file");
  for (const char* name : {"pairs.tsv", "clusters.tsv", "cohesion.tsv", "removed.jsonl"})
    EXPECT_EQ(from_memory.at(name), from_file.at(name)) << name;
  EXPECT_THAT(from_memory.at("run.json"), HasSubstr("\"path\": \"memory\""));
  EXPECT_THAT(from_memory.at("bad.jsonl"), HasSubstr("no document"));
  EXPECT_THAT(from_memory.at("report.html"), HasSubstr("</html>"));
  EXPECT_EQ(from_memory.size(), 7u) << "and nothing else";
}

TEST(InMemoryDocuments, AreNotWritten) {
  const ScratchFolder scratch;
  const auto source = std::make_shared<HeldDocuments>(held_near_copies(8, 20));
  const auto refused = [&](const OutputOptions& output, OnBadRecord on_bad_record = OnBadRecord::skip) {
    return error_of(ErrorCode::usage, [&] {
      (void)deduplicate(Collection::from(source), {.on_bad_record = on_bad_record, .output = output}, {});
    });
  };
  EXPECT_THAT(refused({.path = scratch / "kept.jsonl"}), HasSubstr("the caller gets the clusters"));
  EXPECT_THAT(refused({.path = "-"}), HasSubstr("the caller gets the clusters"));
  EXPECT_THAT(refused({.path = scratch / "out", .annotate = true}), HasSubstr("`annotate`"));
  EXPECT_THAT(refused({.path = scratch / "out", .save_removed = true}), HasSubstr("`save_removed`"));
  EXPECT_THAT(refused({.path = scratch / "out"}, OnBadRecord::quarantine), HasSubstr("quarantine"));
  EXPECT_THAT(refused({.path = scratch / "out", .resume = true}), HasSubstr("`resume`"));
  EXPECT_THAT(source->asked(), IsEmpty()) << "before anything is read";
  EXPECT_THAT(everything_in(scratch.path()), IsEmpty());
}

TEST(InMemoryDocuments, FailOnTheFirstBadOneWhenAsked) {
  EXPECT_THAT(
      error_of(
          ErrorCode::input,
          [] {
            (void)deduplicate(held({{.texts = {"a"}}, {.problem = "null"}}), {.on_bad_record = OnBadRecord::fail}, {});
          }),
      HasSubstr("memory:2: null"));
}

}  // namespace
}  // namespace neardup::test
