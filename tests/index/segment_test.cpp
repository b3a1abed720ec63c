// Segments: what they find, and what happens when their bytes change.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.h"
#include "index/checked_file.h"
#include "index/code_segment.h"
#include "index/content.h"
#include "index/recent_sets.h"
#include "index/segment_folder.h"
#include "index/set_segment.h"
#include "support/losing_files.h"
#include "support/scratch.h"

namespace neardup::test {
namespace {

using indexing::CheckedBytes;
using indexing::SetSegment;
using indexing::UnitId;
using FeatureSets = std::vector<std::vector<Feature>>;

constexpr std::uint64_t kDefinition = 77;

// Sets of a few features from a small list, often copies with changes; some features are in nearly all of them.
FeatureSets hostile_sets(std::uint64_t seed, std::size_t count) {
  base::Random random(seed);
  std::vector<Feature> features;
  for (int i = 0; i < 40; ++i) features.push_back(random.next());
  FeatureSets sets;
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<Feature> set;
    if (!sets.empty() && random.below(2) == 0) set = sets[random.below(sets.size())];
    for (std::uint64_t left = random.below(set.empty() ? 20 : 3); left > 0; --left)
      set.push_back(random.below(4) == 0 ? random.next() : features[random.below(features.size())]);
    for (std::size_t common = 0; common < random.below(6); ++common) set.push_back(features[common]);
    std::sort(set.begin(), set.end());
    set.erase(std::unique(set.begin(), set.end()), set.end());
    if (!set.empty()) sets.push_back(set);
  }
  return sets;
}

std::string segment_of(const FeatureSets& sets, const Verifier& verifier) {
  std::uint64_t features = 0;
  for (const auto& set : sets) features += set.size();
  return indexing::build_set_segment(
      100, 100 + sets.size(), features,
      [&](const auto& visit) {
        for (std::size_t i = 0; i < sets.size(); ++i) visit(100 + i, sets[i]);
      },
      verifier, kDefinition);
}

std::vector<UnitId> verified(const FeatureSets& sets, std::span<const Feature> query, const Verifier& verifier,
                             std::vector<UnitId> candidates) {
  std::sort(candidates.begin(), candidates.end());
  candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
  std::erase_if(candidates, [&](UnitId unit) { return !verifier.verify(query, sets[unit - 100]); });
  return candidates;
}

std::vector<UnitId> every(const FeatureSets& sets) {
  std::vector<UnitId> units;
  for (std::size_t i = 0; i < sets.size(); ++i) units.push_back(100 + i);
  return units;
}

struct SegmentCase {
  Measure measure;
  Threshold threshold;
};
class EverySetSegment : public testing::TestWithParam<SegmentCase> {};

TEST_P(EverySetSegment, FindsWhatBruteForceFinds) {
  const Verifier verifier({.measure = GetParam().measure, .threshold = GetParam().threshold});
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const FeatureSets sets = hostile_sets(seed, 40);
    const SetSegment segment(CheckedBytes::hold(segment_of(sets, verifier), "test"), kDefinition);
    const auto guide = std::make_shared<SetSegment>(
        CheckedBytes::hold(segment_of(hostile_sets(seed + 2000, 30), verifier), "guide"), kDefinition);
    indexing::RecentSets recent(verifier, {}, seed % 2 == 0 ? nullptr : guide);
    for (std::size_t i = 0; i < sets.size(); ++i) recent.insert(100 + i, sets[i]);
    FeatureSets queries = hostile_sets(seed + 1000, 20);
    queries.insert(queries.end(), sets.begin(), sets.end());
    for (const auto& query : queries) {
      const std::vector<UnitId> expected = verified(sets, query, verifier, every(sets));
      std::vector<UnitId> found, found_recent;
      segment.candidates(query, verifier, found);
      ASSERT_EQ(verified(sets, query, verifier, found), expected);
      recent.candidates(query, found_recent);
      std::sort(found_recent.begin(), found_recent.end());
      ASSERT_EQ(found_recent, expected);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Segments, EverySetSegment,
                         testing::Values(SegmentCase{Measure::jaccard, {4, 5}}, SegmentCase{Measure::jaccard, {1, 10}},
                                         SegmentCase{Measure::jaccard, {1, 1}}, SegmentCase{Measure::cosine, {3, 5}},
                                         SegmentCase{Measure::dice, {1, 2}}, SegmentCase{Measure::overlap, {2, 1}}),
                         [](const auto& each) {
                           return fmt::format("{}_{}_{}", to_string(each.param.measure), each.param.threshold.num,
                                              each.param.threshold.den);
                         });

TEST(SetSegments, HaveNoCandidateForTextThatIsNew) {
  const Verifier verifier({.measure = Measure::jaccard, .threshold = {4, 5}});
  const FeatureSets sets = hostile_sets(1, 50);
  const SetSegment segment(CheckedBytes::hold(segment_of(sets, verifier), "test"), kDefinition);
  base::Random random(2);
  std::vector<Feature> query;
  for (int i = 0; i < 200; ++i) query.push_back(random.next());
  std::sort(query.begin(), query.end());
  std::vector<UnitId> found;
  segment.candidates(query, verifier, found);
  EXPECT_LT(found.size(), 5u);
}

// Opens a segment and asks it everything. Nothing but the right answer or Error{corrupt} may come of it.
void expect_right_or_corrupt(FileSystem& files, const FeatureSets& sets, const Verifier& verifier,
                             const std::vector<std::vector<UnitId>>& expected, const std::string& what) {
  try {
    const SetSegment segment(CheckedBytes::open(files, "/x.seg"), kDefinition);
    for (std::size_t i = 0; i < sets.size(); ++i) {
      std::vector<UnitId> found;
      segment.candidates(sets[i], verifier, found);
      ASSERT_EQ(verified(sets, sets[i], verifier, found), expected[i]) << what;
    }
  } catch (const Error& error) {
    ASSERT_EQ(error.code(), ErrorCode::corrupt) << what << ": " << error.what();
  }
}

TEST(SetSegments, NoticeEveryFlippedBitAndEveryMissingByte) {
  const Verifier verifier({.measure = Measure::jaccard, .threshold = {4, 5}});
  const FeatureSets sets = hostile_sets(3, 12);
  std::vector<std::vector<UnitId>> expected;
  for (const auto& set : sets) expected.push_back(verified(sets, set, verifier, every(sets)));
  LosingFiles whole;
  indexing::write_checked_file(whole, "/x.seg", segment_of(sets, verifier));
  const std::string bytes = whole.contents("/").at("x.seg");
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    std::string changed = bytes;
    changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ 1 << (bit % 8));
    LosingFiles files;
    files.put("/x.seg", changed);
    expect_right_or_corrupt(files, sets, verifier, expected, fmt::format("bit {}", bit));
  }
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    LosingFiles files;
    files.put("/x.seg", bytes.substr(0, size));
    EXPECT_THROW(SetSegment(CheckedBytes::open(files, "/x.seg"), kDefinition), Error) << size;
  }
}

