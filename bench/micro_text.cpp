// How fast does text become features and sketches, on each set of kernels this machine runs?
//
// Give NEARDUP_BENCH_TEXT a JSONL file to measure on its "text" fields' raw bytes; without it English-like text is made
// up.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "features/extractor.h"
#include "neardup/fingerprint.h"
#include "simd/dispatch.h"
#include "text/fold.h"

namespace {

using namespace neardup;

struct Corpus {
  std::vector<std::string> texts;
  std::int64_t bytes = 0;
  void add(std::string text) {
    bytes += static_cast<std::int64_t>(text.size());
    texts.push_back(std::move(text));
  }
};

// The value of "text", with escapes left as they stand: near enough for a measurement.
std::string text_field(const std::string& line) {
  const std::size_t key = line.find("\"text\": \"");
  if (key == std::string::npos) return line;
  std::size_t last = key + 9;
  while (last < line.size() && line[last] != '"') last += line[last] == '\\' ? 2 : 1;
  return line.substr(key + 9, std::min(last, line.size()) - key - 9);
}

Corpus made_up(const std::vector<std::string>& alphabet) {
  std::mt19937_64 random{1};
  std::vector<std::string> words(20000);
  for (std::string& word : words) {
    for (std::size_t k = 1 + random() % 4 + random() % 6; k != 0; --k) word += alphabet[random() % alphabet.size()];
  }
  Corpus corpus;
  for (int document = 0; document < 1000; ++document) {
    std::string text;
    for (std::size_t k = 100 + random() % 600; k != 0; --k) {
      text += words[std::min(random() % words.size(), random() % words.size())];
      text += k % 12 == 0 ? ", " : " ";
    }
    corpus.add(std::move(text));
  }
  return corpus;
}

const Corpus& english() {
  static const Corpus corpus = [] {
    Corpus from_file;
    if (const char* path = std::getenv("NEARDUP_BENCH_TEXT")) {
      std::ifstream file{path};
      for (std::string line; from_file.bytes < (64 << 20) && std::getline(file, line);) from_file.add(text_field(line));
    }
    if (!from_file.texts.empty()) return from_file;
    std::vector<std::string> letters;
    for (const char c : std::string{"eeettaaooiinnsshhrrddlcumwfgypbvkEW"}) letters.emplace_back(1, c);
    return made_up(letters);
  }();
  return corpus;
}

const Corpus& quoted() {
  static const Corpus corpus = [] {
    Corpus typographic;
    for (std::string text : english().texts) {
      for (std::size_t at = 0; (at = text.find(' ', at + 100)) != std::string::npos;) text.replace(at, 1, "\u2019");
      typographic.add(std::move(text));
    }
    return typographic;
  }();
  return corpus;
}

const Corpus& russian() {
  static const Corpus corpus = [] {
    std::vector<std::string> letters;
    for (char c = '\xB0'; c != '\xC0'; ++c) letters.push_back(std::string{"\xD0"} + c);
    return made_up(letters);
  }();
  return corpus;
}

const Corpus& chinese() {
  static const Corpus corpus = [] {
    std::vector<std::string> letters;
    for (int c = 0; c < 3000; ++c) {
      letters.push_back(
          {static_cast<char>(0xE4 + c / 4096), static_cast<char>(0xB8 + c / 64 % 8), static_cast<char>(0x80 + c % 64)});
    }
    return made_up(letters);
  }();
  return corpus;
}

void fold(benchmark::State& state, const neardup_kernels* kernels, const Corpus& corpus) {
  text::Folder folder{text::Spacing::words, *kernels};
  std::vector<std::uint64_t> masks;
  for (auto _ : state) {
    for (const std::string& text : corpus.texts) {
      const std::string_view folded = folder.fold(text);
      masks.resize((folded.size() + 63) / 64);
      kernels->word_masks(folded.data(), folded.size(), masks.data());
      benchmark::DoNotOptimize(masks.data());
    }
  }
  state.SetBytesProcessed(state.iterations() * corpus.bytes);
}

void feature_sets(benchmark::State& state, const neardup_kernels* kernels, const Corpus& corpus, FeatureSpec spec) {
  features::Extractor extractor{spec, 0, *kernels};
  std::vector<Feature> out;
  for (auto _ : state) {
    for (const std::string& text : corpus.texts) {
      extractor.set(text, out);
      benchmark::DoNotOptimize(out.data());
    }
  }
  state.SetBytesProcessed(state.iterations() * corpus.bytes);
}

void occurrences(benchmark::State& state, const neardup_kernels* kernels, const Corpus& corpus) {
  features::Extractor extractor{{}, 0, *kernels};
  std::vector<Feature> out;
  for (auto _ : state) {
    for (const std::string& text : corpus.texts) {
      extractor.occurrences(text, out);
      benchmark::DoNotOptimize(out.data());
    }
  }
  state.SetBytesProcessed(state.iterations() * corpus.bytes);
}

std::vector<Feature> random_set(std::size_t size, std::uint64_t seed) {
  std::mt19937_64 random{seed};
  std::vector<Feature> set(size);
  for (Feature& f : set) f = random();
  std::sort(set.begin(), set.end());
  return set;
}

void minhash(benchmark::State& state, const neardup_kernels* kernels) {
  const auto set = random_set(400, 1);
  std::vector<std::uint32_t> multipliers(112), out(112);
  for (std::size_t i = 0; i < multipliers.size(); ++i) multipliers[i] = static_cast<std::uint32_t>(set[i]) | 1;
  for (auto _ : state) {
    kernels->minhash(set.data(), set.size(), multipliers.data(), multipliers.size(), out.data());
    benchmark::DoNotOptimize(out.data());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(set.size()));
}

void overlap(benchmark::State& state, const neardup_kernels* kernels) {
  std::mt19937_64 random{5};
  std::vector<std::vector<Feature>> sets(64, random_set(400, 2));
  for (auto& set : sets) {
    for (Feature& f : set) f = random() % 10 == 0 ? random() : f;
    std::sort(set.begin(), set.end());
  }
  for (auto _ : state) {
    for (std::size_t i = 1; i < sets.size(); ++i) {
      benchmark::DoNotOptimize(kernels->overlap(sets[i - 1].data(), 400, sets[i].data(), 400, 300));
    }
  }
  state.SetItemsProcessed(state.iterations() * 63);
}

void sort_sets(benchmark::State& state) {
  std::mt19937_64 random{5};
  std::vector<std::vector<Feature>> sets(256, std::vector<Feature>(static_cast<std::size_t>(state.range(0))));
  for (auto& set : sets) {
    for (Feature& f : set) f = random();
  }
  std::vector<Feature> features, scratch;
  for (auto _ : state) {
    for (const auto& set : sets) {
      features = set;
      sort_unique(features, scratch);
      benchmark::DoNotOptimize(features.data());
    }
  }
  state.SetItemsProcessed(state.iterations() * 256 * state.range(0));
}

void simhash_sums_of_400(benchmark::State& state) {
  const auto set = random_set(400, 1);
  for (auto _ : state) benchmark::DoNotOptimize(simhash_sums(set));
  state.SetItemsProcessed(state.iterations() * 400);
}

}  // namespace

