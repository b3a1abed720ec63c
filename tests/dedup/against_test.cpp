#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "neardup/dedup.h"
#include "support/runs.h"

namespace neardup::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Two near-duplicates, one of which is near the other collection, a copy of that one, and two copies that are not.
const std::vector<std::string> kTexts{"a b c d", "a b c e", "x y z", "x y z", "a b c d"};
const std::vector<std::string> kOther{"q", "a b c d f", "a b c d f"};

DedupResult held_against(const std::vector<std::string>& other, DedupOptions options) {
  options.definition = words_definition(1, Measure::jaccard, {3, 5});
  return deduplicate(Collection::from_texts(kTexts), Collection::from_texts(other), options, {});
}

std::vector<std::size_t> kept(const DedupResult& result) {
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < result.clusters.rows(); ++row) {
    if (result.clusters.is_kept(row)) rows.push_back(row);
  }
  return rows;
}

TEST(HeldAgainst, RemovesWhatIsNearAnotherCollectionThenOneOfEachAmongTheRest) {
  const DedupResult result = held_against(kOther, {});
  EXPECT_THAT(kept(result), ElementsAre(1, 2));
  EXPECT_EQ(result.report.against.removed, 2u);
  EXPECT_EQ(result.report.against.records, 3u);
  EXPECT_EQ(result.report.removed, 3u);
  ASSERT_EQ(result.against.size(), 2u);
  EXPECT_EQ(result.against[1].row, 4u);
  EXPECT_EQ(result.against[1].other, 1u) << "the first of the equal ones";
  EXPECT_EQ(result.clusters.status(0), RowStatus::set_aside);
}

TEST(HeldAgainst, OnlyLeavesNearDuplicatesAmongTheRestAlone) {
  const DedupResult result = held_against(kOther, {.against_only = true});
  EXPECT_THAT(kept(result), ElementsAre(1, 2, 3));
  EXPECT_EQ(result.report.against.removed, 2u);
  EXPECT_EQ(result.report.clusters, 0u);
}

TEST(HeldAgainst, NothingIsAnOrdinaryRun) {
  const DedupResult result = held_against({"", "..."}, {});
  EXPECT_THAT(kept(result), ElementsAre(0, 2));
  EXPECT_THAT(result.against, IsEmpty());
  EXPECT_EQ(result.report.against.removed, 0u);
}

TEST(HeldAgainst, OnlyWithNothingKeepsEverything) {
  EXPECT_THAT(kept(held_against({""}, {.against_only = true})), ElementsAre(0, 1, 2, 3, 4));
}

}  // namespace
}  // namespace neardup::test
