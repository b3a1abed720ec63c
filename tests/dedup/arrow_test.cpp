// The whole job on Arrow streams: the answer is that of the same documents as JSON lines.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "neardup/arrow.h"
#include "neardup/memory.h"
#include "support/answers.h"
#include "support/arrow_arrays.h"
#include "support/held_collections.h"
#include "support/runs.h"

namespace neardup::test {
namespace {

using ::testing::ElementsAre;

const ArrowColumns kColumns{.text = {{"text0", "text1"}}};

// Documents as one table; a bad one has no text.
Column as_table(const HeldList& documents) {
  Strings keys, first, second, ranks;
  for (const HeldDocument& document : documents) {
    const bool is_bad = !document.problem.empty();
    const auto rank = document.fields.find("rank");
    keys.emplace_back(document.key);
    first.emplace_back(is_bad ? std::nullopt : std::optional(document.texts[0]));
    second.emplace_back(is_bad ? std::nullopt : std::optional(document.texts[1]));
    ranks.emplace_back(rank == document.fields.end() ? std::nullopt : std::optional(rank->second));
  }
  return table({strings(ranks, "U").named("rank"), strings(first).named("text0"), strings(keys).named("id"),
                string_views(second).named("text1")});
}

// The same table in slices of so many rows.
std::vector<Column> in_slices(const Column& whole, std::int64_t rows) {
  std::vector<Column> batches;
  for (std::int64_t from = 0; from < whole.length; from += rows)
    batches.push_back(whole.slice(from, std::min(rows, whole.length - from)));
  return batches;
}

DedupOptions with(const char* finder, const char* keep) {
  return {.definition = words_definition(1, Measure::jaccard, {3, 5}),
          .finder = {.name = finder},
          .keep = parse_keep_rules(keep),
          .keep_evidence = true};
}

TEST(ArrowRuns, GiveTheAnswerOfTheSameDocumentsInAFile) {
  const ScratchFolder scratch;
  const Context context{.temp_folder = scratch.path()};
  const HeldList documents = held_near_copies(1, 300);
  const Column whole = as_table(documents);
  const Collection file = as_file(documents, scratch / "in.jsonl", context);
  const std::vector<std::string> fields{"rank"};
  for (const char* finder : {"exact", "minhash"}) {
    for (const char* keep : {"first", "max:rank,last"}) {
      const std::string expected = answer(deduplicate(file, with(finder, keep), context));
      for (const std::int64_t rows : {1, 7, 1000}) {
        const auto again = arrow_documents(factory_of(in_slices(whole, rows)), kColumns);
        EXPECT_EQ(answer(deduplicate(Collection::from(again), with(finder, keep), context)), expected) << keep << rows;
        for (const std::size_t memory : {0u, 4u}) {
          const Context tight{.memory_bytes = memory, .temp_folder = scratch.path()};
          const auto once = arrow_documents(stream_of(in_slices(whole, rows)), kColumns, fields, tight);
          EXPECT_EQ(answer(deduplicate(Collection::from(once), with(finder, keep), context)), expected) << keep << rows;
        }
      }
    }
  }
}

TEST(ArrowRuns, KeepTheNewestTimestampAndTheLargestNumber) {
  const Column text = strings(Strings(3, "the same words in every row"));
  const Column rows = table({text, values<std::int64_t>({5, 7, 6}, "tss:UTC").named("date"),
                             values<double>({0.25, 0.5, 12.0}, "g").named("score")});
  const auto kept = [&](const char* keep) {
    const auto source = arrow_documents(factory_of({rows}));
    return deduplicate(Collection::from(source), with("exact", keep), {}).clusters.representative(0);
  };
  EXPECT_EQ(kept("newest:date"), 1u);
  EXPECT_EQ(kept("oldest:date"), 0u);
  EXPECT_EQ(kept("max:score"), 2u);
  EXPECT_EQ(option_of([&] { kept("max:none"); }), "keep");
}

TEST(ArrowRuns, CompareListsOfIntegersAsSets) {
  const Column sets = lists({4, 1, 4, 4, 0}, values<std::int32_t>({1, 2, 3, 4, 9, 4, 3, 2, 1, 1, 2, 3, 5}, "i"));
  const auto source = arrow_documents(factory_of({table({sets.named("tokens")})}), {.text = {{"tokens"}}});
  const DedupResult result =
      deduplicate(Collection::from(source), {.definition = {.measure = Measure::jaccard, .threshold = {3, 5}}}, {});
  ASSERT_EQ(result.clusters.size(), 1u);
  EXPECT_THAT(result.clusters[0], ElementsAre(0, 2, 3));
}

TEST(ArrowRuns, HoldTheirArraysWithinTheBudgetAndGiveItBack) {
  const ScratchFolder scratch;
  const auto memory = std::make_shared<MemoryBudget>(std::size_t{64} << 20);
  const Column rows = as_table(held_near_copies(2, 500));
  {
    const auto source = arrow_documents(stream_of({rows}), kColumns, std::vector<std::string>{}, {.memory = memory});
    EXPECT_GT(memory->reserved(), 0u);
    (void)deduplicate(Collection::from(source), with("exact", "first"), {.memory = memory});
  }
  EXPECT_EQ(memory->reserved(), 0u);
  EXPECT_TRUE(everything_in(scratch.path()).empty());
}

TEST(ArrowRuns, ThatFailMidwaySayWhy) {
  const Column rows = as_table(held_near_copies(3, 50));
  const auto source = arrow_documents(
      [&](std::span<const std::string> columns) {
        return export_script({.schema = only(rows, columns), .batches = {only(rows, columns)}, .failure = "torn"});
      },
      kColumns);
  EXPECT_EQ(
      error_of(ErrorCode::input, [&] { (void)deduplicate(Collection::from(source), with("exact", "first"), {}); }),
      "the Arrow stream failed: torn");
}

}  // namespace
}  // namespace neardup::test
