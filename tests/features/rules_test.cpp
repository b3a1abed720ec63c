// Features of texts under rules equal those of the words that simple code leaves over.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "base/utf8.h"
#include "features/rarity.h"
#include "neardup/error.h"
#include "neardup/features.h"
#include "neardup/text_rules.h"
#include "text/unicode.h"

namespace neardup {
namespace {

std::vector<char32_t> code_points(const std::string& word) {
  std::vector<char32_t> out;
  for (const char *at = word.data(), *end = at + word.size(); at != end;) out.push_back(base::decode(at, end));
  return out;
}

// The rules for words, on a list of words, without stems.
std::vector<std::string> naive_rules(const std::vector<std::string>& words, const TextRules& rules) {
  std::vector<std::string> out;
  for (std::string word : words) {
    std::vector<char32_t> points = code_points(word);
    const bool spaceless = text::kind_of(points.front()) == text::Kind::spaceless;
    if (std::all_of(points.begin(), points.end(), text::is_number)) {
      if (rules.numbers == Numbers::drop) continue;
      if (rules.numbers == Numbers::fold) {
        word = "0";
        points = {U'0'};
      }
    }
    if (points.size() < rules.min_word && !spaceless) continue;
    const auto is_word = [&](const std::string& stop) { return neardup::words(stop).front() == word; };
    if (std::any_of(rules.stop_words.begin(), rules.stop_words.end(), is_word)) continue;
    out.push_back(word);
  }
  return out;
}

std::string random_words(std::mt19937_64& random) {
  static const std::vector<std::string> kPieces = {
      "the",    "The",    "of",     "fox",    "12",      "7",      "x",      "b2",     " ",          " ",
      ", ",     "-",      "\n",     "\u00E9", "e\u0301", "\u0301", "\u6F22", "\u5B57", "\u7684",     "\u0E01",
      "\u0E49", "\u0E51", "\u304B", "\u3099", "\u00BD",  "\uFB01", "\u0661", "\u00AD", "\U0001D7D8", "\u1100\u1161",
      "<\u0338"};
  std::string text;
  for (auto n = random() % 30; n > 0; --n) text += kPieces[random() % kPieces.size()];
  return text;
}

TextRules random_rules(std::mt19937_64& random) {
  TextRules rules;
  rules.numbers = static_cast<Numbers>(random() % 3);
  rules.min_word = static_cast<unsigned>(random() % 4);
  for (const char* word : {"THE", "of", "\u7684", "0", "e\u0301", "\u0E01\u0E49"}) {
    if (random() % 3 == 0) rules.stop_words.emplace_back(word);
  }
  return rules;
}

std::vector<Feature> features_of(const std::string& text, const FeatureSpec& spec, const TextRules& rules = {}) {
  FeatureExtractor extractor{spec, 0, rules};
  std::vector<Feature> out;
  extractor.occurrences(text, out);
  return out;
}

TEST(RuledWords, AreThoseThatSimpleCodeLeavesOver) {
  std::mt19937_64 random{1};
  for (int round = 0; round < 3000; ++round) {
    const std::string text = random_words(random);
    const TextRules rules = random_rules(random);
    std::string left;
    for (const std::string& word : naive_rules(words(text), rules)) left += word + " ";
    for (const unsigned length : {1u, 3u}) {
      const FeatureSpec spec{.kind = FeatureKind::words, .length = length};
      ASSERT_EQ(features_of(text, spec, rules), features_of(left, spec)) << text << " | " << describe(rules);
    }
  }
}

TEST(RuledStrings, HaveTheWordsThatAreLeftAndNoOthers) {
  std::mt19937_64 random{2};
  const FeatureSpec spec{.kind = FeatureKind::chars, .length = 3};
  for (int round = 0; round < 3000; ++round) {
    const std::string text = random_words(random);
    const TextRules rules = random_rules(random);
    FeatureExtractor extractor{spec, 0, rules};
    const std::string string = extractor.string(text);
    ASSERT_EQ(words(string), naive_rules(words(text), rules)) << text << " | " << describe(rules);
    ASSERT_EQ(string, folded_text(string)) << "spaces are single, ends are trimmed";
    ASSERT_EQ(features_of(text, spec, rules), features_of(string, spec));
  }
}

TEST(RuledStrings, KeepCharactersTogetherThatStoodTogether) {
  FeatureExtractor extractor{{.kind = FeatureKind::chars, .length = 3}, 0, {.numbers = Numbers::fold}};
  EXPECT_EQ(extractor.string("  \u6F22\u5B57 12,\u304B\u304Bx "), "\u6F22\u5B57 0 \u304B\u304Bx");
}

TEST(Rules, ThatDoNothingChangeNothing) {
  std::mt19937_64 random{3};
  for (int round = 0; round < 300; ++round) {
    const std::string text = random_words(random);
    for (const FeatureKind kind : {FeatureKind::words, FeatureKind::chars}) {
      const FeatureSpec spec{.kind = kind, .length = 2};
      ASSERT_EQ(features_of(text, spec, {.stop_words = {"nobody"}}), features_of(text, spec)) << text;
    }
  }
}

TEST(Rules, StripBeforeAnythingElse) {
  const FeatureSpec spec{.kind = FeatureKind::words, .length = 2};
  EXPECT_EQ(features_of("ERR-17 disk full", spec, {.strip = {"[A-Z]+-[0-9]+"}}), features_of("disk full", spec));
}

TEST(Rules, ThatAreWrongAreRefused) { EXPECT_THROW(FeatureExtractor({}, 0, {.strip = {"["}}), Error); }

TEST(Rarity, EqualsTheLogarithmToOneUnit) {
  std::mt19937_64 random{4};
  const auto check = [](std::uint64_t documents, std::uint64_t frequency) {
    const long double ratio = (static_cast<long double>(documents) + 1) / (static_cast<long double>(frequency) + 0.5L);
    const long double expected = std::max(1.0L, std::round(65536 * std::log(ratio)));
    ASSERT_NEAR(static_cast<double>(features::rarity(documents, frequency)), static_cast<double>(expected), 1)
        << documents << " " << frequency;
  };
  for (std::uint64_t documents = 1; documents < 200; ++documents) {
    for (std::uint64_t frequency = 0; frequency <= documents; ++frequency) check(documents, frequency);
  }
  for (int round = 0; round < 20'000; ++round) {
    const std::uint64_t documents = random() >> (3 + random() % 60);
    check(documents, documents == 0 ? 0 : random() % (documents + 1));
  }
}

TEST(Rarity, IsTheSameEverywhere) {
  EXPECT_EQ(features::rarity(1, 1), 18854u);              // ln(2 / 1.5)
  EXPECT_EQ(features::rarity(1000, 1), 426200u);          // ln(1001 / 1.5)
  EXPECT_EQ(features::rarity(1'000'000, 1'000'000), 1u);  // even what is everywhere weighs something
}

TEST(Rarity, NeverGrowsWithTheFrequency) {
  for (std::uint64_t frequency = 1; frequency <= 5000; ++frequency)
    ASSERT_LE(features::rarity(5000, frequency), features::rarity(5000, frequency - 1));
}

TEST(FeatureFrequencies, CountWhatAMapCounts) {
  std::mt19937_64 random{5};
  FeatureFrequencies table{std::size_t{64} << 20};
  std::map<Feature, std::uint64_t> counts;
  std::uint64_t documents = 0;
  for (int batch = 0; batch < 200; ++batch) {
    std::vector<Feature> features;
    for (int document = 0; document < 10; ++document, ++documents) {
      std::vector<Feature> set;
      for (auto n = 1 + random() % 100; n > 0; --n) set.push_back(random() % (1u << (1 + random() % 16)));
      std::sort(set.begin(), set.end());
      set.erase(std::unique(set.begin(), set.end()), set.end());
      for (const Feature f : set) ++counts[f];
      features.insert(features.end(), set.begin(), set.end());
    }
    table.add_sets(features, 10);
  }
  table.finish();
  EXPECT_EQ(table.documents(), documents);
  EXPECT_EQ(table.features(), counts.size());
  for (const auto& [feature, count] : counts) ASSERT_EQ(table.weight(feature), features::rarity(documents, count));
  EXPECT_EQ(table.weight(Feature{1} << 60), features::rarity(documents, 0));
}

std::uint64_t hash_of(const std::vector<std::vector<Feature>>& documents) {
  FeatureFrequencies table{std::size_t{64} << 20};
  for (const auto& document : documents) table.add(document);
  table.finish();
  return table.hash();
}

TEST(FeatureFrequencies, HaveAHashThatDependsOnNothingElse) {
  EXPECT_EQ(hash_of({{1, 2}, {2, 3}}), hash_of({{2, 3}, {1, 2}}));
  EXPECT_NE(hash_of({{1, 2}, {2, 3}}), hash_of({{1, 2}, {1, 3}}));
  EXPECT_NE(hash_of({{1, 2}}), hash_of({{1}, {2}}));
}

TEST(FeatureFrequencies, StopWhereMemoryEnds) {
  FeatureFrequencies table{std::size_t{1} << 20};
  std::vector<Feature> features(200'000);
  for (std::size_t i = 0; i < features.size(); ++i) features[i] = i;
  try {
    table.add(features);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::limit);
    EXPECT_EQ(error.option(), "memory");
  }
}

}  // namespace
}  // namespace neardup
