#include "corpus/reread.h"

#include "base/document_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "corpus/names.h"
#include "support/census.h"
#include "support/runs.h"

namespace neardup::test {
namespace {

std::string text_of(const DocumentView& document) {
  std::string buffer;
  return std::string(base::whole_text(document, buffer));
}

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using Lines = std::vector<std::string>;

// Two files that are read, changed, and read again.
class RereadFiles : public ::testing::Test {
 protected:
  RereadFiles() {
    for (int i = 0; i < 20; ++i) first_ += record("a" + std::to_string(i), "x" + std::to_string(i % 7));
    for (int i = 0; i < 20; ++i) second_ += record("b" + std::to_string(i), "y" + std::to_string(i % 5));
    write_bytes(scratch_ / "first.jsonl", first_);
    write_bytes(scratch_ / "second.jsonl", second_);
  }

  static std::string record(const std::string& id, const std::string& text) {
    return "{\"id\":\"" + id + "\",\"text\":\"" + text + "\",\"n\":\"" + id + "!\"}\n";
  }

  [[nodiscard]] corpus::Corpus read() const {
    return census_of(open_in_small_batches({scratch_ / "first.jsonl", scratch_ / "second.jsonl"}, context_),
                     words_definition(1, Measure::jaccard, {1, 2}), {}, context_);
  }

  // "row name text field" of every row that is wanted.
  template <class Wanted>
  Lines reread(const corpus::Corpus& corpus, const Wanted& wanted) const {
    Lines all;
    corpus::reread<Lines>(
        corpus, {.stage = "again", .fields = {"n"}}, wanted,
        [] {
          return [](const corpus::RereadRecord& record, Lines& out) {
            out.push_back(std::to_string(index(record.row)) + " " + record.name() + " " + text_of(record.document) +
                          " " + std::string(record.document.fields[0].value_or("?")));
          };
        },
        [&](const io::RecordBatch&, Lines& part) { all.insert(all.end(), part.begin(), part.end()); }, context_);
    return all;
  }
  std::string error_of_rereading(const corpus::Corpus& corpus) const {
    return error_of(ErrorCode::input, [&] { (void)reread(corpus, [](Row) { return true; }); });
  }

