// One table of cases for every finder, through the front door.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "search/finder.h"
#include "support/collections.h"
#include "support/runs.h"

namespace neardup::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// A target so high that even a finder that may miss pairs finds the few of a test.
constexpr double kNoMiss = 0.999999;
constexpr unsigned kWholeWidth = 64;

class EveryFinder : public ::testing::TestWithParam<std::string> {
 protected:
  [[nodiscard]] static DedupOptions options(const Definition& definition, double target_recall = kNoMiss) {
    return {.definition = definition,
            .finder = {.name = GetParam(), .target_recall = target_recall, .distance = kWholeWidth}};
  }
  [[nodiscard]] static IndexPairs pairs(std::vector<std::string> texts, const Definition& definition) {
    return TextsRun(std::move(texts), options(definition)).pairs();
  }
  [[nodiscard]] static std::vector<std::size_t> kept(std::vector<std::string> texts, const Definition& definition,
                                                     ClusterKind kind = ClusterKind::components,
                                                     const std::string& keep = "first") {
    DedupOptions how = options(definition);
    how.clusters = kind;
    how.keep = parse_keep_rules(keep);
    return TextsRun(std::move(texts), how).kept();
  }
};

const Definition kJaccard60 = words_definition(1, Measure::jaccard, {3, 5});
const Definition kJaccard80 = words_definition(1, Measure::jaccard, {4, 5});

TEST_P(EveryFinder, FindsAPairWhoseOverlapIsExactlyTheBound) {
  EXPECT_EQ(pairs({"a b c d", "a b c e"}, kJaccard60), (IndexPairs{{0, 1}}));    // 3 of 5
  EXPECT_EQ(pairs({"a b c d", "a b c d e"}, kJaccard80), (IndexPairs{{0, 1}}));  // 4 of 5
}