int main(int argc, char** argv) {
  for (const neardup_kernels* set : simd::available()) {
    const std::string suffix = std::string{"/"} + set->name;
    const auto add = [&](const std::string& name, auto&&... rest) {
      benchmark::RegisterBenchmark((name + suffix).c_str(), rest...);
    };
    add("fold/english", fold, set, english());
    add("fold/quoted", fold, set, quoted());
    add("fold/russian", fold, set, russian());
    add("fold/chinese", fold, set, chinese());
    add("words5/occurrences/english", occurrences, set, english());
    add("words5/set/english", feature_sets, set, english(), FeatureSpec{});
    add("words5/set/quoted", feature_sets, set, quoted(), FeatureSpec{});
    add("words5/set/russian", feature_sets, set, russian(), FeatureSpec{});
    add("words5/set/chinese", feature_sets, set, chinese(), FeatureSpec{});
    add("chars5/set/english", feature_sets, set, english(), FeatureSpec{.kind = FeatureKind::chars});
    add("minhash112", minhash, set);
    add("overlap400", overlap, set);
  }
  benchmark::RegisterBenchmark("sort_unique", sort_sets)->Arg(20)->Arg(100)->Arg(400)->Arg(5000)->Arg(100000);
  benchmark::RegisterBenchmark("simhash_sums", simhash_sums_of_400);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
