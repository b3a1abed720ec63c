// What the answer must be, worked out document by document from the definitions alone.
//
// Nothing here is clever and nothing is shared with the library: features are strings, pairs are compared in exact
// fractions, clusters are made of documents and not of distinct sets. Only ASCII text is understood.
#pragma once

#include <algorithm>
#include <bit>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "neardup/cluster.h"
#include "neardup/definition.h"
#include "neardup/features.h"
#include "neardup/fingerprint.h"

namespace neardup::test {

struct NaiveDocument {
  std::string id, text;
  std::optional<std::string> rank{};  // the field that keep rules ask for: digits, or something unreadable
};

using NaiveSet = std::set<std::string>;

inline std::vector<std::string> naive_words(const std::string& text) {
  std::vector<std::string> words;
  bool inside = false;
  for (const char c : text) {
    const bool is_word = std::isalnum(static_cast<unsigned char>(c)) != 0;
    if (is_word && !inside) words.emplace_back();
    if (is_word) words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    inside = is_word;
  }
  return words;
}

inline NaiveSet naive_set(const std::string& text, const FeatureSpec& spec) {
  const std::vector<std::string> words = naive_words(text);
  std::vector<std::string> runs;
  if (spec.kind == FeatureKind::chars) {
    std::string line;
    for (const std::string& word : words) line += (line.empty() ? "" : " ") + word;
    for (std::size_t i = 0; i + spec.length <= line.size(); ++i) runs.push_back(line.substr(i, spec.length));
    if (runs.empty() && !line.empty()) runs.push_back(line);
  } else {
    const std::size_t count = words.empty() ? 0 : words.size() < spec.length ? 1 : words.size() - spec.length + 1;
    for (std::size_t i = 0; i < count; ++i) {
      std::string run;
      for (std::size_t j = i; j < std::min<std::size_t>(words.size(), i + spec.length); ++j) run += words[j] + " ";
      runs.push_back(run);
    }
  }
  NaiveSet set;
  for (const std::string& run : runs) {
    int repeat = 1;
    while (!set.insert(run + "#" + std::to_string(repeat)).second && spec.bag) ++repeat;
  }
  return set;
}

inline std::uint64_t naive_overlap(const NaiveSet& a, const NaiveSet& b) {
  return static_cast<std::uint64_t>(std::count_if(a.begin(), a.end(), [&](const auto& f) { return b.contains(f); }));
}

// The score when two sets meet the threshold.
inline std::optional<double> naive_score(const Definition& definition, std::uint64_t o, std::uint64_t x,
                                         std::uint64_t y) {
  using Wide = unsigned __int128;
  const Wide a = definition.threshold.num, b = definition.threshold.den;
  const auto real = [](std::uint64_t n) { return static_cast<double>(n); };
  if (o == 0) return std::nullopt;
  switch (definition.measure) {
    case Measure::jaccard:
      if (o * b >= a * (x + y - o)) return real(o) / real(x + y - o);
      break;
    case Measure::dice:
      if (2 * o * b >= a * (x + y)) return 2 * real(o) / real(x + y);
      break;
    case Measure::cosine:
      if (Wide{o} * o * b * b >= a * a * x * y) return real(o) / std::sqrt(real(x) * real(y));
      break;
    case Measure::overlap:
      if (o * b >= a) return real(o);
      break;
    case Measure::hamming:
      break;
  }
  return std::nullopt;
}

// Bit by bit, from the features' documented hashes.
inline std::optional<std::uint64_t> naive_simhash(const std::string& text, const Definition& definition) {
  FeatureExtractor extractor(definition.features, definition.hash_seed);
  std::vector<Feature> features;
  extractor.occurrences(text, features);
  if (definition.weights == Weights::binary) {
    std::sort(features.begin(), features.end());
    features.erase(std::unique(features.begin(), features.end()), features.end());
  }
  if (features.empty()) return std::nullopt;
  std::uint64_t bits = 0;
  for (int bit = 0; bit < 64; ++bit) {
    std::int64_t sum = 0;
    for (const Feature feature : features) sum += (feature >> bit & 1) != 0 ? 1 : -1;
    if (sum >= 0) bits |= std::uint64_t{1} << bit;
  }
  return bits;
}

// The whole job on a small collection.
class Naive {
 public:
  Naive(std::vector<NaiveDocument> documents, const Definition& definition, ClusterKind kind,
        std::vector<KeepRule> rules = {KeepRule{}})
      : documents_(std::move(documents)), definition_(definition), rules_(std::move(rules)) {
    compare_all();
    std::vector<std::size_t> order(size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return prefers(a, b).second; });
    kept_for_.resize(size());
    if (kind == ClusterKind::components) components(order);
    if (kind == ClusterKind::star) star(order);
    if (kind == ClusterKind::complete) complete(order);
  }