TEST_P(EveryFinder, LeavesAPairJustBelowTheBound) {
  EXPECT_THAT(pairs({"a b c d", "a b c e"}, words_definition(1, Measure::jaccard, {600'001, 1'000'000})), IsEmpty());
  EXPECT_THAT(pairs({"a b c d", "a b c d e"}, words_definition(1, Measure::jaccard, {800'001, 1'000'000})), IsEmpty());
  EXPECT_THAT(pairs({"a b c d e", "a b c f g"}, kJaccard60), IsEmpty());  // 3 of 7
}

TEST_P(EveryFinder, FindsPairsOfDiceAndCosineExactlyAtTheBound) {
  EXPECT_EQ(pairs({"a b c d", "a b c e"}, words_definition(1, Measure::dice, {3, 4})), (IndexPairs{{0, 1}}));
  EXPECT_EQ(pairs({"a b c d", "a b c e"}, words_definition(1, Measure::cosine, {3, 4})), (IndexPairs{{0, 1}}));
  EXPECT_EQ(pairs({"a b c d", "a b c d e f g h i"}, words_definition(1, Measure::cosine, {2, 3})),
            (IndexPairs{{0, 1}}));  // 4 / sqrt(36)
  EXPECT_THAT(pairs({"a b c d", "a b c e"}, words_definition(1, Measure::dice, {750'001, 1'000'000})), IsEmpty());
  EXPECT_THAT(pairs({"a b c d", "a b c e"}, words_definition(1, Measure::cosine, {750'001, 1'000'000})), IsEmpty());
}

TEST_P(EveryFinder, PrintsTheExactScore) {
  const TextsRun run({"a b c d", "a b c e", "a b c d"}, options(kJaccard60));
  EXPECT_EQ(run.files.at("pairs.tsv"), "left\tright\tscore\n0\t1\t0.600000\n0\t2\t1.000000\n");
}

TEST_P(EveryFinder, FindsIdenticalDocuments) {
  EXPECT_EQ(pairs({"x y z", "p q r", "x y z", "p q r", "x y z"}, words_definition(1, Measure::jaccard, {1, 1})),
            (IndexPairs{{0, 2}, {0, 4}, {1, 3}}));
}

TEST_P(EveryFinder, LeavesDisjointDocumentsApart) {
  EXPECT_THAT(pairs({"a b c", "d e f", "g h i"}, words_definition(1, Measure::jaccard, {1, 10})), IsEmpty());
}

TEST_P(EveryFinder, PutsDocumentsWithoutWordsIntoNoPairAndKeepsThem) {
  const TextsRun run({"", " \n\t ", "!?;", "", "a b", ""}, options(kJaccard80));
  EXPECT_THAT(run.pairs(), IsEmpty());
  EXPECT_EQ(run.report.kept, 6u);
  EXPECT_EQ(run.report.without_features, 5u);
  EXPECT_EQ(run.report.copies, 0u);
}

TEST_P(EveryFinder, TakesAnEmptyCollection) {
  const TextsRun run({}, options(kJaccard80));
  EXPECT_EQ(run.report.records, 0u);
  EXPECT_EQ(run.files.at("pairs.tsv"), "left\tright\tscore\n");
  EXPECT_EQ(run.files.at("clusters.tsv"), "cluster\tid\tkept\n");
  EXPECT_EQ(run.files.at("removed.jsonl"), "");
}

TEST_P(EveryFinder, HoldsTextsShorterThanARunEqualOnlyToTheSameSequence) {
  EXPECT_EQ(
      pairs({"a b c", "a b c", "a b c d", "A, b; C!", "a b", "c b a"}, words_definition(5, Measure::jaccard, {1, 10})),
      (IndexPairs{{0, 1}, {0, 3}}));
}

TEST_P(EveryFinder, DoesNotMergeLettersThatDifferOnlyInFigures) {
  const auto letter = [](const std::string& number, const std::string& day, const std::string& total) {
    return "Invoice " + number + " of " + day + " March. Please pay the total of " + total +
           " euros within thirty days to the account named below. Thank you for your order. Your team";
  };
  const Definition standard = words_definition(5, Measure::jaccard, {4, 5});
  EXPECT_THAT(pairs({letter("1001", "3", "250"), letter("1002", "4", "780"), letter("1003", "5", "90")}, standard),
              IsEmpty());
  EXPECT_THAT(kept({letter("1001", "3", "250"), letter("1001", "3", "251")}, standard), ElementsAre(0, 1));
}

TEST_P(EveryFinder, ComparesWordsOfEveryScriptFolded) {
  EXPECT_EQ(pairs({"\u00C9COLE stra\u00DFe", "\u00E9cole STRASSE", "e\u0301cole strasse"}, kJaccard80),
            (IndexPairs{{0, 1}, {0, 2}}));
  EXPECT_EQ(pairs({"\u6771\u4EAC\u90FD", "\u6771\u4EAC"}, kJaccard60), (IndexPairs{{0, 1}}));  // 2 of 3 characters
  EXPECT_THAT(pairs({"\u0430\u0431", "ab"}, kJaccard60), IsEmpty());                           // Cyrillic is not Latin
}

TEST_P(EveryFinder, TakesInvalidUtf8AsASeparator) {
  const TextsRun run({"a b\xFF c", "a b c"}, options(kJaccard80));
  EXPECT_EQ(run.pairs(), (IndexPairs{{0, 1}}));
  EXPECT_EQ(run.report.repaired_texts, 1u);
}

TEST_P(EveryFinder, CountsRepeatsOnlyInABag) {
  Definition bag = kJaccard80;
  bag.features.bag = true;
  EXPECT_EQ(pairs({"a a a b", "a b"}, kJaccard80), (IndexPairs{{0, 1}}));
  EXPECT_THAT(pairs({"a a a b", "a b"}, bag), IsEmpty());                 // 2 of 4
  EXPECT_EQ(pairs({"a a a b", "a a a b b"}, bag), (IndexPairs{{0, 1}}));  // 4 of 5
}

TEST_P(EveryFinder, ChainsComponentsButNotStarsOrCompleteClusters) {
  const std::vector<std::string> chain{"1 2 3 4", "2 3 4 5", "3 4 5 6"};  // neighbours share 3 of 5, the ends 2 of 6
  EXPECT_THAT(kept(chain, kJaccard60, ClusterKind::components), ElementsAre(0));
  EXPECT_THAT(kept(chain, kJaccard60, ClusterKind::star), ElementsAre(0, 2));
  EXPECT_THAT(kept(chain, kJaccard60, ClusterKind::complete), ElementsAre(0, 2));
  EXPECT_THAT(kept(chain, kJaccard60, ClusterKind::components, "last"), ElementsAre(2));
  EXPECT_THAT(kept(chain, kJaccard60, ClusterKind::star, "last"), ElementsAre(0, 2));
}

TEST_P(EveryFinder, LetsTheMiddleOfAChainLeadAStarButNotACompleteCluster) {
  const std::vector<std::string> chain{"1 2 3 4", "2 3 4 5 5 5", "3 4 5 6"};
  EXPECT_THAT(kept(chain, kJaccard60, ClusterKind::star, "longest"), ElementsAre(1));
  EXPECT_THAT(kept(chain, kJaccard60, ClusterKind::complete, "longest"), ElementsAre(1, 2));
  EXPECT_THAT(kept(chain, kJaccard60, ClusterKind::complete, "longest,last"), ElementsAre(0, 1));
}

TEST_P(EveryFinder, SaysNullForTheScoreOfDocumentsLinkedOnlyThroughOthers) {
  const TextsRun run({"1 2 3 4", "2 3 4 5", "3 4 5 6"}, options(kJaccard60));
  EXPECT_EQ(run.files.at("removed.jsonl"),
            "{\"id\":\"1\",\"kept\":\"0\",\"score\":0.600000,\"rule\":\"first\",\"cluster\":\"0\"}\n"
            "{\"id\":\"2\",\"kept\":\"0\",\"score\":null,\"rule\":\"first\",\"cluster\":\"0\"}\n");
}

TEST_P(EveryFinder, AppliesKeepRulesInTurn) {
  const std::vector<std::string> copies{"a b", "a  b!", "A B.", "a b"};
  EXPECT_THAT(kept(copies, kJaccard80, ClusterKind::components, "first"), ElementsAre(0));
  EXPECT_THAT(kept(copies, kJaccard80, ClusterKind::components, "last"), ElementsAre(3));
  EXPECT_THAT(kept(copies, kJaccard80, ClusterKind::components, "longest"), ElementsAre(1));
  EXPECT_THAT(kept(copies, kJaccard80, ClusterKind::components, "shortest"), ElementsAre(0));
  EXPECT_THAT(kept(copies, kJaccard80, ClusterKind::components, "shortest,last"), ElementsAre(3));
}

TEST_P(EveryFinder, CountsCodePointsNotBytesForTheLongest) {
  EXPECT_THAT(kept({"\u00E9\u00E9\u00E9 b", "\u00E9\u00E9\u00E9 b.."}, kJaccard80, ClusterKind::components, "longest"),
              ElementsAre(1));
  EXPECT_THAT(kept({"a b \u3002", "a b ..."}, kJaccard80, ClusterKind::components, "longest"), ElementsAre(1));
}

TEST_P(EveryFinder, KeepsExactlyOneOfEveryCluster) {
  base::Random random(11);
  for (const NamedGenerator& generator : kGenerators) {
    for (const ClusterKind kind : {ClusterKind::components, ClusterKind::star, ClusterKind::complete}) {
      DedupOptions how = options(kJaccard60, 0.9);
      how.clusters = kind;
      const TextsRun run(generator.generate(random, 60), how);
      std::map<std::string, int> kept_in, members;
      std::istringstream rows(run.files.at("clusters.tsv"));
      std::string cluster, id, is_kept;
      rows >> cluster >> id >> is_kept;
      std::set<std::size_t> clustered;
      while (rows >> cluster >> id >> is_kept) {
        EXPECT_TRUE(clustered.insert(std::stoul(id)).second) << "in two clusters: " << id;
        EXPECT_EQ(is_kept == "1", run.clusters.is_kept(std::stoul(id)));
        EXPECT_EQ(is_kept == "1", cluster == id);
        ++members[cluster];
        kept_in[cluster] += is_kept == "1" ? 1 : 0;
      }
      for (const auto& [name, count] : kept_in) EXPECT_EQ(count, 1) << generator.name << " " << name;
      for (const auto& [name, count] : members) EXPECT_GE(count, 2) << generator.name << " " << name;
      for (std::size_t row = 0; row < run.clusters.rows(); ++row) {
        EXPECT_TRUE(run.clusters.is_kept(row) || clustered.contains(row)) << "removed without a cluster: " << row;
      }
    }
  }
}

TEST_P(EveryFinder, TakesFiftyThousandCopiesWithoutComparingAnything) {
  const TextsRun run(std::vector<std::string>(50'000, "the same page again and again"), options(kJaccard80, 0.97));
  EXPECT_EQ(run.report.kept, 1u);
  EXPECT_EQ(run.report.copies, 49'999u);
  EXPECT_EQ(run.report.finder.candidates, 0u);
  EXPECT_EQ(run.report.finder.pairs, 0u);
  EXPECT_EQ(run.report.largest_cluster, 50'000u);
  const std::string& tsv = run.files.at("pairs.tsv");
  EXPECT_EQ(std::count(tsv.begin(), tsv.end(), '\n'), 50'000);
}

TEST_P(EveryFinder, GivesTheSameAnswerOnOneThreadAndOnEight) {
  base::Random random(5);
  for (const NamedGenerator& generator : kGenerators) {
    const std::vector<std::string> texts = generator.generate(random, 100);
    for (const ClusterKind kind : {ClusterKind::components, ClusterKind::complete}) {
      DedupOptions how = options(kJaccard60, 0.97);
      how.clusters = kind;
      TextsRun one(texts, how, {.threads = 1}), eight(texts, how, {.threads = 8});
      for (const char* with_threads : {"run.json", "report.html"}) {
        one.files.erase(with_threads);
        eight.files.erase(with_threads);
      }
      EXPECT_EQ(one.files, eight.files) << generator.name;
      EXPECT_EQ(one.kept(), eight.kept()) << generator.name;
      EXPECT_EQ(one.report.finder.pairs, eight.report.finder.pairs) << generator.name;
    }
  }
}

TEST_P(EveryFinder, NeverReportsAFalsePairAndMissesNoneThatItsRecallDoesNotAdmit) {
  base::Random random(23);
  for (const NamedGenerator& generator : kGenerators) {
    const std::vector<std::string> texts = generator.generate(random, 80);
    for (const Threshold threshold : {Threshold{1, 2}, Threshold{4, 5}, Threshold{1, 1}}) {
      const Definition definition = words_definition(2, Measure::jaccard, threshold);
      const Naive naive(numbered(texts), definition, ClusterKind::components);
      const TextsRun run(texts, options(definition, 0.9));
      const IndexPairs truth = naive.distinct_pairs();
      std::size_t found = 0;
      for (const auto& [a, b] : run.pairs()) {
        EXPECT_TRUE(naive.score(a, b).has_value()) << generator.name << " " << a << " " << b;
        found += naive.first_copy(a) == a && naive.first_copy(b) == b ? 1 : 0;
      }
      EXPECT_EQ(run.report.finder.pairs, found);
      if (run.report.finder.recall) {
        EXPECT_EQ(run.report.finder.recall->pairs, truth.size()) << generator.name;
        const double recall = truth.empty() ? 1 : static_cast<double>(found) / static_cast<double>(truth.size());
        EXPECT_DOUBLE_EQ(run.report.finder.recall->value, recall) << generator.name;
        EXPECT_EQ(run.report.finder.recall->low, run.report.finder.recall->value)
            << "nothing is estimated: the sample is everything";
        EXPECT_EQ(run.report.finder.recall->high, run.report.finder.recall->value);
      } else {
        EXPECT_EQ(found, truth.size()) << generator.name;
      }
    }
  }
}

TEST_P(EveryFinder, ReachesItsTargetRecallForPairsAtTheThreshold) {
  // Pairs at exactly 8 of 10, the least similar that count: 1000 of them with no feature in common.
  std::vector<std::string> texts;
  for (int pair = 0; pair < 1000; ++pair) {
    const std::string name = "p" + std::to_string(pair) + "x";
    std::string shared;
    for (int i = 0; i < 8; ++i) shared += name + std::to_string(i) + " ";
    texts.push_back(shared + name + "a");
    texts.push_back(shared + name + "b");
  }
  for (const double target : {0.8, 0.97}) {
    for (const std::uint64_t seed : {1, 2}) {
      DedupOptions how = options(kJaccard80, target);
      how.finder.seed = seed;
      const auto found = static_cast<double>(TextsRun(texts, how).pairs().size()) / 1000;
      EXPECT_GE(found, target - 3 * std::sqrt(target * (1 - target) / 1000)) << "seed " << seed;
    }
  }
}

TEST_P(EveryFinder, GivesTheSamePairsWhateverElseIsInTheCollection) {
  base::Random random(31);
  std::vector<std::string> texts = near_copies(random, 50);
  const IndexPairs before = pairs(texts, kJaccard60);
  for (int i = 0; i < 300; ++i) texts.push_back(random_words(random, 20, 1'000'000));
  EXPECT_EQ(pairs(texts, kJaccard60), before);
}

std::vector<std::string> chosen_finders() {
  std::vector<std::string> names = finder_names();
  std::erase(names, "auto");
  return names;
}
INSTANTIATE_TEST_SUITE_P(Finders, EveryFinder, ::testing::ValuesIn(chosen_finders()),
                         [](const auto& name) { return name.param; });

TEST(AutoFinder, IsExact) {
  const TextsRun run({"a b c d", "a b c e"}, {.definition = kJaccard60});
  EXPECT_EQ(run.report.finder.name, "exact");
  EXPECT_EQ(run.pairs(), (IndexPairs{{0, 1}}));
  EXPECT_FALSE(run.report.finder.recall.has_value());
}

TEST(AutoFinder, ServesAThresholdThatIsTooLowForBands) {
  const TextsRun run({"a b c d", "d e f g", "x y z"}, {.definition = words_definition(1, Measure::jaccard, {1, 1000})});
  EXPECT_EQ(run.report.finder.name, "exact");
  EXPECT_EQ(run.pairs(), (IndexPairs{{0, 1}}));
}

TEST(AutoFinder, IsExactForManyDocumentsToo) {
  constexpr std::size_t kMany = 30'000;
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < kMany; ++i) {
    std::string text;
    for (std::size_t word = 0; word <= i % 40; ++word)
      text += "w" + std::to_string(i) + "x" + std::to_string(word) + " ";
    texts.push_back(std::move(text));
  }
  texts.push_back(texts[39] + "more");
  Context context;
  const DedupReport report = deduplicate(Collection::from_texts(texts), {.definition = kJaccard80}, context).report;
  EXPECT_EQ(report.finder.name, "exact");
  EXPECT_EQ(report.kept, kMany);
  EXPECT_FALSE(report.finder.recall.has_value());
}

TEST(ExactFinder, ComparesVeryManyFingerprintsWithEachOther) {
  constexpr std::size_t kMany = 50'000;
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < kMany; ++i) texts.push_back("w" + std::to_string(i));
  texts.push_back("W7!");
  Context context;
  const DedupOptions options{.definition = words_definition(1, Measure::hamming, {3, 1})};
  const DedupReport report = deduplicate(Collection::from_texts(texts), options, context).report;
  EXPECT_EQ(report.finder.name, "exact");
  EXPECT_EQ(report.kept, kMany);
}

TEST(Finders, RefuseAnUnknownNameAndSayWhichThereAre) {
  EXPECT_THAT(error_of(ErrorCode::usage, [] { search::make_finder({}, {.name = "magic"}); }),
              ::testing::AllOf(HasSubstr("magic"), HasSubstr("exact"), HasSubstr("minhash")));
  Context context;
  const DedupOptions options{.finder = {.name = "magic"}};
  error_of(ErrorCode::usage, [&] { (void)deduplicate(Collection::from_texts({"a"}), options, context); });
}

}  // namespace
}  // namespace neardup::test
