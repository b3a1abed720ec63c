// The whole job against the definitions themselves: every table byte for byte.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/random.h"
#include "io/collection.h"
#include "support/collections.h"
#include "support/runs.h"

namespace neardup::test {
namespace {

struct Setting {
  Definition definition;
  ClusterKind kind = ClusterKind::components;
  std::string keep = "first";
  Context context{};
  std::size_t batch_bytes = 1 << 20;
};

std::string describe(const Setting& setting) {
  return to_string(setting.definition.features) + (setting.definition.features.bag ? " bag " : " ") +
         to_string(setting.definition.measure) + " " + to_string(setting.definition.threshold) + " " +
         to_string(setting.kind) + " " + setting.keep + " " + std::to_string(setting.context.threads) + " threads";
}

void expect_the_naive_answer(const std::vector<NaiveDocument>& documents, Setting setting, const std::string& what) {
  SCOPED_TRACE(what + ": " + describe(setting));
  const Naive naive(documents, setting.definition, setting.kind, parse_keep_rules(setting.keep));
  const ScratchFolder scratch;
  setting.context.temp_folder = scratch.path();
  write_bytes(scratch / "in.jsonl", as_jsonl(documents));
  const Collection collection =
      io::open_collection({scratch / "in.jsonl"}, {.extra_fields = {"rank"}}, setting.context, setting.batch_bytes);
  const DedupResult result = deduplicate(collection,
                                         {.definition = setting.definition,
                                          .finder = {.name = "exact"},
                                          .clusters = setting.kind,
                                          .keep = parse_keep_rules(setting.keep),
                                          .output = {.path = scratch / "out"}},
                                         setting.context);
  EXPECT_EQ(bytes_of(scratch / "out/pairs.tsv"), naive.pairs_tsv());
  EXPECT_EQ(bytes_of(scratch / "out/clusters.tsv"), naive.clusters_tsv());
  EXPECT_EQ(bytes_of(scratch / "out/removed.jsonl"), naive.removed_jsonl());
  std::vector<NaiveDocument> kept;
  for (std::size_t i = 0; i < documents.size(); ++i) {
    if (naive.is_kept(i)) kept.push_back(documents[i]);
    EXPECT_EQ(result.clusters.is_kept(i), naive.is_kept(i)) << i;
  }
  EXPECT_EQ(bytes_of(scratch / "out/kept.jsonl"), as_jsonl(kept));
  EXPECT_EQ(result.report.kept, kept.size());
  EXPECT_EQ(result.report.removed, documents.size() - kept.size());
  EXPECT_EQ(result.report.finder.pairs, naive.distinct_pairs().size());
}

constexpr ClusterKind kKinds[] = {ClusterKind::components, ClusterKind::star, ClusterKind::complete};

std::vector<Threshold> thresholds_of(Measure measure) {
  if (measure == Measure::overlap) return {{1, 1}, {3, 1}, {9, 1}};
  return {{1, 10}, {1, 2}, {2, 3}, {4, 5}, {1, 1}};
}

TEST(WholeJob, EqualsTheDefinitionsForEveryMeasureThresholdAndKindOfCluster) {
  base::Random random(1);
  for (const NamedGenerator& generator : kGenerators) {
    for (const Measure measure : {Measure::jaccard, Measure::dice, Measure::cosine, Measure::overlap}) {
      for (const Threshold threshold : thresholds_of(measure)) {
        const auto documents = numbered(generator.generate(random, 30));
        for (const ClusterKind kind : kKinds) {
          const Definition definition =
              words_definition(1 + static_cast<unsigned>(random.below(3)), measure, threshold);
          const unsigned threads = random.below(2) == 0 ? 1 : 8;
          expect_the_naive_answer(documents,
                                  {.definition = definition,
                                   .kind = kind,
                                   .context = {.threads = threads, .memory_bytes = random.below(2) == 0 ? 1u : 0u},
                                   .batch_bytes = random.below(2) == 0 ? 64u : 1u << 20},
                                  generator.name);
          if (HasFailure()) return;
        }
      }
    }
  }
}

TEST(WholeJob, EqualsTheDefinitionsForCharacterRunsAndBags) {
  base::Random random(2);
  for (const NamedGenerator& generator : kGenerators) {
    for (const FeatureKind feature : {FeatureKind::words, FeatureKind::chars}) {
      for (const unsigned length : {1u, 3u}) {
        for (const bool bag : {false, true}) {
          const Definition definition{.features = {.kind = feature, .length = length, .bag = bag},
                                      .measure = random.below(2) == 0 ? Measure::jaccard : Measure::overlap,
                                      .threshold = {3, 1}};
          Setting setting{.definition = definition, .kind = kKinds[random.below(3)]};
          if (setting.definition.measure == Measure::jaccard) setting.definition.threshold = {7, 10};
          expect_the_naive_answer(numbered(generator.generate(random, 25)), setting, generator.name);
          if (HasFailure()) return;
        }
      }
    }
  }
}

TEST(WholeJob, EqualsTheDefinitionsForHamming) {
  base::Random random(3);
  for (const NamedGenerator& generator : kGenerators) {
    for (const std::uint64_t distance : {0u, 3u, 10u, 25u, 64u}) {
      const auto documents = numbered(generator.generate(random, 30));
      for (const Weights weights : {Weights::occurrences, Weights::binary}) {
        Definition definition = words_definition(2, Measure::hamming, {distance, 1});
        definition.weights = weights;
        expect_the_naive_answer(documents, {.definition = definition, .kind = kKinds[random.below(3)]}, generator.name);
        if (HasFailure()) return;
      }
    }
  }
}

TEST(WholeJob, EqualsTheDefinitionsForEdit) {
  base::Random random(6);
  for (const NamedGenerator& generator : kGenerators) {
    for (const std::uint64_t distance : {0u, 1u, 2u, 5u, 40u}) {
      auto documents = numbered(generator.generate(random, 25));
      for (NaiveDocument& document : documents) {  // strings that are equal but for case and signs, and near ones
        document.text = document.text.substr(0, 60);
        if (random.below(4) == 0)
          document.text = "W" + document.text.substr(std::min<std::size_t>(1, document.text.size()));
        if (random.below(4) == 0) document.text += "!";
      }
      for (const bool as_is : {false, true}) {
        Definition definition{.measure = Measure::edit, .threshold = {distance, 1}};
        definition.as_is = as_is;
        expect_the_naive_answer(documents,
                                {.definition = definition,
                                 .kind = kKinds[random.below(3)],
                                 .context = {.threads = random.below(2) == 0 ? 1u : 8u}},
                                generator.name);
        if (HasFailure()) return;
      }
    }
  }
}

TEST(WholeJob, EqualsTheDefinitionsForEveryKeepRule) {
  base::Random random(4);
  for (const NamedGenerator& generator : kGenerators) {
    for (const std::string keep : {"last", "longest", "shortest", "max:rank", "min:rank", "prefer:rank=7",
                                   "longest,max:rank", "prefer:rank=3,min:rank,last", "shortest,last"}) {
      auto documents = numbered(generator.generate(random, 30));
      for (NaiveDocument& document : documents) {
        if (random.below(5) != 0) document.rank = random.below(5) == 0 ? "unknown" : std::to_string(random.below(10));
      }
      for (const ClusterKind kind : kKinds) {
        expect_the_naive_answer(
            documents, {.definition = words_definition(1, Measure::jaccard, {1, 2}), .kind = kind, .keep = keep},
            generator.name);
        if (HasFailure()) return;
      }
    }
  }
}

// Six large documents and their near-copies: together above the smallest budget for sets, so that they go to disk, come
// back in several blocks, and the blocks meet.
TEST(WholeJob, GivesTheSameAnswerWhenSetsDoNotFitIntoMemory) {
  base::Random random(5);
  std::vector<std::string> texts;
  for (std::uint64_t original = 0; original < 6; ++original) {
    for (const std::uint64_t share : {100u, 99u, 90u, 75u}) {
      std::string text;
      for (std::uint64_t word = 0; word < 45'000; ++word) {
        const std::uint64_t name = random.below(100) < share ? word : word + 50'000 * (1 + random.below(100));
        text += std::to_string(original) + "x" + std::to_string(name) + " ";
      }
      texts.push_back(std::move(text));
    }
  }
  for (const ClusterKind kind : {ClusterKind::components, ClusterKind::star}) {
    DedupOptions options{.definition = words_definition(1, Measure::jaccard, {7, 10}), .clusters = kind};
    std::size_t blocks = 0;
    EveryEvent observer([&, comparing = false](std::string_view stage) mutable {
      if (!stage.empty()) comparing = stage == "comparing";
      if (comparing && stage.empty()) ++blocks;
    });
    for (const std::string finder : {"exact", "minhash"}) {
      blocks = 0;
      options.finder.name = finder;
      options.finder.target_recall = 0.999;
      TextsRun plenty(texts, options);
      TextsRun little(texts, options, {.observer = &observer, .threads = 8, .memory_bytes = 32u << 20});
      for (TextsRun* run : {&plenty, &little})
        std::erase_if(run->files, [](auto& file) { return has_times(file.first); });
      EXPECT_TRUE(plenty.files == little.files) << finder;
      EXPECT_EQ(plenty.kept(), little.kept());
      EXPECT_GT(plenty.report.finder.pairs, 10u);
      EXPECT_GT(plenty.report.removed, 10u);
      if (finder == "minhash") {
        EXPECT_GT(blocks, 3u) << "this test is about several blocks";
      }
    }
  }
}

}  // namespace
}  // namespace neardup::test
