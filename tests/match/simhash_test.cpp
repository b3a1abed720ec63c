// Simhashes in whole runs: as the definition, with lengths beside it, and as a finder.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <optional>
#include <string>
#include <vector>

#include "base/random.h"
#include "base/utf8.h"
#include "neardup/sketch.h"
#include "support/collections.h"
#include "support/runs.h"

namespace neardup::test {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::vector<std::string> families(std::uint64_t seed, std::size_t count) {
  base::Random random(seed);
  std::vector<std::string> texts;
  while (texts.size() < count) {
    const std::string original = random_words(random, 60 + random.below(60), 400);
    for (std::uint64_t copies = 1 + random.below(4); copies > 0 && texts.size() < count; --copies) {
      texts.push_back(edited(random, original, random.below(8)));
    }
  }
  return texts;
}

std::vector<std::uint64_t> simhashes(const std::vector<std::string>& texts, const Definition& definition) {
  Sketcher sketcher(definition);
  std::vector<std::uint64_t> bits;
  for (const std::string& text : texts) bits.push_back(sketcher.simhash(text)->bits);
  return bits;
}

// Pairs of documents, as dedup lists them: each different document once, copies with the first of their kind.
IndexPairs expected(const std::vector<std::string>& texts, const Definition& definition) {
  const std::vector<std::uint64_t> bits = simhashes(texts, definition);
  const bool has_length = definition.length_ratio.num != 0;
  const auto same = [&](std::size_t a, std::size_t b) {
    return bits[a] == bits[b] && (!has_length || base::code_points(texts[a]) == base::code_points(texts[b]));
  };
  std::vector<std::size_t> first(texts.size());
  IndexPairs pairs;
  for (std::size_t b = 0; b < texts.size(); ++b) {
    first[b] = b;
    for (std::size_t a = b; a-- > 0;) {
      if (same(a, b)) first[b] = a;
    }
    if (first[b] != b) pairs.emplace(first[b], b);
  }
  for (std::size_t b = 0; b < texts.size(); ++b) {
    for (std::size_t a = 0; a < b; ++a) {
      if (first[a] != a || first[b] != b) continue;
      const double lengths[] = {static_cast<double>(texts[a].size()), static_cast<double>(texts[b].size())};
      const double ratio = std::min(lengths[0], lengths[1]) / std::max(lengths[0], lengths[1]);
      const double least =
          static_cast<double>(definition.length_ratio.num) / static_cast<double>(definition.length_ratio.den);
      if (static_cast<std::uint64_t>(std::popcount(bits[a] ^ bits[b])) <= definition.threshold.num && ratio >= least) {
        pairs.emplace(a, b);
      }
    }
  }
  return pairs;
}

TEST(HammingRuns, FindWhatComparingEveryPairFinds) {
  for (const std::uint64_t distance : {0u, 1u, 3u, 6u, 12u, 40u}) {
    const std::vector<std::string> texts = families(distance, 300);
    const Definition definition = words_definition(2, Measure::hamming, {distance, 1});
    for (const unsigned threads : {1u, 2u}) {
      EXPECT_EQ(TextsRun(texts, {.definition = definition}, {.threads = threads}).pairs(), expected(texts, definition))
          << distance << " on " << threads;
    }
  }
}

TEST(HammingRuns, AskForSimilarLengthsWhenTold) {
  std::vector<std::string> texts = families(5, 200);
  for (std::size_t i = 0; i < 200; i += 3) texts[i] += std::string(100, ' ');  // the same words, another length
  for (const Threshold ratio : {Threshold{1, 2}, Threshold{4, 5}, Threshold{19, 20}, Threshold{1, 1}}) {
    Definition definition = words_definition(2, Measure::hamming, {6, 1});
    definition.length_ratio = ratio;
    EXPECT_EQ(TextsRun(texts, {.definition = definition}).pairs(), expected(texts, definition)) << to_string(ratio);
  }
}

TEST(HammingRuns, RefuseALengthRatioAboveOneAndForOtherMeasures) {
  Definition definition = words_definition(2, Measure::hamming, {6, 1});
  definition.length_ratio = {3, 2};
  EXPECT_THROW(definition.validate(), Error);
  definition = words_definition(2, Measure::jaccard, {4, 5});
  definition.length_ratio = {1, 2};
  EXPECT_THROW(definition.validate(), Error);
}

TEST(HammingRuns, AreExactUnderTheNameSimhashToo) {
  const std::vector<std::string> texts = families(9, 100);
  const Definition definition = words_definition(2, Measure::hamming, {3, 1});
  const TextsRun run(texts, {.definition = definition, .finder = {.name = "simhash"}});
  EXPECT_EQ(run.report.finder.name, "exact");
  EXPECT_EQ(run.pairs(), expected(texts, definition));
}

TEST(SimhashFinder, FindsThePairsThatAreNearAndSaysWhatShareThatIs) {
  const std::vector<std::string> texts = families(11, 400);
  const Definition definition = words_definition(2, Measure::jaccard, {3, 5});
  const IndexPairs all = TextsRun(texts, {.definition = definition}).pairs();
  std::size_t fewer = 0;
  for (const unsigned distance : {3u, 8u, 64u}) {
    const TextsRun run(texts, {.definition = definition, .finder = {.name = "simhash", .distance = distance}});
    const IndexPairs found = run.pairs();
    EXPECT_TRUE(std::includes(all.begin(), all.end(), found.begin(), found.end())) << "precision is 1";
    EXPECT_GE(found.size(), fewer);
    fewer = found.size();
    ASSERT_TRUE(run.report.finder.recall.has_value());
    if (distance == 64) {
      EXPECT_EQ(found, all);
      EXPECT_EQ(run.report.finder.recall->value, 1);
      EXPECT_THAT(run.report.warnings, IsEmpty());
    } else {
      EXPECT_LT(run.report.finder.recall->value, 1);
      EXPECT_THAT(run.report.warnings, Contains(HasSubstr("`distance`")));
    }
  }
}

TEST(SimhashFinder, GivesTheSameAnswerForEveryMemoryAndNumberOfThreads) {
  const std::vector<std::string> texts = families(13, 400);
  const DedupOptions options{.definition = words_definition(2, Measure::cosine, {3, 5}),
                             .finder = {.name = "simhash", .distance = 8}};
  const IndexPairs once = TextsRun(texts, options, {.threads = 1}).pairs();
  EXPECT_THAT(once, Not(IsEmpty()));
  EXPECT_EQ(TextsRun(texts, options, {.threads = 2}).pairs(), once);
  EXPECT_EQ(TextsRun(texts, options, {.threads = 2, .memory_bytes = 1}).pairs(), once);
}

}  // namespace
}  // namespace neardup::test
