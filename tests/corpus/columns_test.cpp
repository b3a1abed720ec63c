#include "corpus/census.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/state.h"
#include "support/census.h"
#include "support/runs.h"
#include "support/wrong_states.h"

namespace neardup::test {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

const Definition kWords = words_definition(1, Measure::jaccard, {1, 2});

// Writes down what a census shows it: in the threads, and when batches are filed.
class Diary final : public corpus::ColumnOf<std::vector<std::string>> {
 public:
  explicit Diary(std::vector<std::string> fields = {}) : fields_(std::move(fields)) {}
  [[nodiscard]] std::vector<std::string> fields() const override { return fields_; }
  std::unique_ptr<Worker> worker(const std::vector<std::string>& fields) override {
    return std::make_unique<Writer>(fields);
  }

  std::vector<std::string> shown;  // "row key features field=value..."
  std::vector<std::string> filed;  // "row unit", and "new"
  std::vector<std::size_t> rows_so_far;
  std::size_t bytes = 0;  // that it holds
  Reservation memory;

 private:
  class Writer final : public TypedWorker {
   public:
    explicit Writer(const std::vector<std::string>& fields) : fields_(fields) {}
    void add(const corpus::CensusRecord& record) override {
      std::string line = std::to_string(index(record.row));
      if (record.document == nullptr) {
        line += " bad";
      } else {
        line += " " + std::string(record.document->key) + " " + std::to_string(record.set.size());
        for (std::size_t i = 0; i < fields_.size(); ++i) {
          line += " " + fields_[i] + "=" + std::string(record.document->fields[i].value_or("?"));
        }
      }
      part_.push_back(line);
    }

   private:
    std::vector<std::string> fields_;
  };

  void take_part(std::vector<std::string>& part, const corpus::FiledBatch& batch) override {
    EXPECT_EQ(part.size(), batch.rows.size());
    EXPECT_EQ(batch.batch.size(), batch.rows.size());
    shown.insert(shown.end(), part.begin(), part.end());
    for (const corpus::FiledRow& row : batch.rows) {
      filed.push_back(std::to_string(index(row.row)) + " " +
                      (row.unit == kNoUnit ? "none" : std::to_string(index(row.unit))) + (row.is_new ? " new" : ""));
    }
    rows_so_far.push_back(batch.so_far.units.rows());
    corpus::hold_for_records(memory, bytes, batch.so_far);
  }

  std::vector<std::string> fields_;
};

class CensusOfAFile : public ::testing::Test {
 protected:
  corpus::Corpus take(const std::string& lines, const std::vector<corpus::Column*>& columns = {},
                      const corpus::CensusOptions& options = {}) {
    write_bytes(scratch_ / "in.jsonl", lines);
    return census_of(open_in_small_batches({scratch_ / "in.jsonl"}, context_), kWords, columns, context_, options);
  }
  // Two copies, another, a bad record, a document without words, and an id again.
  static constexpr const char* kRecords =
      "{\"id\":\"a\",\"text\":\"x y\",\"n\":\"1\"}\n"
      "{\"id\":\"b\",\"text\":\"p q r\"}\n"
      "no json\n"
      "{\"id\":\"c\",\"text\":\"y x\",\"n\":\"3\"}\n"
      "{\"id\":\"d\",\"text\":\"...\"}\n"
      "{\"id\":\"a\",\"text\":\"z\"}\n";

