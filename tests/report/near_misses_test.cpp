#include "report/page/near_misses.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "base/random.h"
#include "neardup/similarity.h"

namespace neardup::test {
namespace {

using report::NearMiss;
using report::NearMissColumn;
using report::NearMisses;

// Shows sets to a column as a census of one batch does.
NearMisses sampled(const std::vector<std::vector<Feature>>& sets, std::uint64_t seed, const Definition& definition,
                   const report::NearMissLimits& limits) {
  const Collection none = Collection::from_texts({});
  corpus::Corpus corpus(none, definition);
  NearMissColumn column(definition, seed, {}, limits);
  const auto worker = column.worker({});
  std::vector<corpus::FiledRow> rows;
  for (std::uint32_t i = 0; i < sets.size(); ++i) {
    worker->add({.row = Row{i}, .document = nullptr, .set = sets[i], .hash = {}});
    rows.push_back({Row{i}, Unit{i}, true});
  }
  const auto part = worker->take();
  const io::RecordBatch batch;
  static_cast<corpus::Column&>(column).take(*part, {.batch = batch, .rows = rows, .so_far = corpus});
  return column.find();
}

// Groups of ten sets that differ in a few of fifty features.
std::vector<std::vector<Feature>> families(base::Random& random, std::size_t count) {
  std::vector<std::vector<Feature>> sets;
  for (std::size_t family = 0; family < count; ++family) {
    for (int member = 0; member < 10; ++member) {
      std::vector<Feature> set;
      for (std::uint64_t i = 0; i < 50; ++i)
        set.push_back(base::mix64(1000 * family + i + (random.below(9) == 0 ? 1'000'000 + random.below(1 << 20) : 0)));
      std::sort(set.begin(), set.end());
      set.erase(std::unique(set.begin(), set.end()), set.end());
      sets.push_back(std::move(set));
    }
  }
  return sets;
}

std::uint64_t true_pairs(const std::vector<std::vector<Feature>>& sets, const Definition& definition, double from) {
  const Verifier verifier(definition);
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    for (std::size_t j = i + 1; j < std::min(sets.size(), i / 10 * 10 + 10); ++j)
      if (verifier.score(sets[i], sets[j]) >= from && !verifier.verify(sets[i], sets[j])) ++count;
  }
  return count;
}

TEST(NearMisses, EstimateHowManyPairsLieBelowTheThreshold) {
  base::Random random(11);
  const auto sets = families(random, 300);
  const Definition definition{.threshold = {4, 5}};
  const auto truth = static_cast<double>(true_pairs(sets, definition, 0.6));
  ASSERT_GT(truth, 1000);
  for (const std::size_t documents : {20'000, 1000}) {
    int inside = 0;
    double sum = 0;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      const NearMisses misses = sampled(sets, seed, definition, {.documents = documents});
      EXPECT_LE(misses.documents, documents);
      const report::PairEstimate estimate = report::estimate_pairs(misses.pairs, 0.6);
      sum += estimate.value;
      inside += estimate.low <= truth && truth <= estimate.high ? 1 : 0;
    }
    EXPECT_NEAR(sum / 40, truth, 0.08 * truth) << documents;
    EXPECT_GE(inside, 36) << documents << ": 95% of 40, less chance";
  }
}

TEST(NearMisses, AreBelowTheThresholdAndCarryTheirScore) {
  base::Random random(12);
  const auto sets = families(random, 50);
  const Definition definition{.measure = Measure::dice, .threshold = {9, 10}};
  const Verifier verifier(definition);
  const NearMisses misses = sampled(sets, 1, definition, {});
  ASSERT_FALSE(misses.pairs.empty());
  EXPECT_EQ(misses.from, 0.7);
  for (const NearMiss& miss : misses.pairs) {
    const auto &left = sets[index(miss.left)], &right = sets[index(miss.right)];
    EXPECT_EQ(miss.score, verifier.score(left, right));
    EXPECT_GE(miss.score, misses.from);
    EXPECT_FALSE(verifier.verify(left, right));
    EXPECT_GE(miss.weight, 1);
  }
  EXPECT_TRUE(std::ranges::is_sorted(misses.pairs, std::greater<>(), &NearMiss::score));
}

TEST(NearMisses, CompareOnlySomeOfAHugeGroup) {
  std::vector<std::vector<Feature>> sets;
  for (std::uint64_t i = 0; i < 3000; ++i) {  // all share thirty features, and have ten of their own
    std::vector<Feature> set;
    for (std::uint64_t k = 0; k < 30; ++k) set.push_back(base::mix64(k));
    for (std::uint64_t k = 0; k < 10; ++k) set.push_back(base::mix64(1000 + 10 * i + k));
    std::sort(set.begin(), set.end());
    sets.push_back(std::move(set));
  }
  const NearMisses misses = sampled(sets, 3, {.threshold = {7, 10}}, {});
  EXPECT_LE(misses.pairs.size(), 20'000u);
  const report::PairEstimate estimate = report::estimate_pairs(misses.pairs, 0.55);
  EXPECT_GT(estimate.high, 3000.0 * 2999 / 2 / 4) << "each pair represents many";
}

TEST(NearMisses, ApplyToRatiosOfWholeSets) {
  EXPECT_TRUE(NearMissColumn::applies({}));
  EXPECT_FALSE(NearMissColumn::applies({.measure = Measure::edit, .threshold = {2, 1}}));
  EXPECT_FALSE(NearMissColumn::applies({.measure = Measure::overlap, .threshold = {5, 1}}));
  EXPECT_FALSE(NearMissColumn::applies({.features = {.minwise = 32}}));
  EXPECT_FALSE(NearMissColumn::applies({.threshold = {1, 5}}));
}

}  // namespace
}  // namespace neardup::test
