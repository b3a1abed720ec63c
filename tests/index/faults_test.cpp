// Disks that fail or lose what was not synced, and manifests that are damaged.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "index/manifest.h"
#include "index/support.h"
#include "index/verifying.h"
#include "support/scratch.h"

namespace neardup::test {
namespace {

HeldDocument numbered(int i) {
  return {.key = fmt::format("d{}", i),
          .texts = {fmt::format("text {} of a family {} with these words in common and no other", i % 3, i / 3)}};
}

std::vector<AddResult> add(MapIndex& index, const HeldDocument& held) {
  const IndexView view(held, index.fields());
  return index.add(std::span(&view.document, 1), indexing::AddMode::refuse);
}

void expect_sound(MapIndex& index, const HeldList& left) {
  EXPECT_EQ(partition_of(index.ledger()), deduplicated(left, index.ledger().rules().options));
  VerifyReport report;
  indexing::verify_rows(index.ledger(), report, {});
  EXPECT_EQ(report.problems, std::vector<std::string>{});
}

TEST(FailingIndex, ForgetsAFailedCommitAndGoesOn) {
  MapIndex index{{}};
  HeldList left;
  for (int i = 0; i < 60; ++i) {
    index.store().fails = i % 4 == 1;
    if (index.store().fails) {
      error_of(ErrorCode::output, [&] { add(index, numbered(i)); });
    } else {
      add(index, numbered(i));
      left.push_back(numbered(i));
    }
    if (i % 5 == 0) index.maintain();
    if (i % 17 == 0) index.open();
  }
  index.store().fails = false;
  expect_sound(index, left);
  index.compact();
  for (const HeldDocument& held : left) {
    const IndexView view(held, index.fields());
    ASSERT_TRUE(index.check(view.document)) << held.key;
  }
}

// Units whose commit failed are in the search; their numbers are never given again, even after a restart.
TEST(FailingIndex, NeverGivesANumberTwice) {
  MapIndex index{{}};
  index.store().fails = true;
  for (int i = 0; i < 20; ++i) error_of(ErrorCode::output, [&] { add(index, numbered(i)); });
  index.store().fails = false;
  for (int i = 20; i < 30; ++i) add(index, numbered(i));
  index.flush();
  index.open();
  HeldList left;
  for (int i = 20; i < 30; ++i) left.push_back(numbered(i));
  for (int i = 0; i < 20; ++i) {
    add(index, numbered(i));
    left.push_back(numbered(i));
  }
  expect_sound(index, left);
}

// Rows that were not synced are gone, segments that were written after them are not.
TEST(FailingIndex, SurvivesAStoreThatLostItsLastCommits) {
  MapIndex index{{}};
  HeldList left;
  for (int i = 0; i < 20; ++i) {
    add(index, numbered(i));
    left.push_back(numbered(i));
  }
  const StoreTables earlier = index.store().tables;
  for (int i = 20; i < 40; ++i) add(index, numbered(i));
  index.flush();
  index.store().tables = earlier;
  index.open();
  expect_sound(index, left);
  for (int i = 40; i < 60; ++i) {
    add(index, numbered(i));
    left.push_back(numbered(i));
  }
  expect_sound(index, left);
}

// At every change of a segment file or of the list the power may fail.
TEST(FailingIndex, HasAWholeListOfSegmentsWheneverThePowerFails) {
  for (const Measure measure : {Measure::jaccard, Measure::hamming}) {
    IndexOptions options;
    options.definition.measure = measure;
    if (measure == Measure::hamming) options.definition.threshold = {3, 1};
    MapIndex index(options);
    index.files().sync_all("/segments");
    index.files().collect_crashes(3);
    HeldList left;
    for (int i = 0; i < 30; ++i) {
      add(index, numbered(i));
      left.push_back(numbered(i));
      if (i % 7 == 6) index.flush();
      index.maintain();
    }
    index.compact();
    std::size_t states = 0;
    for (LosingFiles::Crash& crash : index.files().crashes()) {
      SCOPED_TRACE(crash.when);
      const indexing::IndexRules& rules = index.ledger().rules();
      indexing::SegmentFolder folder(*crash.disk, "/segments", indexing::FolderAccess::write,
                                     indexing::new_manifest(options).definition);
      const indexing::SearchParts parts{index.store(), rules.content, folder, {.threads = 1}, tiny_limits()};
      const auto search =
          rules.content.compares_sets() ? indexing::make_set_search(parts) : indexing::make_code_search(parts);
      const indexing::LedgerView ledger = index.ledger();
      for (indexing::UnitId unit = 1; unit <= 30; ++unit) {
        const auto content = ledger.content(unit);
        if (!content) continue;
        ASSERT_FALSE(indexing::find_neighbours(ledger, *search, *content).empty()) << unit;
      }
      ++states;
    }
    EXPECT_GT(states, 50u);
  }
}

TEST(Manifests, ReadBackAsTheyWere) {
  IndexOptions options;
  options.definition = {.features = parse_features("chars:3"), .measure = Measure::cosine, .threshold = {7, 10}};
  options.definition.text.stop_words = {"the", "of"};
  options.definition.text.numbers = Numbers::fold;
  options.definition.hash_seed = UINT64_MAX;
  options.clusters = ClusterKind::star;
  options.keep = parse_keep_rules("prefer:lang=en,max:score,last");
  options.keep.front().value = "en,\"de\"\n";
  options.fields = {"url", "lang"};
  options.html = Html::all;
  options.store_texts = false;
  const indexing::Manifest written = indexing::new_manifest(options);
  const indexing::Manifest read = indexing::parse_manifest(indexing::to_json(written), "manifest.json");
  EXPECT_EQ(indexing::to_json(read), indexing::to_json(written));
  EXPECT_EQ(read.definition, written.definition);
  EXPECT_EQ(read.options.keep, options.keep);
  EXPECT_EQ(read.options.definition.text, options.definition.text);
  EXPECT_EQ(read.options.fields, options.fields);
}

TEST(Manifests, NoticeEveryFlippedBitAndEveryMissingByte) {
  const std::string json = indexing::to_json(indexing::new_manifest({}));
  for (std::size_t bit = 0; bit < json.size() * 8; ++bit) {
    std::string changed = json;
    changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ 1 << (bit % 8));
    error_of(ErrorCode::corrupt, [&] { indexing::parse_manifest(changed, "manifest.json"); });
  }
  for (std::size_t size = 0; size < json.size(); ++size)
    error_of(ErrorCode::corrupt, [&] { indexing::parse_manifest(json.substr(0, size), "manifest.json"); });
}

}  // namespace
}  // namespace neardup::test
