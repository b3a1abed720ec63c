// The figures are those of their definitions, on examples that can be computed by hand and on random ones.
#include "neardup/evaluate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/random.h"
#include "evaluate/partition.h"
#include "neardup/error.h"

namespace neardup {
namespace {

using ::testing::HasSubstr;
using Labels = std::vector<std::pair<std::string, std::string>>;
using NamePair = std::pair<std::string, std::string>;

Grouping labelled(const Labels& labels) {
  Grouping out{.kind = Grouping::Kind::clusters, .shape = "test"};
  for (const auto& [id, label] : labels) out.members.push_back({id, label});
  return out;
}

Grouping listed(const std::vector<NamePair>& pairs) {
  Grouping out{.kind = Grouping::Kind::pairs, .shape = "test"};
  for (const auto& [left, right] : pairs) out.pairs.push_back({.left = left, .right = right});
  return out;
}

Evaluation evaluated(const Grouping& result, const Grouping& truth) { return evaluate(result, truth, {}, {}); }

// Truth {a b c} {d e}, found {a b} {c d e}: 4 true pairs, 4 found, ab and de in common.
const Grouping kTruth = labelled({{"a", "1"}, {"b", "1"}, {"c", "1"}, {"d", "2"}, {"e", "2"}});
const Grouping kFound = labelled({{"a", "x"}, {"b", "x"}, {"c", "y"}, {"d", "y"}, {"e", "y"}});

TEST(Evaluate, CountsPairsOfClusters) {
  const Evaluation out = evaluated(kFound, kTruth);
  EXPECT_EQ(out.documents, 5u);
  EXPECT_EQ(out.true_pairs, 4u);
  EXPECT_EQ(out.found_pairs, 4u);
  EXPECT_EQ(out.common_pairs, 2u);
  EXPECT_DOUBLE_EQ(out.precision.value, 0.5);
  EXPECT_DOUBLE_EQ(out.recall.value, 0.5);
  EXPECT_DOUBLE_EQ(out.f1.value, 0.5);
}

TEST(Evaluate, ScoresPartitions) {
  const PartitionScores scores = evaluated(kFound, kTruth).clusters;
  // Precision by document: a, b: 1; c: 1/3; d, e: 2/3. Recall: a, b: 2/3; c: 1/3; d, e: 1.
  EXPECT_DOUBLE_EQ(scores.bcubed_precision, (1 + 1 + 1. / 3 + 2. / 3 + 2. / 3) / 5);
  EXPECT_DOUBLE_EQ(scores.bcubed_recall, (2. / 3 + 2. / 3 + 1. / 3 + 1 + 1) / 5);
  EXPECT_DOUBLE_EQ(scores.purity, 4. / 5);
  EXPECT_DOUBLE_EQ(scores.inverse_purity, 4. / 5);
  // 10 pairs in all; expected 4 * 4 / 10, the most is 4: (2 - 1.6) / (4 - 1.6).
  EXPECT_DOUBLE_EQ(scores.ari, 0.4 / 2.4);
}

TEST(Evaluate, ListsTheWorstMistakesWithTheirDocuments) {
  const Evaluation out = evaluated(kFound, kTruth);
  ASSERT_EQ(out.false_merges.size(), 1u);
  EXPECT_EQ(out.false_merges[0].place, "y");
  EXPECT_EQ(out.false_merges[0].pairs, 2u);
  EXPECT_EQ(out.false_merges[0].left, "d");
  EXPECT_EQ(out.false_merges[0].right, "c");
  ASSERT_EQ(out.misses.size(), 1u);
  EXPECT_EQ(out.misses[0].place, "1");
  EXPECT_EQ(out.misses[0].left, "a");
  EXPECT_EQ(out.misses[0].right, "c");
}

TEST(Evaluate, TakesDocumentsThatTheResultDoesNotNameAsAlone) {
  const Evaluation out = evaluated(labelled({{"a", "x"}, {"b", "x"}}), kTruth);
  EXPECT_EQ(out.missing_documents, 3u);
  EXPECT_DOUBLE_EQ(out.precision.value, 1);
  EXPECT_DOUBLE_EQ(out.recall.value, 0.25);
}

TEST(Evaluate, LeavesOutDocumentsThatTheTruthDoesNotName) {
  const Evaluation out = evaluated(labelled({{"a", "x"}, {"b", "x"}, {"unknown", "x"}}), kTruth);
  EXPECT_EQ(out.unknown_documents, 1u);
  EXPECT_EQ(out.found_pairs, 1u);
  ASSERT_FALSE(out.warnings.empty());
  EXPECT_THAT(out.warnings[0], HasSubstr("not in the truth"));
}

TEST(Evaluate, CountsTheFirstClusterOfARepeatedId) {
  const Evaluation out = evaluated(labelled({{"a", "x"}, {"b", "x"}, {"a", "y"}}), kTruth);
  EXPECT_EQ(out.repeated_ids, 1u);
  EXPECT_EQ(out.common_pairs, 1u);
}

TEST(Evaluate, ComparesListsOfPairs) {
  // In both: a-b. Found only: a-c. True only: d-e. Repeated and turned pairs count once.
  const Evaluation out = evaluated(listed({{"a", "b"}, {"b", "a"}, {"a", "c"}}), listed({{"b", "a"}, {"d", "e"}}));
  EXPECT_EQ(out.found_pairs, 2u);
  EXPECT_EQ(out.true_pairs, 2u);
  EXPECT_EQ(out.common_pairs, 1u);
  ASSERT_EQ(out.false_merges.size(), 1u);
  EXPECT_EQ(out.false_merges[0].right, "c");
  ASSERT_EQ(out.misses.size(), 1u);
  EXPECT_EQ(out.misses[0].left, "d");
}

TEST(Evaluate, ComparesPairsWithLabelsAndClustersWithPairs) {
  const Evaluation pairs = evaluated(listed({{"a", "b"}, {"c", "d"}, {"d", "unknown"}}), kTruth);
  EXPECT_EQ(pairs.found_pairs, 2u);
  EXPECT_EQ(pairs.common_pairs, 1u);
  EXPECT_EQ(pairs.true_pairs, 4u);
  const Evaluation clusters = evaluated(kFound, listed({{"a", "b"}, {"a", "c"}}));
  EXPECT_EQ(clusters.found_pairs, 4u);
  EXPECT_EQ(clusters.common_pairs, 1u);
  EXPECT_EQ(clusters.true_pairs, 2u);
  EXPECT_EQ(clusters.implied_pairs, 1u) << "b and c belong together, through a";
}

TEST(Evaluate, JudgesOnlyListedPairsWhenSomeAreListedAsDifferent) {
  Grouping truth = listed({{"a", "b"}, {"d", "e"}, {"a", "d"}});
  truth.pairs.push_back({.left = "c", .right = "d", .is_same = false});
  truth.pairs.push_back({.left = "d", .right = "a", .is_same = false});  // contradicts
  const Evaluation out = evaluated(kFound, truth);
  EXPECT_EQ(out.contradictions, 1u);
  EXPECT_EQ(out.true_pairs, 2u);
  EXPECT_EQ(out.found_pairs, 3u);  // ab, de, cd
  EXPECT_EQ(out.common_pairs, 2u);
  ASSERT_EQ(out.false_merges.size(), 1u);
  EXPECT_EQ(out.false_merges[0].left, "c");
}

TEST(Evaluate, ShowsFalsePairsWithTheStrongestScoresFirst) {
  Grouping result = listed({{"a", "d"}, {"b", "e"}, {"a", "b"}});
  result.pairs[0].score = 0.8;
  result.pairs[1].score = 0.9;
  result.pairs[2].score = 1;
  const Evaluation out = evaluated(result, kTruth);
  ASSERT_EQ(out.false_merges.size(), 2u);
  EXPECT_EQ(out.false_merges[0].left, "b");
  EXPECT_EQ(out.false_merges[0].score, 0.9);
}

TEST(Evaluate, RefusesAnEmptyTruthAndAForeignOne) {
  EXPECT_THROW(evaluated(kFound, Grouping{}), Error);
  EXPECT_THROW(evaluated(labelled({{"x", "1"}, {"y", "1"}}), kTruth), Error);
}

TEST(Evaluate, TakesAnEmptyResult) {
  const Evaluation out = evaluated(Grouping{}, kTruth);
  EXPECT_EQ(out.found_pairs, 0u);
  EXPECT_DOUBLE_EQ(out.precision.value, 1);
  EXPECT_DOUBLE_EQ(out.recall.value, 0);
}

TEST(Evaluate, TakesOneGiantCluster) {
  Grouping result, truth;
  for (int i = 0; i < 200000; ++i) {
    result.members.push_back({std::to_string(i), "one"});
    truth.members.push_back({std::to_string(i), std::to_string(i / 2)});
  }
  const Evaluation out = evaluated(result, truth);
  EXPECT_EQ(out.found_pairs, 200000ull * 199999 / 2);
  EXPECT_EQ(out.common_pairs, 100000u);
  EXPECT_DOUBLE_EQ(out.recall.value, 1);
  EXPECT_NEAR(out.clusters.ari, 0, 1e-9);
}

// Pair by pair.
struct NaiveCounts {
  std::uint64_t found = 0, truth = 0, common = 0;
};

Labels random_labels(base::Random& random, std::size_t documents) {
  Labels labels;
  for (std::size_t i = 0; i < documents; ++i)
    if (random.below(5) > 0) labels.emplace_back("d" + std::to_string(i), std::to_string(random.below(4)));
  return labels;
}

std::vector<NamePair> random_pairs(base::Random& random, std::size_t documents) {
  std::vector<NamePair> pairs;
  for (std::size_t i = random.below(2 * documents); i > 0; --i) {
    const auto a = random.below(documents), b = random.below(documents);
    if (a != b) pairs.emplace_back("d" + std::to_string(a), "d" + std::to_string(b));
  }
  return pairs;
}

using PairSet = std::set<NamePair>;
PairSet pairs_of_labels(const Labels& labels) {
  PairSet out;
  for (const auto& [a, x] : labels)
    for (const auto& [b, y] : labels)
      if (a < b && x == y) out.emplace(a, b);
  return out;
}
PairSet pairs_of_list(const std::vector<NamePair>& list) {
  PairSet out;
  for (const auto& [a, b] : list) out.insert(std::minmax(a, b));
  return out;
}

TEST(Evaluate, CountsWhatALoopOverAllPairsCounts) {
  base::Random random(9);
  for (int round = 0; round < 400; ++round) {
    const std::size_t documents = 2 + random.below(12);
    Labels truth_labels = random_labels(random, documents), found_labels = random_labels(random, documents);
    truth_labels.emplace_back("both", "z");
    found_labels.emplace_back("both", "z");
    std::vector<NamePair> truth_pairs = random_pairs(random, documents), found_pairs = random_pairs(random, documents);
    truth_pairs.emplace_back("both", "other");
    found_pairs.emplace_back("both", "another");
    for (const bool true_labels : {false, true}) {
      for (const bool labels : {false, true}) {
        const Evaluation out = evaluated(labels ? labelled(found_labels) : listed(found_pairs),
                                         true_labels ? labelled(truth_labels) : listed(truth_pairs));
        const PairSet truth = true_labels ? pairs_of_labels(truth_labels) : pairs_of_list(truth_pairs);
        PairSet found = labels ? pairs_of_labels(found_labels) : pairs_of_list(found_pairs);
        if (true_labels) {
          std::set<std::string> named;
          for (const auto& [id, label] : truth_labels) named.insert(id);
          std::erase_if(found,
                        [&](const NamePair& p) { return !named.contains(p.first) || !named.contains(p.second); });
        }
        std::vector<NamePair> common;
        std::ranges::set_intersection(truth, found, std::back_inserter(common));
        ASSERT_EQ(out.true_pairs, truth.size()) << round;
        ASSERT_EQ(out.found_pairs, found.size()) << round;
        ASSERT_EQ(out.common_pairs, common.size()) << round;
      }
    }
  }
}

TEST(Sweep, ClustersThePairsThatReachEachThreshold) {
  Grouping scored = listed({{"a", "b"}, {"b", "c"}, {"c", "d"}});
  scored.pairs[0].score = 0.9;
  scored.pairs[1].score = 0.8;
  scored.pairs[2].score = 0.7;
  const Sweep sweep = sweep_thresholds(scored, kTruth, {});
  ASSERT_EQ(sweep.points.size(), 3u);
  EXPECT_EQ(sweep.points[0].found_pairs, 1u);
  EXPECT_EQ(sweep.points[1].found_pairs, 3u);
  EXPECT_EQ(sweep.points[1].common_pairs, 3u);
  EXPECT_EQ(sweep.points[2].found_pairs, 6u);
  EXPECT_EQ(sweep.points[2].common_pairs, 3u);
  EXPECT_DOUBLE_EQ(sweep.best.threshold, 0.8);
  const std::string svg = sweep_svg(sweep);
  EXPECT_THAT(svg, HasSubstr("<svg xmlns="));
  EXPECT_THAT(svg, HasSubstr("polyline"));
}

TEST(Sweep, AgreesWithAnEvaluationOfEachThreshold) {
  base::Random random(10);
  for (int round = 0; round < 100; ++round) {
    const std::size_t documents = 3 + random.below(12);
    Grouping scored = listed(random_pairs(random, documents));
    scored.pairs.push_back({.left = "both", .right = "d0"});
    for (auto& pair : scored.pairs) pair.score = static_cast<double>(random.below(6));
    Labels labels = random_labels(random, documents);
    labels.emplace_back("both", "z");
    std::vector<NamePair> pairs = random_pairs(random, documents);
    pairs.emplace_back("both", "d1");
    for (const Grouping& truth : {labelled(labels), listed(pairs)}) {
      for (const bool distances : {false, true}) {
        scored.scores_are_distances = distances;
        for (const SweepPoint& point : sweep_thresholds(scored, truth, {}).points) {
          // The clusters of the pairs that reach it, found one link at a time.
          std::map<std::string, std::string> group;
          for (const auto& pair : scored.pairs) group[pair.left] = pair.left, group[pair.right] = pair.right;
          for (std::size_t again = 0; again <= documents; ++again) {
            for (const auto& pair : scored.pairs) {
              if (distances ? *pair.score > point.threshold : *pair.score < point.threshold) continue;
              const std::string least = std::min(group[pair.left], group[pair.right]);
              group[pair.left] = group[pair.right] = least;
            }
          }
          const Evaluation whole = evaluated(labelled(Labels(group.begin(), group.end())), truth);
          ASSERT_EQ(point.found_pairs, whole.found_pairs) << round;
          ASSERT_EQ(point.common_pairs, whole.common_pairs) << round;
          ASSERT_EQ(point.true_pairs, whole.true_pairs) << round;
        }
      }
    }
  }
}

TEST(Sweep, NeedsScores) {
  EXPECT_THROW(sweep_thresholds(listed({{"a", "b"}}), kTruth, {}), Error);
  EXPECT_THROW(sweep_thresholds(kFound, kTruth, {}), Error);
}

TEST(PairEstimates, CoverTheTrueValueInMostDraws) {
  // Blocks with one found pair each, right with a probability of 0.8.
  base::Random random(11);
  int covered = 0;
  constexpr int kRounds = 200;
  for (int round = 0; round < kRounds; ++round) {
    std::vector<evaluation::PairCounts> blocks(200);
    for (auto& block : blocks) block = {.common = random.below(10) < 8 ? 1u : 0u, .found = 1, .truth = 1};
    const Estimate precision = evaluation::estimate_pairs(blocks, 42, {}).precision;
    covered += precision.low <= 0.8 && 0.8 <= precision.high ? 1 : 0;
  }
  EXPECT_GE(covered, kRounds * 90 / 100);
}

TEST(PairEstimates, AreNotCertainWhenNothingIsWrong) {
  const std::vector<evaluation::PairCounts> blocks(100, {.common = 1, .found = 1, .truth = 1});
  const Estimate precision = evaluation::estimate_pairs(blocks, 42, {}).precision;
  EXPECT_DOUBLE_EQ(precision.value, 1);
  EXPECT_DOUBLE_EQ(precision.low, 0.97);
  EXPECT_DOUBLE_EQ(precision.high, 1);
}

TEST(EvaluateSample, ComparesSampledDocumentsWithAllOthers) {
  const auto texts = Collection::from_texts({"one two three four five six", "One two three four five six",
                                             "one two three four five six seven", "", "something else entirely"});
  // By the definition 0, 1 and 2 belong together. The result has 0 and 4 together, and 1 and 2.
  const Grouping result = labelled({{"0", "x"}, {"4", "x"}, {"1", "y"}, {"2", "y"}});
  const Definition definition{.threshold = {3, 5}};
  const SampledEvaluation out = evaluate_sample(texts, result, {.definition = definition}, {});
  EXPECT_EQ(out.unknown_documents, 0u);
  EXPECT_EQ(out.sampled, 5u);
  EXPECT_EQ(out.true_pairs, 6u);
  EXPECT_EQ(out.found_pairs, 4u);
  EXPECT_EQ(out.common_pairs, 2u);
  EXPECT_DOUBLE_EQ(out.precision.value, 0.5);
  EXPECT_DOUBLE_EQ(out.recall.value, 1. / 3);
  const SampledEvaluation some = evaluate_sample(texts, result, {.definition = definition, .documents = 2}, {});
  EXPECT_EQ(some.sampled, 2u);
}

TEST(EvaluateSample, RefusesWhatItCannotDo) {
  const auto texts = Collection::from_texts({"one"});
  EXPECT_THROW(evaluate_sample(texts, kFound, {.documents = 0}, {}), Error);
}

}  // namespace
}  // namespace neardup
