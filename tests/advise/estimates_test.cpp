// Estimates from samples against the truth that a brute-force count finds.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "advise/clusters.h"
#include "advise/matching.h"
#include "advise/sample.h"
#include "advise/scores.h"
#include "advise/spectrum.h"
#include "advise/valley.h"
#include "base/random.h"
#include "neardup/similarity.h"

namespace neardup::test {
namespace {

using namespace advising;

// A sample that holds all documents of some texts.
Sample sample_of_texts(const std::vector<std::string>& texts, const SampleLimits& limits = {}) {
  const Definition definition{.features = {.kind = FeatureKind::words, .length = 1}};
  return draw_sample(Collection::from_texts(texts), definition, limits, OnBadRecord::skip, {});
}

// Texts of `words` words; some are copies of an earlier one with some words changed.
std::vector<std::string> edited_texts(std::uint64_t seed, std::size_t count, std::size_t words) {
  base::Random random(seed);
  std::vector<std::vector<std::uint64_t>> documents;
  while (documents.size() < count) {
    std::vector<std::uint64_t> document(words);
    for (auto& word : document) word = random.below(5000);
    if (!documents.empty() && random.below(2) == 0) {
      document = documents[random.below(documents.size())];
      for (std::uint64_t edits = random.below(words / 2); edits > 0; --edits)
        document[random.below(words)] = random.below(5000);
    }
    documents.push_back(document);
  }
  std::vector<std::string> texts;
  for (const auto& document : documents) {
    std::string text;
    for (const auto word : document) text += "w" + std::to_string(word) + " ";
    texts.push_back(text);
  }
  return texts;
}

TEST(Scores, AreThoseOfTheVerifier) {
  const Sample sample = sample_of_texts(edited_texts(1, 300, 30));
  std::vector<std::uint32_t> probes;
  for (std::uint32_t unit = 0; unit < sample.units.size(); unit += 3) probes.push_back(unit);
  const Scores scores = score_probes(sample.units, probes, sample.units, FarPairs::counted, {});
  const Verifier verifier(Definition{});
  std::size_t expected = 0;
  for (std::uint32_t unit = 0; unit < sample.units.size(); ++unit) {
    for (std::uint32_t probe = 0; probe < probes.size(); ++probe) {
      if (probes[probe] == unit) continue;
      const double score = verifier.score(sample.units[probes[probe]].set, sample.units[unit].set);
      if (score < kLowestScore) continue;
      ASSERT_LT(expected, scores.pairs.size());
      const ScoredPair& pair = scores.pairs[expected++];
      EXPECT_EQ(pair.unit, unit);
      EXPECT_EQ(pair.probe, probe);
      EXPECT_NEAR(pair.score, score, 1e-6);
    }
  }
  EXPECT_EQ(scores.pairs.size(), expected);
  EXPECT_GT(expected, 50u);
}

TEST(Scores, DoNotDependOnThreads) {
  const Sample sample = sample_of_texts(edited_texts(2, 400, 20));
  const Scores one = score_some(sample.units, sample.units, 7, 200, FarPairs::counted, {.threads = 1});
  const Scores two = score_some(sample.units, sample.units, 7, 200, FarPairs::counted, {.threads = 2});
  ASSERT_EQ(one.pairs.size(), two.pairs.size());
  EXPECT_EQ(one.probes, two.probes);
  EXPECT_EQ(one.low_by_distance, two.low_by_distance);
  for (std::size_t i = 0; i < one.pairs.size(); ++i) {
    EXPECT_EQ(one.pairs[i].unit, two.pairs[i].unit);
    EXPECT_EQ(one.pairs[i].score, two.pairs[i].score);
  }
}

// Components by comparing everything with everything.
std::vector<std::uint32_t> naive_sizes(const Sample& sample, const Threshold& threshold) {
  const Verifier verifier({.threshold = threshold});
  std::vector<std::uint32_t> group(sample.units.size()), size;
  for (std::uint32_t i = 0; i < group.size(); ++i) group[i] = i;
  for (std::uint32_t i = 0; i < group.size(); ++i) {
    for (std::uint32_t j = 0; j < i; ++j) {
      if (group[i] == group[j] || !verifier.verify(sample.units[i].set, sample.units[j].set)) continue;
      std::ranges::replace(group, std::uint32_t{group[i]}, std::uint32_t{group[j]});
    }
  }
  std::vector<std::uint32_t> count(group.size());
  for (std::uint32_t i = 0; i < group.size(); ++i) count[group[i]] += sample.units[i].documents;
  std::erase(count, 0u);
  std::ranges::sort(count);
  return count;
}

TEST(SampleClusters, AreConnectedComponents) {
  auto texts = edited_texts(3, 300, 20);
  texts.insert(texts.end(), texts.begin(), texts.begin() + 50);
  const Sample sample = sample_of_texts(texts);
  const std::vector<Threshold> thresholds{{9, 10}, {7, 10}, {1, 2}};
  for (SampleClusters& found : cluster_sample(sample, thresholds, {})) {
    std::ranges::sort(found.sizes);
    EXPECT_EQ(found.sizes, naive_sizes(sample, found.threshold)) << to_string(found.threshold);
  }
}

TEST(Sample, IsEverythingWhenItFits) {
  const Sample sample = sample_of_texts({"a b", "b a", "a b", "", "c"});
  EXPECT_EQ(sample.documents, 5u);
  EXPECT_EQ(sample.without_features, 1u);
  EXPECT_EQ(sample.units.size(), 2u);
  EXPECT_EQ(sample.units[0].documents, 3u);
  EXPECT_EQ(sample.text_groups, (std::vector<std::uint32_t>{2, 1, 1, 1}));
  EXPECT_EQ(sample.share, 1);
}

TEST(Sample, HalvesTheDocumentsWhenFeaturesAreTooMany) {
  const auto texts = edited_texts(4, 1000, 20);
  const Sample sample = sample_of_texts(texts, {.features = 6000});
  std::size_t features = 0;
  for (const SampledUnit& unit : sample.units) features += unit.set.size();
  EXPECT_LE(features, 6000u);
  EXPECT_LE(sample.share, 0.5);
  EXPECT_NEAR(static_cast<double>(sample.documents), 1000 * sample.share, 4 * std::sqrt(1000 * sample.share));
  EXPECT_EQ(sample.feature_sampling, 1u);
}

TEST(Sample, KeepsOneFeatureInSeveralOfLongDocuments) {
  const auto texts = edited_texts(5, 40, 3000);
  const Sample whole = sample_of_texts(texts), part = sample_of_texts(texts, {.features = 30'000});
  EXPECT_EQ(part.share, 1);
  EXPECT_GT(part.feature_sampling, 1u);
  ASSERT_EQ(part.units.size(), whole.units.size());
  const Verifier verifier(Definition{});
  for (std::size_t i = 1; i < part.units.size(); ++i) {
    EXPECT_NEAR(verifier.score(part.units[0].set, part.units[i].set),
                verifier.score(whole.units[0].set, whole.units[i].set), 0.1);
    EXPECT_EQ(part.units[i].simhash, whole.units[i].simhash);
  }
}

TEST(Sample, IsTheSameForEverySeedWhateverTheThreads) {
  const auto texts = edited_texts(6, 3000, 10);
  const Definition definition{.features = {.kind = FeatureKind::words, .length = 1}};
  const auto draw = [&](unsigned threads, std::uint64_t seed) {
    return draw_sample(Collection::from_texts(texts), definition, {.features = 5000, .seed = seed}, OnBadRecord::skip,
                       {.threads = threads});
  };
  const Sample one = draw(1, 9), two = draw(2, 9), other = draw(1, 10);
  ASSERT_EQ(one.units.size(), two.units.size());
  for (std::size_t i = 0; i < one.units.size(); ++i) EXPECT_EQ(one.units[i].set, two.units[i].set);
  EXPECT_EQ(one.texts, two.texts);
  EXPECT_NE(one.texts, other.texts);
}

TEST(Clusters, AreCountedWhereEverythingWasSeen) {
  const std::vector<std::uint32_t> sizes{1, 1, 2, 5, 3, 1};
  const ClusterEstimate estimate = estimate_clusters(sizes, 1, 1);
  EXPECT_EQ(estimate.clusters.value, 3);
  EXPECT_EQ(estimate.removed.value, 1 + 4 + 2);
  EXPECT_EQ(estimate.removed.low, estimate.removed.high);
}

// Draws documents of clusters with known sizes.
struct Thinning {
  std::vector<std::uint32_t> seen;
  double removed = 0;
};
Thinning thin(const std::vector<std::uint32_t>& sizes, double share, std::uint64_t seed) {
  base::Random random(seed);
  Thinning out;
  for (const std::uint32_t size : sizes) {
    out.removed += size - 1.0;
    std::uint32_t drawn = 0;
    for (std::uint32_t i = 0; i < size; ++i) drawn += static_cast<double>(random.next()) < share * 0x1p64 ? 1 : 0;
    if (drawn > 0) out.seen.push_back(drawn);
  }
  return out;
}

TEST(Clusters, AreEstimatedFromAShareOfTheDocuments) {
  std::vector<std::uint32_t> sizes(40'000, 1);
  sizes.insert(sizes.end(), 6000, 2);
  sizes.insert(sizes.end(), 1500, 5);
  sizes.insert(sizes.end(), 40, 300);
  for (const double share : {0.5, 0.25, 0.1}) {
    const Thinning thinned = thin(sizes, share, 11);
    const ClusterEstimate estimate = estimate_clusters(thinned.seen, share, 1);
    EXPECT_NEAR(estimate.removed.value, thinned.removed, 0.1 * thinned.removed) << share;
    EXPECT_LE(estimate.removed.low, thinned.removed * 1.02) << share;
    EXPECT_GE(estimate.removed.high, thinned.removed * 0.98) << share;
  }
}

TEST(Clusters, ThatWereNotSeenAreNotExcluded) {
  const std::vector<std::uint32_t> singles(1000, 1);
  const ClusterEstimate estimate = estimate_clusters(singles, 0.1, 1);
  EXPECT_LT(estimate.removed.value, 100);
  EXPECT_GE(estimate.removed.high, 299.9);
}

std::vector<double> bins_of(double (*count)(double)) {
  std::vector<double> bins(kValleyBins);
  for (std::size_t i = 0; i < bins.size(); ++i)
    bins[i] = count(kLowestScore + kValleyBin * (static_cast<double>(i) + 0.5));
  return bins;
}

TEST(Valley, IsBetweenTwoHumps) {
  const auto bins = bins_of(
      [](double x) { return 1000 * std::exp(-30 * (x - 0.2)) + 200 * std::exp(-200 * (x - 0.95) * (x - 0.95)); });
  const auto valley = find_valley(bins);
  ASSERT_TRUE(valley);
  EXPECT_GT(valley->place, 0.5);
  EXPECT_LT(valley->place, 0.8);
  EXPECT_GT(valley->depth, 5);
}

TEST(Valley, IsTheMiddleOfAnEmptyStretch) {
  const auto bins = bins_of([](double x) { return x < 0.4 || x > 0.8 ? 50.0 : 0.0; });
  const auto valley = find_valley(bins);
  ASSERT_TRUE(valley);
  EXPECT_NEAR(valley->place, 0.6, 0.03);
  EXPECT_NEAR(valley->low, 0.42, 0.03);
  EXPECT_NEAR(valley->high, 0.78, 0.03);
}

TEST(Valley, IsNotSeenWherePairsFallSteadily) {
  EXPECT_FALSE(find_valley(bins_of([](double x) { return 1000 * std::exp(-8 * (x - 0.2)); })));
  EXPECT_FALSE(find_valley(bins_of([](double) { return 100.0; })));
  EXPECT_FALSE(find_valley(bins_of([](double) { return 0.0; })));
}

TEST(Valley, DoesNotLeaveTheUsualThresholdForNothing) {
  Scores none;
  none.probes = {0, 1};
  const ThresholdAdvice advice = suggest_threshold(none, {4, 5}, 1);
  EXPECT_EQ(advice.suggested, (Threshold{4, 5}));
  EXPECT_EQ(advice.confidence, Confidence::low);
  EXPECT_FALSE(advice.valley);
}

// Two tables of which the first `matching` records are the same but for some noise; scores of others are lower.
TEST(Matching, FindsTheThresholdThatSeparatesPartnersFromOthers) {
  base::Random random(1);
  const auto uniform = [&](double low, double high) {
    return low + (high - low) * static_cast<double>(random.below(1000)) / 1000;
  };
  Scores scores;
  constexpr std::uint32_t kRecords = 1000, kPartners = 600;
  for (std::uint32_t i = 0; i < kRecords; ++i) {
    scores.probes.push_back(i);
    if (i < kPartners) scores.pairs.push_back({i, i, static_cast<float>(uniform(0.6, 1)), 0, 0});
    for (int k = 0; k < 5; ++k) {
      const auto other = static_cast<std::uint32_t>(random.below(kRecords));
      if (other != i) scores.pairs.push_back({i, other, static_cast<float>(uniform(0.2, 0.5)), 0, 0});
    }
  }
  const Matching matching = match_one_to_one(scores, kRecords);
  const MatchCurvePoint& best = matching.points[matching.best];
  EXPECT_GE(best.threshold, 0.35);
  EXPECT_LE(best.threshold, 0.65);
  const double f1 = 2 * kPartners / (best.matched + kPartners);  // every partner is matched first
  EXPECT_GT(f1, 0.85);
  EXPECT_NEAR(best.f1, f1, 0.1);
}

TEST(Matching, OfNothingIsNothing) {
  const Matching matching = match_one_to_one({}, 0);
  EXPECT_EQ(matching.points[matching.best].matched, 0);
}

}  // namespace
}  // namespace neardup::test
