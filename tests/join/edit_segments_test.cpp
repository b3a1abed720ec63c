// The index of segments finds every pair by itself.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "join/edit_join.h"
#include "join/edit_segment_index.h"
#include "join/edit_support.h"
#include "neardup/join.h"

namespace neardup::joins::edit {
namespace {

using neardup::test::cook;
using neardup::test::FoundPairs;
using neardup::test::options;
using neardup::test::PlainJoin;
using neardup::test::recipes;
using neardup::test::Texts;

// Small groups are scanned otherwise; here even they are looked up by their segments.
std::vector<neardup::test::Found> found_by_index(unsigned sides, const std::vector<SourceString>& sources,
                                                 std::uint64_t most) {
  const JoinOptions join_options = options(most, "segments");
  Context context{.threads = 2};
  const StringSet strings(sides, sources, context);
  FoundPairs pairs;
  base::PairOutput output(pairs, 0);
  JoinStats stats;
  edit_segments({strings, join_options, output, stats, context}, 0);
  EXPECT_GT(stats.index.entries, 0u);
  return pairs.sorted();
}

std::vector<SourceString> sources_of(const Texts& texts, std::uint32_t side) {
  std::vector<SourceString> sources;
  for (std::uint32_t i = 0; i < texts.size(); ++i) sources.push_back({texts[i], i, side});
  return sources;
}

TEST(Segments, FindsEveryPairThroughTheIndexAlone) {
  for (const auto& [name, recipe] : recipes()) {
    const Texts texts = cook(recipe, recipe.longest > 50 ? 80 : 250, 6);
    const PlainJoin plain(texts, texts, 8);
    for (const std::uint64_t most : {0, 1, 2, 3, 5, 8}) {
      ASSERT_EQ(found_by_index(1, sources_of(texts, 0), most), plain.within(most)) << name << ", " << most;
    }
  }
}

TEST(Segments, FindsEveryPairOfTwoCollectionsThroughTheIndexAlone) {
  for (const auto& [name, recipe] : recipes()) {
    const Texts left = cook(recipe, 60, 7), right = cook(recipe, 90, 7);
    std::vector<SourceString> sources = sources_of(left, 0);
    const std::vector<SourceString> others = sources_of(right, 1);
    sources.insert(sources.end(), others.begin(), others.end());
    const PlainJoin plain(left, right, 4);
    for (const std::uint64_t most : {0, 1, 2, 4}) {
      ASSERT_EQ(found_by_index(2, sources, most), plain.within(most)) << name << ", " << most;
    }
  }
}

TEST(Segments, CoverAStringEvenly) {
  for (std::uint32_t length = 1; length <= 40; ++length) {
    for (std::uint32_t segments = 1; segments <= length; ++segments) {
      std::uint32_t at = 0, least = length, most = 0;
      for (std::uint32_t s = 0; s < segments; ++s) {
        const Segment segment = segment_of(length, segments, s);
        ASSERT_EQ(segment.start, at);
        at += segment.length;
        least = std::min(least, segment.length);
        most = std::max(most, segment.length);
      }
      ASSERT_EQ(at, length);
      ASSERT_LE(most - least, 1u);
      ASSERT_GE(least, 1u);
    }
  }
}

}  // namespace
}  // namespace neardup::joins::edit