TEST(SetSegments, OfAnotherDefinitionAreRefused) {
  const Verifier verifier({.measure = Measure::jaccard, .threshold = {4, 5}});
  const std::string body = segment_of(hostile_sets(4, 5), verifier);
  error_of(ErrorCode::corrupt, [&] { SetSegment(CheckedBytes::hold(body, "test"), kDefinition + 1); });
}

TEST(CodeSegments, FindWhatBruteForceFinds) {
  base::Random random(5);
  std::vector<indexing::CodeEntry> entries;
  for (UnitId unit = 50; unit < 250; ++unit)
    entries.push_back({unit, random.below(3) == 0 ? random.next() : (std::uint64_t{1} << random.below(8))});
  const indexing::CodeSegment segment(
      CheckedBytes::hold(indexing::build_code_segment(50, 249, entries, kDefinition), "test"), kDefinition, 3,
      {.threads = 1});
  for (const indexing::CodeEntry& query : entries) {
    std::vector<UnitId> found, expected;
    segment.candidates(query.bits, found);
    std::sort(found.begin(), found.end());
    for (const indexing::CodeEntry& entry : entries)
      if (std::popcount(entry.bits ^ query.bits) <= 3) expected.push_back(entry.unit);
    ASSERT_EQ(found, expected);
  }
}

TEST(StoredSets, ReadBackAsTheyWere) {
  base::Random random(6);
  for (std::size_t count : {0, 1, 2, 3, 7, 8, 9, 100, 1000}) {
    for (int round = 0; round < 20; ++round) {
      std::vector<Feature> set{}, read;
      for (std::size_t i = 0; i < count; ++i) set.push_back(round % 2 == 0 ? random.next() : i * 3);
      if (count > 2 && round % 3 == 0) set[0] = 0, set[1] = UINT64_MAX;
      std::sort(set.begin(), set.end());
      set.erase(std::unique(set.begin(), set.end()), set.end());
      std::string row;
      indexing::append_set(row, set);
      EXPECT_EQ(indexing::set_size(row), set.size());
      indexing::RowReader in(row, "test");
      indexing::read_set(in, read);
      in.finish();
      ASSERT_EQ(read, set);
      if (round % 2 == 0 && count == 1000) {
        EXPECT_LT(row.size(), count * 57 / 8);
      }
    }
  }
}

TEST(StoredSets, ThatAreDamagedNeverReadOutOfBounds) {
  base::Random random(8);
  std::string row;
  std::vector<Feature> set{1, 5, 1000, UINT64_MAX}, read;
  indexing::append_set(row, set);
  for (std::size_t bit = 0; bit < row.size() * 8; ++bit) {
    std::string changed = row;
    changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ 1 << (bit % 8));
    try {
      indexing::RowReader in(changed, "test");
      indexing::read_set(in, read);
      EXPECT_TRUE(std::is_sorted(read.begin(), read.end()));
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::corrupt);
    }
  }
}

TEST(SegmentList, ReadsBackAndNoticesEveryChange) {
  const std::vector<indexing::SegmentName> names{{3, 1, 500}, {7, 501, 900}};
  const std::string text = indexing::segment_list_text(names);
  EXPECT_EQ(indexing::parse_segment_list(text, "list"), names);
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string changed = text;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    error_of(ErrorCode::corrupt, [&] { indexing::parse_segment_list(changed, "list"); });
    error_of(ErrorCode::corrupt, [&] { indexing::parse_segment_list(text.substr(0, i), "list"); });
  }
}

}  // namespace
}  // namespace neardup::test