  [[nodiscard]] std::size_t size() const { return documents_.size(); }
  [[nodiscard]] bool is_kept(std::size_t i) const { return kept_for_[i] == i; }
  [[nodiscard]] std::optional<double> score(std::size_t a, std::size_t b) const { return scores_[a * size() + b]; }
  // The first document with the same features (for hamming: the same fingerprint).
  [[nodiscard]] std::size_t first_copy(std::size_t i) const { return first_copy_[i]; }
  // True pairs of distinct feature sets, by their first documents.
  [[nodiscard]] std::set<std::pair<std::size_t, std::size_t>> distinct_pairs() const {
    std::set<std::pair<std::size_t, std::size_t>> pairs;
    for (std::size_t a = 0; a < size(); ++a) {
      for (std::size_t b = a + 1; b < size(); ++b) {
        if (first_copy_[a] == a && first_copy_[b] == b && score(a, b)) pairs.emplace(a, b);
      }
    }
    return pairs;
  }

  [[nodiscard]] std::string pairs_tsv() const {
    std::string out = "left\tright\tscore\n";
    for (std::size_t a = 0; a < size(); ++a) {
      for (std::size_t b = a + 1; b < size(); ++b) {
        const bool firsts = first_copy_[a] == a && first_copy_[b] == b;
        const bool copies = first_copy_[a] == a && first_copy_[b] == a;
        if ((firsts || copies) && score(a, b)) {
          out += documents_[a].id + '\t' + documents_[b].id + '\t' + printed(*score(a, b)) + '\n';
        }
      }
    }
    return out;
  }

  [[nodiscard]] std::string clusters_tsv() const {
    std::string out = "cluster\tid\tkept\n";
    std::set<std::size_t> done;
    for (std::size_t i = 0; i < size(); ++i) {
      if (!done.insert(kept_for_[i]).second) continue;
      if (std::count(kept_for_.begin(), kept_for_.end(), kept_for_[i]) < 2) continue;
      for (std::size_t j = 0; j < size(); ++j) {
        if (kept_for_[j] != kept_for_[i]) continue;
        out += documents_[kept_for_[i]].id + '\t' + documents_[j].id + (is_kept(j) ? "\t1\n" : "\t0\n");
      }
    }
    return out;
  }

  [[nodiscard]] std::string removed_jsonl() const {
    std::string out;
    for (std::size_t i = 0; i < size(); ++i) {
      if (is_kept(i)) continue;
      const std::size_t kept = kept_for_[i];
      out += "{\"id\":\"" + documents_[i].id + "\",\"kept\":\"" + documents_[kept].id +
             "\",\"score\":" + (score(i, kept) ? printed(*score(i, kept)) : "null") + ",\"rule\":\"" +
             prefers(kept, i).first + "\",\"cluster\":\"" + documents_[kept].id + "\"}\n";
    }
    return out;
  }

 private:
  void compare_all() {
    const bool is_hamming = definition_.measure == Measure::hamming;
    std::vector<NaiveSet> sets;
    std::vector<std::optional<std::uint64_t>> bits;
    for (const NaiveDocument& document : documents_) {
      sets.push_back(naive_set(document.text, definition_.features));
      bits.push_back(is_hamming ? naive_simhash(document.text, definition_) : std::nullopt);
    }
    scores_.resize(size() * size());
    for (std::size_t a = 0; a < size(); ++a) {
      first_copy_.push_back(a);
      for (std::size_t b = 0; b < size(); ++b) {
        if (sets[a].empty() || sets[b].empty() || a == b) continue;
        if (b < first_copy_[a] && (is_hamming ? bits[a] == bits[b] : sets[a] == sets[b])) first_copy_[a] = b;
        auto& score = scores_[a * size() + b];
        if (is_hamming) {
          const int distance = std::popcount(*bits[a] ^ *bits[b]);
          if (static_cast<std::uint64_t>(distance) <= definition_.threshold.num) score = distance;
        } else {
          score = naive_score(definition_, naive_overlap(sets[a], sets[b]), sets[a].size(), sets[b].size());
        }
      }
    }
  }

