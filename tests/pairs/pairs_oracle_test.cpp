// `pairs` against the definitions: the table byte for byte, for one collection and for two.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/random.h"
#include "io/collection.h"
#include "neardup/pairs.h"
#include "support/collections.h"
#include "support/runs.h"

namespace neardup::test {
namespace {

using Documents = std::vector<NaiveDocument>;

struct Setting {
  Definition definition;
  std::string algorithm = "auto";
  Context context{};
  std::size_t batch_bytes = 1 << 20;
  IgnoreOptions ignore{};
};

std::string describe(const Setting& setting) {
  return to_string(setting.definition.features) + (setting.definition.features.bag ? " bag " : " ") +
         to_string(setting.definition.measure) + " " + to_string(setting.definition.threshold) + " " +
         setting.algorithm + " " + std::to_string(setting.context.threads) + " threads " +
         std::to_string(setting.context.memory_bytes) + " bytes";
}

// A line of integers for each document, named by the path and the line.
std::string as_sets(const Documents& documents) {
  std::string lines;
  for (const NaiveDocument& document : documents) lines += document.text + "\n";
  return lines;
}

// Writes the documents and lists their pairs.
std::string listed(Documents left, Documents* right, Setting setting, PairsReport* report = nullptr) {
  const ScratchFolder scratch;
  setting.context.temp_folder = scratch.path();
  const bool is_sets = setting.definition.features.kind == FeatureKind::tokens;
  const auto open = [&](const std::string& name, const Documents& documents) {
    write_bytes(scratch / name, is_sets ? as_sets(documents) : as_jsonl(documents));
    return io::open_collection({scratch / name}, {}, setting.context, setting.batch_bytes);
  };
  const std::string ending = is_sets ? ".sets" : ".jsonl";
  const Collection first = open("left" + ending, left);
  std::optional<Collection> second;
  if (right != nullptr) second = open("right" + ending, *right);
  const PairsReport found =
      list_pairs(first, second ? &*second : nullptr,
                 {.definition = setting.definition, .algorithm = setting.algorithm, .ignore = setting.ignore},
                 {.path = scratch / "out.tsv"}, setting.context);
  std::string tsv = bytes_of(scratch / "out.tsv");
  EXPECT_EQ(found.pairs + 1, static_cast<std::uint64_t>(std::count(tsv.begin(), tsv.end(), '\n')));
  EXPECT_EQ(everything_in(scratch.path()).size(), right != nullptr ? 3u : 2u) << "a temporary file is left";
  for (std::string prefix = scratch.path().string() + "/"; tsv.find(prefix) != std::string::npos;) {
    tsv.erase(tsv.find(prefix), prefix.size());
  }
  if (report != nullptr) *report = found;
  return tsv;
}

void expect_the_naive_pairs(Documents left, Documents* right, const Setting& setting, const std::string& what) {
  SCOPED_TRACE(what + ": " + describe(setting));
  if (setting.definition.features.kind == FeatureKind::tokens) {  // records of such files are named by their lines
    for (std::size_t i = 0; i < left.size(); ++i) left[i].id = "left.sets:" + std::to_string(i + 1);
    for (std::size_t i = 0; right != nullptr && i < right->size(); ++i)
      (*right)[i].id = "right.sets:" + std::to_string(i + 1);
  }
  Setting asked = setting;
  if (setting.algorithm == "qp" || setting.algorithm == "qa")
    asked.definition.features.kind.reset();  // they name chars:4
  EXPECT_EQ(listed(left, right, asked), naive_pairs_tsv(left, right, setting.definition));
}

std::vector<Threshold> thresholds_of(Measure measure) {
  if (measure == Measure::overlap) return {{1, 1}, {3, 1}, {9, 1}};
  return {{1, 10}, {1, 3}, {2, 3}, {4, 5}, {1, 1}};
}

constexpr Measure kSetMeasures[] = {Measure::jaccard, Measure::dice, Measure::cosine, Measure::overlap};

Context random_context(base::Random& random) {
  constexpr unsigned kThreads[] = {1, 2, 8};
  constexpr std::size_t kMemory[] = {0, std::size_t{1} << 20, std::size_t{4} << 20, std::size_t{64} << 20};
  return {.threads = kThreads[random.below(3)], .memory_bytes = kMemory[random.below(4)]};
}

TEST(ListPairs, EqualsTheDefinitionsForEveryMeasureAndThreshold) {
  base::Random random(1);
  for (const NamedGenerator& generator : kGenerators) {
    for (const Measure measure : kSetMeasures) {
      for (const Threshold threshold : thresholds_of(measure)) {
        Setting setting{.definition = words_definition(1 + static_cast<unsigned>(random.below(3)), measure, threshold),
                        .context = random_context(random),
                        .batch_bytes = random.below(2) == 0 ? 64u : 1u << 20};
        const Documents left = numbered(generator.generate(random, 40));
        Documents right = numbered(generator.generate(random, 1 + random.below(60)));
        for (std::size_t i = 0; i < right.size(); i += 3) right[i].text = left[random.below(left.size())].text;
        expect_the_naive_pairs(left, nullptr, setting, generator.name);
        expect_the_naive_pairs(left, &right, setting, generator.name);
        if (HasFailure()) return;
      }
    }
  }
}

TEST(ListPairs, EqualsTheDefinitionsForCharacterRunsAndBags) {
  base::Random random(2);
  for (const NamedGenerator& generator : kGenerators) {
    for (const FeatureKind kind : {FeatureKind::words, FeatureKind::chars}) {
      for (const bool bag : {false, true}) {
        const Definition definition{.features = {.kind = kind, .length = 3, .bag = bag}, .threshold = {7, 10}};
        Documents right = numbered(generator.generate(random, 30));
        expect_the_naive_pairs(numbered(generator.generate(random, 40)), &right, {.definition = definition},
                               generator.name);
        expect_the_naive_pairs(right, nullptr, {.definition = definition}, generator.name);
        if (HasFailure()) return;
      }
    }
  }
}

// Lines of integers in any order, with repeats and empty lines.
Documents random_sets(base::Random& random, std::size_t count) {
  Documents documents;
  while (documents.size() < count) {
    std::string line;
    if (!documents.empty() && random.below(2) == 0) {
      line = documents[random.below(documents.size())].text;
      if (random.below(2) == 0 && !line.empty()) line += " " + std::to_string(random.below(30));
    } else {
      for (std::uint64_t size = random.below(8); size > 0; --size) {
        const std::uint64_t value = random.below(12) == 0 ? UINT64_MAX - random.below(3) : random.below(30);
        line += (line.empty() ? "" : " ") + std::to_string(value);
      }
    }
    documents.push_back({.id = "", .text = line});
  }
  return documents;
}

TEST(ListPairs, EqualsTheDefinitionsForSetsOfIntegers) {
  base::Random random(3);
  for (const Measure measure : kSetMeasures) {
    for (const Threshold threshold : thresholds_of(measure)) {
      for (const bool bag : {false, true}) {
        const Definition definition{
            .features = {.kind = FeatureKind::tokens, .bag = bag}, .measure = measure, .threshold = threshold};
        Documents right = random_sets(random, 30);
        const Setting setting{.definition = definition, .context = random_context(random)};
        expect_the_naive_pairs(random_sets(random, 60), nullptr, setting, "sets");
        expect_the_naive_pairs(random_sets(random, 60), &right, setting, "sets");
        if (HasFailure()) return;
      }
    }
  }
}

TEST(ListPairs, EqualsTheDefinitionsForDistances) {
  base::Random random(4);
  for (const NamedGenerator& generator : kGenerators) {
    for (const Measure measure : {Measure::edit, Measure::hamming}) {
      for (const std::uint64_t distance : {0u, 1u, 3u, 10u, 64u}) {
        Definition definition = words_definition(2, measure, {distance, 1});
        definition.as_is = measure == Measure::edit && random.below(2) == 0;
        const auto documents = [&](std::size_t count) {
          Documents made = numbered(generator.generate(random, count));
          for (NaiveDocument& document : made) document.text = document.text.substr(0, 80);
          return made;
        };
        const Documents left = documents(30);
        Documents right = documents(20);
        const Setting setting{.definition = definition, .context = random_context(random)};
        expect_the_naive_pairs(left, nullptr, setting, generator.name);
        expect_the_naive_pairs(left, &right, setting, generator.name);
        if (HasFailure()) return;
      }
    }
  }
}

TEST(ListPairs, GivesTheSameAnswerByEveryAlgorithm) {
  base::Random random(5);
  for (const NamedGenerator& generator : kGenerators) {
    const Documents left = numbered(generator.generate(random, 50));
    Documents right = numbered(generator.generate(random, 30));
    for (const Measure measure : {Measure::jaccard, Measure::cosine, Measure::dice, Measure::overlap, Measure::edit}) {
      for (const std::string& algorithm : pair_algorithms(measure)) {
        Threshold threshold{2, 3};
        if (has_integer_scores(measure)) threshold = {3, 1};
        Setting setting{.definition = words_definition(1, measure, threshold), .algorithm = algorithm};
        if (algorithm == "sp") continue;  // may miss pairs
        if (algorithm == "qp" || algorithm == "qa")
          setting.definition.features = {.kind = FeatureKind::chars, .length = 4};
        expect_the_naive_pairs(left, nullptr, setting, generator.name);
        expect_the_naive_pairs(left, &right, setting, generator.name);
        if (HasFailure()) return;
      }
    }
  }
}

// Enough documents and features that the smallest budgets do not hold them at once.
TEST(ListPairs, GivesTheSameAnswerForEveryBudgetAndNumberOfThreads) {
  base::Random random(6);
  std::vector<std::string> texts;
  for (std::uint64_t original = 0; original < 40; ++original) {
    for (const std::uint64_t percent : {0u, 0u, 1u, 5u, 20u}) {
      std::string text;
      for (std::uint64_t word = 0; word < 3'000; ++word) {
        const std::uint64_t name = random.below(100) >= percent ? word : word + 5'000 * (1 + random.below(100));
        text += std::to_string(original) + "x" + std::to_string(name) + " ";
      }
      texts.push_back(std::move(text));
    }
  }
  const Documents documents = numbered(texts);
  Documents right(documents.begin() + 20, documents.begin() + 90);
  const Definition definition = words_definition(2, Measure::jaccard, {7, 10});
  for (Documents* against : {static_cast<Documents*>(nullptr), &right}) {
    const std::string expected = listed(documents, against, {.definition = definition, .context = {.threads = 1}});
    EXPECT_GT(std::count(expected.begin(), expected.end(), '\n'), 100);
    for (const std::size_t megabytes : {24u, 32u, 64u}) {
      for (const unsigned threads : {1u, 2u, 8u}) {
        const Context context{.threads = threads, .memory_bytes = megabytes << 20};
        EXPECT_TRUE(listed(documents, against, {.definition = definition, .context = context}) == expected)
            << megabytes << " MiB, " << threads << " threads";
      }
    }
  }
}

TEST(ListPairs, WritesNoMoreThanTheBestPartnersOfEachLeftRecord) {
  base::Random random(7);
  for (const Measure measure : {Measure::jaccard, Measure::edit}) {
    const Definition definition =
        words_definition(1, measure, measure == Measure::edit ? Threshold{6, 1} : Threshold{1, 3});
    Documents left = numbered(near_copies(random, 40));
    for (NaiveDocument& document : left) document.text = document.text.substr(0, 30);
    const ScratchFolder scratch;
    Context context{.temp_folder = scratch.path()};
    write_bytes(scratch / "in.jsonl", as_jsonl(left));
    const Collection collection = Collection::open({scratch / "in.jsonl"}, {}, context);
    for (const std::uint64_t top : {1u, 2u, 5u, 100u}) {
      (void)list_pairs(collection, nullptr, {.definition = definition, .top = top},
                       {.path = scratch / "out.tsv", .overwrite = Overwrite::replace}, context);
      // Line by line: a pair is among the best when fewer than `top` of the same left record precede it.
      struct Line {
        std::size_t left, right;
        double score;
        std::string text;
      };
      std::vector<Line> all;
      for (std::size_t a = 0; a < left.size(); ++a) {
        for (std::size_t b = a + 1; b < left.size(); ++b) {
          const auto score =
              naive_score(definition, NaiveView(left[a].text, definition), NaiveView(left[b].text, definition));
          if (score)
            all.push_back(
                {a, b, *score, left[a].id + '\t' + left[b].id + '\t' + naive_printed(measure, *score) + '\n'});
        }
      }
      std::string expected = "left\tright\tscore\n";
      for (const Line& line : all) {
        const auto better = std::count_if(all.begin(), all.end(), [&](const Line& other) {
          if (other.left != line.left) return false;
          if (other.score != line.score) return (other.score < line.score) == (measure == Measure::edit);
          return other.right < line.right;
        });
        if (static_cast<std::uint64_t>(better) < top) expected += line.text;
      }
      EXPECT_EQ(bytes_of(scratch / "out.tsv"), expected) << top;
    }
  }
}

TEST(ListPairs, MeasuresTheRecallAndPrecisionOfMinwiseFeatures) {
  base::Random random(8);
  const Documents documents = numbered(near_copies(random, 120));
  Definition definition = words_definition(1, Measure::jaccard, {3, 5});
  const std::string truth = listed(documents, nullptr, {.definition = definition});
  definition.features.minwise = 8;
  PairsReport report;
  const std::string estimated = listed(documents, nullptr, {.definition = definition}, &report);
  const auto lines = [](const std::string& tsv) {
    std::set<std::string> pairs;
    std::istringstream in(tsv);
    std::string left, right, score;
    in >> left >> right >> score;
    while (in >> left >> right >> score) pairs.insert(left + " " + right);
    return pairs;
  };
  const std::set<std::string> found = lines(estimated), wanted = lines(truth);
  std::size_t common = 0;
  for (const std::string& pair : found) common += wanted.count(pair);
  ASSERT_TRUE(report.recall && report.precision);
  EXPECT_GT(wanted.size(), 50u);
  EXPECT_LT(*report.recall, 1);
  EXPECT_DOUBLE_EQ(*report.recall, static_cast<double>(common) / static_cast<double>(wanted.size()));
  EXPECT_DOUBLE_EQ(*report.precision, static_cast<double>(common) / static_cast<double>(found.size()));
}

TEST(ListPairs, StopsAtTheSamePairsForEveryNumberOfThreads) {
  base::Random random(9);
  for (const Measure measure : {Measure::jaccard, Measure::edit, Measure::hamming}) {
    std::vector<std::string> texts = shared_boilerplate(random, 400);
    if (measure == Measure::edit) {
      for (std::string& text : texts) text = text.substr(text.size() - 12);
    }
    const Collection collection = Collection::from_texts(texts);
    const ScratchFolder scratch;
    const Definition definition = words_definition(
        1, measure, measure == Measure::jaccard ? Threshold{3, 5} : Threshold{measure == Measure::edit ? 9u : 20u, 1});
    std::string expected;
    for (const unsigned threads : {1u, 2u, 8u}) {
      Context context{.threads = threads, .temp_folder = scratch.path()};
      const PairsReport report = list_pairs(collection, nullptr, {.definition = definition, .max_pairs = 5'000},
                                            {.path = scratch / "out.tsv", .overwrite = Overwrite::replace}, context);
      EXPECT_TRUE(report.join.stopped);
      EXPECT_EQ(report.pairs, 5'000u);
      EXPECT_THAT(report.warnings, ::testing::Contains(::testing::HasSubstr("stopped at 5,000 pairs")));
      const std::string tsv = bytes_of(scratch / "out.tsv");
      if (expected.empty()) expected = tsv;
      EXPECT_TRUE(tsv == expected) << to_string(measure) << " " << threads;
    }
  }
}

TEST(ListPairs, RefusesWhatContradictsItself) {
  Context context;
  const Collection texts = Collection::from_texts({"a b", "a b"});
  const auto refused = [&](const PairsOptions& options, const PairsListOptions& list = {}) {
    return error_of(ErrorCode::usage, [&] { (void)list_pairs(texts, nullptr, options, list, context); });
  };
  using ::testing::HasSubstr;
  EXPECT_THAT(refused({.algorithm = "magic"}), HasSubstr("ppjoin+"));
  EXPECT_THAT(refused({}, {.show = {"title"}}), HasSubstr("`show`"));
  EXPECT_THAT(refused({}, {.path = "pairs.json"}), HasSubstr(".tsv"));
  EXPECT_THAT(refused({}, {.path = "folder"}), HasSubstr(".tsv"));
  EXPECT_THAT(refused({}, {.path = "-", .format = "xml"}), HasSubstr("tsv, csv or jsonl"));
  EXPECT_THAT(refused({}, {.against_show = {{"text"}}}), HasSubstr("another collection"));
  EXPECT_THAT(refused({.on_bad_record = OnBadRecord::quarantine}), HasSubstr("quarantine"));
  EXPECT_THAT(
      refused(
          {.definition = {.features = {.kind = FeatureKind::words}, .measure = Measure::edit, .threshold = {1, 1}}}),
      HasSubstr("`features`"));
  EXPECT_THAT(refused({.definition = {.measure = Measure::edit, .threshold = {1, 1}}, .algorithm = "ppjoin"}),
              HasSubstr("segments"));
}

// --- Hostile collections ---

TEST(HostilePairs, OfEqualRecordsEndAtTheCap) {
  const ScratchFolder scratch;
  Context context{.temp_folder = scratch.path()};
  const Collection collection = Collection::from_texts(std::vector<std::string>(20'000, "the same again and again"));
  const PairsReport report =
      list_pairs(collection, nullptr, {.max_pairs = 500}, {.path = scratch / "out.tsv"}, context);
  EXPECT_EQ(report.pairs, 500u);
  EXPECT_TRUE(report.join.stopped);
  EXPECT_THAT(report.warnings, ::testing::Contains(::testing::HasSubstr("million pairs of equal records")));
}

TEST(HostilePairs, OfRecordsWithOneCommonWordAreFewCandidates) {
  std::vector<std::string> texts;
  for (int i = 0; i < 50'000; ++i) {
    std::string text = "common";
    for (int k = 0; k < 9; ++k) text += " w" + std::to_string(i) + "x" + std::to_string(k);
    texts.push_back(std::move(text));
  }
  texts.push_back(texts.front() + " more");
  const ScratchFolder scratch;
  Context context{.temp_folder = scratch.path()};
  const PairsReport report =
      list_pairs(Collection::from_texts(texts), nullptr, {.definition = words_definition(1, Measure::jaccard, {4, 5})},
                 {.path = scratch / "out.tsv"}, context);
  EXPECT_EQ(report.pairs, 1u);
  EXPECT_LE(report.join.candidates, 1u);
}

TEST(HostilePairs, OfEmptyRecordsAreNone) {
  const ScratchFolder scratch;
  Context context{.temp_folder = scratch.path()};
  const PairsReport report = list_pairs(Collection::from_texts(std::vector<std::string>(1'000, " !? ")), nullptr, {},
                                        {.path = scratch / "out.tsv"}, context);
  EXPECT_EQ(report.pairs, 0u);
  EXPECT_EQ(report.without_features, 1'000u);
}

// Sets of 20 to 60 tokens, every third of them near an earlier one.
Documents many_sets(base::Random& random, std::size_t count) {
  std::vector<std::vector<std::uint64_t>> sets;
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<std::uint64_t> set;
    if (i > 10 && random.below(3) == 0) set = sets[random.below(sets.size())];
    while (set.size() < 20 + i % 40) set.push_back(random.below(4'000));
    set[random.below(set.size())] = random.below(4'000);
    sets.push_back(set);
  }
  Documents documents;
  for (const auto& set : sets) {
    NaiveDocument document;
    for (const std::uint64_t token : set) document.text += std::to_string(token) + " ";
    documents.push_back(std::move(document));
  }
  return documents;
}

TEST(ListPairs, FindsTheSamePairsInManyRoundsWhenMemoryIsShort) {
  base::Random random(77);
  Documents left = many_sets(random, 5'000), right = many_sets(random, 3'000);
  right.insert(right.end(), left.begin(), left.begin() + 500);
  for (const Measure measure : {Measure::jaccard, Measure::cosine, Measure::overlap}) {
    Setting roomy{.definition = {.features = {.kind = FeatureKind::tokens, .length = 1}, .measure = measure}};
    roomy.definition.threshold = measure == Measure::overlap ? Threshold{18, 1} : Threshold{7, 10};
    for (Documents* other : {static_cast<Documents*>(nullptr), &right}) {
      PairsReport report;
      const std::string expected = listed(left, other, roomy, &report);
      EXPECT_EQ(report.join.rounds, 1u);
      EXPECT_GT(report.pairs, 400u);
      for (const unsigned threads : {1u, 3u}) {
        Setting tight = roomy;
        tight.context.memory_bytes = 1 << 20;
        tight.context.threads = threads;
        EXPECT_EQ(listed(left, other, tight, &report), expected) << describe(tight);
        EXPECT_GT(report.join.rounds, 3u);
      }
    }
  }
}

// Streams of features in memory, kept sets, and collections that are read again: one answer.
TEST(ListPairs, IgnoresTheSameFeaturesWhenMemoryIsShort) {
  base::Random random(78);
  Documents left = many_sets(random, 3'000), right = many_sets(random, 1'000);
  for (NaiveDocument& document : left) document.text += "1 2 3 4 5 6 7 8 9 10";
  right.insert(right.end(), left.begin(), left.begin() + 200);
  for (const Measure measure : {Measure::jaccard, Measure::containment}) {
    Setting roomy{.definition = {.features = {.kind = FeatureKind::tokens, .length = 1}, .measure = measure},
                  .ignore = {.common = parse_common_limit("5%")}};
    roomy.definition.threshold = {7, 10};
    for (Documents* other : {static_cast<Documents*>(nullptr), &right}) {
      PairsReport report, tight_report;
      const std::string expected = listed(left, other, roomy, &report);
      EXPECT_GT(report.pairs, 100u);
      EXPECT_EQ(report.ignored->features, 10u);
      Setting tight = roomy;
      tight.context.memory_bytes = 1 << 20;
      tight.context.threads = 2;
      EXPECT_EQ(listed(left, other, tight, &tight_report), expected) << describe(tight);
      EXPECT_EQ(tight_report.ignored->documents, report.ignored->documents);
      EXPECT_EQ(tight_report.ignored->texts.size(), report.ignored->texts.size());
    }
  }
}

}  // namespace
}  // namespace neardup::test
