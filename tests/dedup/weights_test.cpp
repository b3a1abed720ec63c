// Weights of features, by field and by rarity, in whole runs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/random.h"
#include "neardup/error.h"
#include "neardup/fingerprint.h"
#include "neardup/pairs.h"
#include "support/collections.h"
#include "support/runs.h"

namespace neardup::test {
namespace {

using testing::HasSubstr;

struct Fields {
  std::string title, body;
};

std::string as_records(const std::vector<Fields>& records) {
  std::string lines;
  for (const Fields& record : records)
    lines += "{\"title\":\"" + record.title + "\",\"body\":\"" + record.body + "\"}\n";
  return lines;
}

// The first column of what `fingerprint` writes as text.
std::vector<std::string> written(const std::string& jsonl, const ReadOptions& reading,
                                 const FingerprintOptions& options, unsigned threads = 0) {
  const ScratchFolder scratch;
  Context context{.threads = threads, .temp_folder = scratch.path()};
  write_bytes(scratch / "in.jsonl", jsonl);
  write_fingerprints(Collection::open({scratch / "in.jsonl"}, reading, context), options,
                     {.output = scratch / "out.hex"}, context);
  std::istringstream in(bytes_of(scratch / "out.hex"));
  std::vector<std::string> out;
  for (std::string line; std::getline(in, line);) out.push_back(line.substr(0, line.find('\t')));
  return out;
}

std::vector<Feature> occurrences(const std::string& text, const FeatureSpec& spec) {
  FeatureExtractor extractor(spec, 0);
  std::vector<Feature> out;
  extractor.occurrences(text, out);
  return out;
}

// Bit by bit, in floating point.
std::string naive_simhash(const std::map<Feature, long double>& weights) {
  if (weights.empty()) return "-";
  Fingerprint found;
  for (int bit = 0; bit < 64; ++bit) {
    long double sum = 0;
    for (const auto& [feature, weight] : weights) sum += (feature >> bit & 1) != 0 ? weight : -weight;
    if (sum >= 0) found.bits |= std::uint64_t{1} << bit;
  }
  return to_hex(found);
}

const FeatureSpec kPairsOfWords{.kind = FeatureKind::words, .length = 2};

std::vector<Fields> random_records(std::uint64_t seed, std::size_t count) {
  base::Random random(seed);
  std::vector<Fields> records(count);
  for (Fields& record : records)
    record = {random_words(random, random.below(6), 30), random_words(random, random.below(60), 200)};
  return records;
}

TEST(FieldWeights, CountEachFieldAsOftenAsItWeighs) {
  const std::vector<Fields> records = random_records(1, 200);
  for (const Weights weights : {Weights::occurrences, Weights::binary}) {
    std::vector<std::string> expected;
    for (const Fields& record : records) {
      std::map<Feature, long double> sums;
      for (const auto& [text, weight] : {std::pair{record.title, 7}, std::pair{record.body, 2}}) {
        const std::vector<Feature> all = occurrences(text, kPairsOfWords);
        const std::set<Feature> once(all.begin(), all.end());
        for (const Feature f : once)
          sums[f] += weight * (weights == Weights::binary ? 1 : std::count(all.begin(), all.end(), f));
      }
      expected.push_back(naive_simhash(sums));
    }
    EXPECT_EQ(written(as_records(records), {.text_fields = {{"title", "body"}}},
                      {.features = kPairsOfWords, .weights = weights, .field_weights = {7, 2}}),
              expected);
  }
}

TEST(FieldWeights, CutFieldsApart) {
  const std::string jsonl = as_records({{"a b", "c d"}, {"a", "b c d"}});
  const ReadOptions reading{.text_fields = {{"title", "body"}}};
  const auto joined = written(jsonl, reading, {.features = kPairsOfWords});
  EXPECT_EQ(joined[0], joined[1]);
  const auto apart = written(jsonl, reading, {.features = kPairsOfWords, .field_weights = {1, 1}});
  EXPECT_NE(apart[0], apart[1]);
}

TEST(FieldWeights, MustFitTheFields) {
  EXPECT_THROW(written(as_records({{"a", "b"}}), {.text_fields = {{"title", "body"}}}, {.field_weights = {1}}), Error);
  EXPECT_THROW((Definition{.field_weights = {1}}.validate()), Error);
  EXPECT_THROW((Definition{.measure = Measure::hamming, .threshold = {3, 1}, .field_weights = {1001}}.validate()),
               Error);
  EXPECT_NO_THROW((Definition{.measure = Measure::hamming, .threshold = {3, 1}, .field_weights = {1000}}.validate()));
}

// What tf-idf weighs, from the definition; documents are lists of features.
std::vector<std::string> naive_tfidf(const std::vector<std::vector<Feature>>& documents) {
  std::map<Feature, long double> frequency;
  long double count = 0;
  for (const auto& document : documents) {
    for (const Feature f : std::set<Feature>(document.begin(), document.end())) ++frequency[f];
    count += document.empty() ? 0 : 1;
  }
  std::vector<std::string> out;
  for (const auto& document : documents) {
    std::map<Feature, long double> weights;
    for (const Feature f : document)
      weights[f] += std::max(1.0L, std::round(65536 * std::log((count + 1) / (frequency[f] + 0.5L))));
    out.push_back(naive_simhash(weights));
  }
  return out;
}

TEST(Tfidf, WeighsFeaturesByTheDocumentsThatHaveThem) {
  base::Random random(2);
  std::vector<NaiveDocument> documents;
  std::vector<std::vector<Feature>> features;
  for (int i = 0; i < 500; ++i) {
    documents.push_back({.id = std::to_string(i), .text = random_words(random, random.below(80), 300)});
    features.push_back(occurrences(documents.back().text, {.length = 1}));
  }
  const std::vector<std::string> expected = naive_tfidf(features);
  for (const unsigned threads : {1u, 2u, 5u}) {
    EXPECT_EQ(written(as_jsonl(documents), {}, {.features = {.length = 1}, .weights = Weights::tfidf}, threads),
              expected);
  }
}

TEST(Tfidf, FindsInDedupAndPairsWhatTheFingerprintsSay) {
  base::Random random(3);
  std::vector<std::string> texts;
  while (texts.size() < 200) {
    const std::string original = random_words(random, 40, 300);
    texts.push_back(original);
    texts.push_back(edited(random, original, random.below(5)));
  }
  std::vector<std::vector<Feature>> features;
  for (const std::string& text : texts) features.push_back(occurrences(text, {.length = 1}));
  const std::vector<std::string> bits = naive_tfidf(features);
  const auto distance = [&](std::size_t a, std::size_t b) {
    return std::popcount(std::stoull(bits[a], nullptr, 16) ^ std::stoull(bits[b], nullptr, 16));
  };
  Definition definition = words_definition(1, Measure::hamming, {6, 1});
  definition.weights = Weights::tfidf;
  std::string expected = "left\tright\tscore\n";
  for (std::size_t a = 0; a < texts.size(); ++a) {
    for (std::size_t b = a + 1; b < texts.size(); ++b) {
      if (distance(a, b) <= 6)
        expected += std::to_string(a) + "\t" + std::to_string(b) + "\t" + std::to_string(distance(a, b)) + "\n";
    }
  }
  EXPECT_GT(expected.size(), 200u);
  const ScratchFolder scratch;
  Context context{.temp_folder = scratch.path()};
  list_pairs(Collection::from_texts(texts), nullptr, {.definition = definition}, {.path = scratch / "pairs.tsv"},
             context);
  EXPECT_EQ(bytes_of(scratch / "pairs.tsv"), expected);

  const IndexPairs found = TextsRun(texts, {.definition = definition}).pairs();
  for (const auto& [a, b] : found) EXPECT_LE(distance(a, b), 6);
  EXPECT_FALSE(found.empty());
}

TEST(Tfidf, CountsBothSidesOfAJoinTogether) {
  const std::vector<std::string> left{"a b c", "b c d"}, right{"a b c", "x y"};
  std::vector<std::string> all = left;
  all.insert(all.end(), right.begin(), right.end());
  Definition definition = words_definition(1, Measure::hamming, {64, 1});
  definition.weights = Weights::tfidf;
  std::vector<std::vector<Feature>> features;
  for (const std::string& text : all) features.push_back(occurrences(text, {.length = 1}));
  const std::vector<std::string> bits = naive_tfidf(features);
  std::string expected = "left\tright\tscore\n";
  for (std::size_t a = 0; a < 2; ++a) {
    for (std::size_t b = 0; b < 2; ++b) {
      const auto differing = std::stoull(bits[a], nullptr, 16) ^ std::stoull(bits[2 + b], nullptr, 16);
      expected += std::to_string(a) + "\t" + std::to_string(b) + "\t" + std::to_string(std::popcount(differing)) + "\n";
    }
  }
  const ScratchFolder scratch;
  Context context{.temp_folder = scratch.path()};
  const Collection other = Collection::from_texts(right);
  list_pairs(Collection::from_texts(left), &other, {.definition = definition}, {.path = scratch / "pairs.tsv"},
             context);
  EXPECT_EQ(bytes_of(scratch / "pairs.tsv"), expected);
}

TEST(Tfidf, IsForSimhashesOnly) { EXPECT_THROW((Definition{.weights = Weights::tfidf}.validate()), Error); }

TEST(Tfidf, SaysWhenTheFeaturesDoNotFitTheMemory) {
  base::Random random(4);
  std::vector<std::string> texts;
  for (int i = 0; i < 2000; ++i) texts.push_back(random_words(random, 100, 1'000'000));
  Definition definition = words_definition(1, Measure::hamming, {3, 1});
  definition.weights = Weights::tfidf;
  try {
    TextsRun(texts, {.definition = definition}, {.memory_bytes = 2u << 20});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::limit);
    EXPECT_THAT(error.what(), HasSubstr("`weights=tfidf`"));
  }
}

TEST(TextRules, MakeOneOfWhatDiffersOnlyInWhatTheyTakeOut) {
  const std::vector<std::string> texts{"log 17 disk is full", "Log 4021, the disk is full", "log disks full again"};
  const auto pairs = [&](const TextRules& rules, Measure measure, Threshold threshold) {
    Definition definition = words_definition(1, measure, threshold);
    definition.text = rules;
    return TextsRun(texts, {.definition = definition}).pairs();
  };
  const TextRules drop{.numbers = Numbers::drop, .stop_words = {"is", "the", "again"}};
  EXPECT_TRUE(pairs({}, Measure::jaccard, {1, 1}).empty());
  EXPECT_EQ(pairs(drop, Measure::jaccard, {1, 1}), (IndexPairs{{0, 1}}));
  EXPECT_EQ(pairs(drop, Measure::edit, {0, 1}), (IndexPairs{{0, 1}}));
  EXPECT_EQ(pairs(drop, Measure::edit, {1, 1}), (IndexPairs{{0, 1}, {0, 2}}));
  TextRules stemmed = drop;
  stemmed.stem = "english";
  EXPECT_EQ(pairs(stemmed, Measure::hamming, {0, 1}), (IndexPairs{{0, 1}, {0, 2}}));
}

TEST(TextRules, DoNotGoWithTextsAsTheyStand) {
  EXPECT_THROW(
      (Definition{.text = {.stem = "en"}, .measure = Measure::edit, .threshold = {1, 1}, .as_is = true}.validate()),
      Error);
}

}  // namespace
}  // namespace neardup::test