  void components(const std::vector<std::size_t>& order) {
    std::vector<bool> reached(size());
    for (const std::size_t centre : order) {
      if (reached[centre]) continue;
      std::vector<std::size_t> waiting{centre};
      reached[centre] = true;
      while (!waiting.empty()) {
        const std::size_t at = waiting.back();
        waiting.pop_back();
        kept_for_[at] = centre;
        for (std::size_t next = 0; next < size(); ++next) {
          if (reached[next] || !score(at, next)) continue;
          reached[next] = true;
          waiting.push_back(next);
        }
      }
    }
  }

  void star(const std::vector<std::size_t>& order) {
    std::vector<bool> taken(size());
    for (const std::size_t centre : order) {
      if (taken[centre]) continue;
      taken[centre] = true;
      kept_for_[centre] = centre;
      for (std::size_t i = 0; i < size(); ++i) {
        if (taken[i] || !score(centre, i)) continue;
        taken[i] = true;
        kept_for_[i] = centre;
      }
    }
  }

  void complete(const std::vector<std::size_t>& order) {
    std::vector<std::vector<std::size_t>> clusters;
    for (const std::size_t document : order) {
      const auto near = [&](std::size_t member) { return score(document, member).has_value(); };
      const auto home = std::find_if(clusters.begin(), clusters.end(), [&](const std::vector<std::size_t>& members) {
        return std::all_of(members.begin(), members.end(), near);
      });
      if (home == clusters.end()) {
        clusters.push_back({document});
        kept_for_[document] = document;
      } else {
        home->push_back(document);
        kept_for_[document] = home->front();
      }
    }
  }

  // The rule that decides between two documents, and whether the first is preferred.
  [[nodiscard]] std::pair<std::string, bool> prefers(std::size_t a, std::size_t b) const {
    for (const KeepRule& rule : rules_) {
      const double x = value(rule, a), y = value(rule, b);
      if (x != y) return {to_string(rule), x > y};
    }
    return {"first", a < b};
  }

  [[nodiscard]] double value(const KeepRule& rule, std::size_t i) const {
    const auto row = static_cast<double>(i), length = static_cast<double>(documents_[i].text.size());
    const std::optional<std::string>& rank = documents_[i].rank;
    const bool is_number = rank && !rank->empty() && std::all_of(rank->begin(), rank->end(), [](char c) {
                             return std::isdigit(static_cast<unsigned char>(c)) != 0;
                           });
    switch (rule.kind) {
      case KeepRule::Kind::first:
        return -row;
      case KeepRule::Kind::last:
        return row;
      case KeepRule::Kind::longest:
        return length;
      case KeepRule::Kind::shortest:
        return -length;
      case KeepRule::Kind::max:
        return is_number ? std::atof(rank->c_str()) : -HUGE_VAL;
      case KeepRule::Kind::min:
        return is_number ? -std::atof(rank->c_str()) : -HUGE_VAL;
      case KeepRule::Kind::prefer:
        return !rank ? 0 : *rank == rule.value ? 2 : 1;
      case KeepRule::Kind::newest:
      case KeepRule::Kind::oldest:
        break;
    }
    return 0;
  }

  [[nodiscard]] std::string printed(double score) const {
    const bool is_integer = definition_.measure == Measure::overlap || definition_.measure == Measure::hamming;
    char text[64];
    std::snprintf(text, sizeof text, is_integer ? "%.0f" : "%.6f", score);
    return text;
  }

  std::vector<NaiveDocument> documents_;
  Definition definition_;
  std::vector<KeepRule> rules_;
  std::vector<std::optional<double>> scores_;  // by both documents
  std::vector<std::size_t> first_copy_, kept_for_;
};

}  // namespace neardup::test
