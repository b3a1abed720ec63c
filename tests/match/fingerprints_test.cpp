#include <gtest/gtest.h>

#include "neardup/error.h"
#include "neardup/fingerprint.h"
#include "neardup/match.h"
#include "support/fingerprints.h"
#include "support/scratch.h"

namespace neardup::test {
namespace {

constexpr const char* kRecords =
    "{\"id\":\"a\",\"text\":\"the quick brown fox jumps over the lazy dog\"}\n"
    "{\"id\":\"b\",\"text\":\"\"}\n"
    "not a record\n"
    "{\"id\":\"a\",\"text\":\"the quick brown fox jumps over the lazy dog\"}\n"
    "{\"id\":\"c\",\"text\":\"something else is written here today\"}\n";

struct RecordFile {
  RecordFile() { write_bytes(folder / "in.jsonl", kRecords); }
  [[nodiscard]] Collection open() const { return Collection::open({folder / "in.jsonl"}, {}, {}); }
  ScratchFolder folder;
};

TEST(Fingerprints, HaveARowForEveryRecord) {
  const FingerprintResult result = fingerprints(RecordFile().open(), {}, {});
  EXPECT_EQ(result.status, (std::vector{RowStatus::document, RowStatus::without_features, RowStatus::bad,
                                        RowStatus::document, RowStatus::document}));
  EXPECT_EQ(result.bits[0], result.bits[3]);
  EXPECT_NE(result.bits[0], result.bits[4]);
  EXPECT_EQ(result.bits[1], 0u);
  EXPECT_TRUE(result.volatility.empty());
  EXPECT_EQ(result.report.bad.count, 1u);
  EXPECT_EQ(result.report.without_features, 1u);
}

TEST(Fingerprints, AreThoseThatAFileHolds) {
  const RecordFile records;
  for (const Projection projection : {Projection::signs, Projection::gaussian}) {
    for (const Weights weights : {Weights::occurrences, Weights::binary, Weights::tfidf}) {
      const FingerprintOptions options{
          .features = {.length = 2}, .weights = weights, .projection = projection, .volatility = true};
      const FingerprintResult result = fingerprints(records.open(), options, {});
      const std::string path = records.folder / "out.fps";
      write_fingerprints(records.open(), options, {.output = path, .overwrite = Overwrite::replace}, {});
      const auto source = io::open_fingerprints(path, {});
      const auto reader = source->read(0);
      ASSERT_TRUE(reader->next());
      io::FingerprintBlock block;
      reader->load({.volatility = true}, block);
      std::size_t at = 0;
      for (std::size_t row = 0; row < result.bits.size(); ++row) {
        if (result.status[row] == RowStatus::bad) continue;
        EXPECT_EQ(block.bits[at], result.bits[row]);
        EXPECT_EQ(block.is_missing(at), result.status[row] == RowStatus::without_features);
        EXPECT_EQ(block.volatility[at], result.volatility[row]);
        ++at;
      }
      EXPECT_EQ(at, block.size());
    }
  }
}

TEST(Fingerprints, AreWhatASketcherMakesOfEachText) {
  const std::vector<std::string> texts{"one two three four five six", "", "seven eight nine"};
  const FingerprintResult result = fingerprints(Collection::from_texts(texts), {.features = {.length = 1}}, {});
  Sketcher sketcher({.features = {.length = 1}, .measure = Measure::hamming, .threshold = {3, 1}});
  for (std::size_t row = 0; row < texts.size(); ++row) {
    const auto expected = sketcher.simhash(texts[row]);
    EXPECT_EQ(result.view().has(row), expected.has_value());
    EXPECT_EQ(result.bits[row], expected ? expected->bits : 0);
  }
}

TEST(Fingerprints, OfNothingAreNone) {
  const FingerprintResult result = fingerprints(Collection::from_texts({}), {.volatility = true}, {});
  EXPECT_TRUE(result.bits.empty() && result.status.empty() && result.volatility.empty());
}

TEST(Fingerprints, AreMatchedWithoutAnyFile) {
  const FingerprintResult base = fingerprints(Collection::from_texts({"a b c d", "e f g h", ""}), {}, {});
  const FingerprintResult queries = fingerprints(Collection::from_texts({"e f g h", ""}), {}, {});
  PairList found;
  find_matches(base.view(), queries.view(), {}, found, {});
  EXPECT_EQ(found.pairs(), (std::vector<Pair>{{0, 1, 0}}));
}

TEST(Fingerprints, RefuseToPutBadRecordsAside) {
  EXPECT_THROW(fingerprints(RecordFile().open(), {.on_bad_record = OnBadRecord::quarantine}, {}), Error);
}

}  // namespace
}  // namespace neardup::test