  ScratchFolder scratch_;
  Context context_{.threads = 3, .temp_folder = scratch_.path()};
};

TEST_F(CensusOfAFile, NumbersDistinctSetsInTheOrderOfTheirFirstDocuments) {
  const corpus::Corpus corpus = take(kRecords);
  EXPECT_THAT(corpus.units.unit_of_row.values(), ElementsAre(Unit{0}, Unit{1}, kNoUnit, Unit{0}, kNoUnit, Unit{2}));
  EXPECT_THAT(corpus.units.status.values(),
              ElementsAre(RowStatus::document, RowStatus::document, RowStatus::bad, RowStatus::document,
                          RowStatus::without_features, RowStatus::document));
  EXPECT_THAT(corpus.units.first_row.values(), ElementsAre(Row{0}, Row{1}, Row{5}));
  EXPECT_THAT(corpus.units.size.values(), ElementsAre(2, 3, 1));
}

TEST_F(CensusOfAFile, CountsWhatItMet) {
  const corpus::Corpus corpus = take(kRecords);
  EXPECT_EQ(corpus.facts.records, 6u);
  EXPECT_EQ(corpus.facts.bad.count, 1u);
  EXPECT_EQ(corpus.facts.without_features, 1u);
  EXPECT_EQ(corpus.facts.repeated_ids, 1u);
  EXPECT_EQ(corpus.ids.occurrence(Row{5}), 2u);
  EXPECT_THAT(corpus.rows_of_source, ElementsAre(6));
}

TEST_F(CensusOfAFile, TakesEveryRowForItselfWhenAskedTo) {
  const corpus::Corpus corpus = take(kRecords, {}, {.units = corpus::UnitsAre::single_rows});
  EXPECT_EQ(corpus.units.units(), 5u) << "all but the bad record";
}

TEST_F(CensusOfAFile, ShowsEveryRecordToAColumnAndFilesItInInputOrder) {
  Diary diary;
  (void)take(kRecords, {&diary});
  EXPECT_THAT(diary.shown, ElementsAre("0 a 2", "1 b 3", "2 bad", "3 c 2", "4 d 0", "5 a 1"));
  EXPECT_THAT(diary.filed, ElementsAre("0 0 new", "1 1 new", "2 none", "3 0", "4 none", "5 2 new"));
}

TEST_F(CensusOfAFile, FilesABatchBeforeColumnsTakeIt) {
  Diary diary;
  (void)take(kRecords, {&diary});
  ASSERT_GT(diary.rows_so_far.size(), 1u) << "one batch only";
  EXPECT_EQ(diary.rows_so_far.back(), 6u);
  EXPECT_TRUE(std::ranges::is_sorted(diary.rows_so_far));
}

TEST_F(CensusOfAFile, GivesColumnsTheFieldsThatAnyOfThemWants) {
  Diary numbers({"n"}), both({"m", "n"}), none;
  (void)take(kRecords, {&numbers, &both, &none});
  EXPECT_THAT(numbers.shown, ElementsAre("0 a 2 n=1 m=?", "1 b 3 n=? m=?", "2 bad", "3 c 2 n=3 m=?", "4 d 0 n=? m=?",
                                         "5 a 1 n=? m=?"));
  EXPECT_EQ(both.shown, numbers.shown) << "all see the same document";
  EXPECT_EQ(none.filed, numbers.filed);
}

TEST_F(CensusOfAFile, LeavesOutRowsThatWereSetAside) {
  PerRow<bool> set_aside(6, false);
  set_aside[Row{0}] = true;
  Diary diary;
  const corpus::Corpus corpus = take(kRecords, {&diary}, {.set_aside = &set_aside});
  EXPECT_EQ(corpus.units.status[Row{0}], RowStatus::set_aside);
  EXPECT_EQ(corpus.units.first_row[Unit{1}], Row{3}) << "the copy is the first one now";
  EXPECT_EQ(diary.shown[0], "0 a 0") << "without features, but with its document";
  EXPECT_EQ(diary.filed[0], "0 none");
}

TEST_F(CensusOfAFile, NoticesMoreRowsThanWereSetAside) {
  const PerRow<bool> fewer(5, false);
  EXPECT_THAT(error_of(ErrorCode::input, [&] { (void)take(kRecords, {}, {.set_aside = &fewer}); }),
              ::testing::HasSubstr("in.jsonl"));
}

TEST_F(CensusOfAFile, RefusesWhatDoesNotFitIntoMemory) {
  context_.memory = std::make_shared<MemoryBudget>(std::size_t{1} << 30);
  Diary greedy;
  greedy.memory = Reservation(*context_.memory);
  greedy.bytes = std::size_t{1} << 40;
  EXPECT_EQ(option_of([&] { (void)take(kRecords, {&greedy}); }), "memory");
  EXPECT_THAT(error_of(ErrorCode::limit, [&] { (void)take(kRecords, {&greedy}); }),
              ::testing::ContainsRegex("all records take about [0-9]+M"));
}

TEST_F(CensusOfAFile, DoesNotDependOnThreadsOrBatches) {
  std::string lines;
  for (int i = 0; i < 300; ++i)
    lines += "{\"id\":\"" + std::to_string(i) + "\",\"text\":\"w" + std::to_string(i % 17) + "\"}\n";
  context_.threads = 1;
  const corpus::Corpus one = take(lines);
  context_.threads = 4;
  const corpus::Corpus four = take(lines);
  EXPECT_EQ(one.units.unit_of_row.values(), four.units.unit_of_row.values());
  const Collection large_batches = Collection::open({scratch_ / "in.jsonl"}, {}, context_);
  const corpus::Corpus whole = census_of(large_batches, kWords, {}, context_);
  EXPECT_EQ(one.units.unit_of_row.values(), whole.units.unit_of_row.values());
  EXPECT_EQ(one.content.seed(), whole.content.seed());
}

TEST_F(CensusOfAFile, IsTheSameAfterItWasSaved) {
  const corpus::Corpus saved = take(kRecords);
  base::StateWriter out(system_files(), scratch_ / "state");
  saved.save(out);
  out.finish();
  base::StateReader in(system_files(), scratch_ / "state");
  corpus::Corpus loaded(saved.collection, saved.definition);
  loaded.load(in);
  EXPECT_EQ(loaded.units.unit_of_row.values(), saved.units.unit_of_row.values());
  EXPECT_EQ(loaded.units.status.values(), saved.units.status.values());
  EXPECT_EQ(loaded.units.size.values(), saved.units.size.values());
  EXPECT_EQ(loaded.ids.occurrence(Row{5}), 2u);
  EXPECT_EQ(loaded.rows_of_source, saved.rows_of_source);
  EXPECT_EQ(loaded.facts.bad.count, 1u);
  EXPECT_EQ(loaded.content.seed(), saved.content.seed());
}

TEST_F(CensusOfAFile, LoadsNothingUnsoundWhateverTheStateSays) {
  const corpus::Corpus saved = take(kRecords);
  const double refused = refused_share_of_wrong_states(
      [&](base::StateWriter& out) { saved.save(out); },
      [&](base::StateReader& in) {
        corpus::Corpus loaded(saved.collection, saved.definition);
        loaded.load(in);
        const corpus::Units& units = loaded.units;
        EXPECT_EQ(units.status.size(), units.rows());
        for (const Row row : all<Row>(units.rows())) {
          EXPECT_TRUE(!units.has_unit(row) || index(units.unit_of_row[row]) < units.units());
        }
        for (const Unit unit : all<Unit>(units.units())) EXPECT_LT(index(units.first_row[unit]), units.rows());
      });
  EXPECT_GT(refused, 0.4);
}

}  // namespace
}  // namespace neardup::test