  ScratchFolder scratch_;
  std::string first_, second_;
  Context context_{.threads = 3, .temp_folder = scratch_.path()};
};

TEST_F(RereadFiles, ShowsTheWantedRowsInInputOrder) {
  const corpus::Corpus corpus = read();
  EXPECT_THAT(reread(corpus, [](Row row) { return index(row) % 13 == 3; }),
              ElementsAre("3 a3 x3 a3!", "16 a16 x2 a16!", "29 b9 y4 b9!"));
  EXPECT_THAT(reread(corpus, [](Row) { return false; }), IsEmpty());
}

TEST_F(RereadFiles, ShowsOfEveryUnitItsFirstDocument) {
  const corpus::Corpus corpus = read();
  Lines shown;
  corpus::reread_units<Lines>(
      corpus, [](Unit unit) { return index(unit) >= 6; },
      [] {
        return [](const corpus::RereadRecord& record, Unit unit, Lines& out) {
          out.push_back(std::to_string(index(unit)) + " " + text_of(record.document));
        };
      },
      [&](Lines& part) { shown.insert(shown.end(), part.begin(), part.end()); }, context_);
  EXPECT_THAT(shown, ElementsAre("6 x6", "7 y0", "8 y1", "9 y2", "10 y3", "11 y4"));
}

TEST_F(RereadFiles, NamesTheSourceThatIsLonger) {
  const corpus::Corpus corpus = read();
  write_bytes(scratch_ / "second.jsonl", second_ + record("more", "x"));
  EXPECT_THAT(error_of_rereading(corpus), HasSubstr("second.jsonl"));
}

TEST_F(RereadFiles, NamesTheSourceThatIsShorter) {
  const corpus::Corpus corpus = read();
  write_bytes(scratch_ / "second.jsonl", second_.substr(0, second_.size() / 2));
  EXPECT_THAT(error_of_rereading(corpus), HasSubstr("second.jsonl"));
}

TEST_F(RereadFiles, NamesTheSourceWhereARecordIsBadNow) {
  const corpus::Corpus corpus = read();
  write_bytes(scratch_ / "first.jsonl", first_.replace(0, 1, "?"));
  EXPECT_THAT(error_of_rereading(corpus), HasSubstr("first.jsonl"));
}

TEST_F(RereadFiles, NamesTheSourceThatChangedInAnyByteEvenOfRowsNobodyWants) {
  const corpus::Corpus corpus = read();
  for (const std::size_t at : {first_.find("x3"), first_.find("a19")}) {
    std::string changed = first_;
    changed[at] = 'q';
    write_bytes(scratch_ / "first.jsonl", changed);
    const std::string error = error_of(ErrorCode::input, [&] { (void)reread(corpus, [](Row) { return false; }); });
    EXPECT_THAT(error, HasSubstr("first.jsonl"));
    EXPECT_THAT(error, ::testing::Not(HasSubstr("second.jsonl")));
  }
}

TEST_F(RereadFiles, IsNotDisturbedByOtherBatches) {
  const corpus::Corpus corpus = read();
  context_.threads = 1;
  EXPECT_EQ(reread(corpus, [](Row) { return true; }).size(), 40u);
}

class CollectedNames : public RereadFiles {
 protected:
  static PerRow<bool> wanted(std::initializer_list<std::uint32_t> rows, std::size_t count) {
    PerRow<bool> wanted(count, false);
    for (const std::uint32_t row : rows) wanted[Row{row}] = true;
    return wanted;
  }
};

TEST_F(CollectedNames, AreCollectedForTheWantedRows) {
  const corpus::RowTexts names = corpus::collect_names(read(), wanted({0, 21, 39}, 40), context_);
  EXPECT_EQ(names[Row{0}], "a0");
  EXPECT_EQ(names[Row{21}], "b1");
  EXPECT_EQ(names[Row{39}], "b19");
  EXPECT_FALSE(names.has(Row{1}));
}

TEST_F(CollectedNames, ComeWithTheFieldsThatPeopleWantToSee) {
  const corpus::NamedRows named = corpus::collect_names(read(), wanted({3, 20}, 40), {"n", "none"}, context_);
  ASSERT_EQ(named.fields.size(), 2u);
  EXPECT_EQ(named.fields[0][Row{3}], "a3!");
  EXPECT_EQ(named.fields[0][Row{20}], "b0!");
  EXPECT_TRUE(named.fields[1].has(Row{3}));
  EXPECT_EQ(named.fields[1][Row{3}], "");
}

TEST_F(CollectedNames, AreToldApartWhereIdsRepeatAndSayThePlaceWhereThereIsNone) {
  write_bytes(scratch_ / "first.jsonl", record("k", "x") + record("k", "y") + "{\"text\":\"z\"}\n" + record("k", "y"));
  write_bytes(scratch_ / "second.jsonl", record("k", "x"));
  const corpus::RowTexts names = corpus::collect_names(read(), PerRow<bool>(5, true), context_);
  EXPECT_EQ(names[Row{0}], "k");
  EXPECT_EQ(names[Row{1}], "k#2");
  EXPECT_EQ(names[Row{2}], scratch_ / "first.jsonl:3");
  EXPECT_EQ(names[Row{3}], "k#3");
  EXPECT_EQ(names[Row{4}], "k#4");
}

TEST_F(CollectedNames, OfNobodyReadNothing) {
  const corpus::Corpus corpus = read();
  std::filesystem::remove(scratch_ / "first.jsonl");
  EXPECT_FALSE(corpus::collect_names(corpus, PerRow<bool>(40, false), context_).has_text());
}

}  // namespace
}  // namespace neardup::test
