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
#include <utility>
#include <vector>

#include "neardup/cluster.h"
#include "neardup/definition.h"
#include "neardup/features.h"
#include "neardup/sketch.h"

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

// What `chars` cuts and `edit` compares: the words with one space between.
inline std::string naive_line(const std::string& text) {
  std::string line;
  for (const std::string& word : naive_words(text)) line += (line.empty() ? "" : " ") + word;
  return line;
}

inline NaiveSet naive_set(const std::string& text, const FeatureSpec& spec) {
  const std::vector<std::string> words = naive_words(text);
  std::vector<std::string> runs;
  if (spec.kind == FeatureKind::chars) {
    const std::string line = naive_line(text);
    for (std::size_t i = 0; i + spec.length <= line.size(); ++i) runs.push_back(line.substr(i, spec.length));
    if (runs.empty() && !line.empty()) runs.push_back(line);
  } else {
    const std::size_t length = spec.kind == FeatureKind::tokens ? 1 : spec.length;
    const std::size_t count = words.empty() ? 0 : words.size() < length ? 1 : words.size() - length + 1;
    for (std::size_t i = 0; i < count; ++i) {
      std::string run;
      for (std::size_t j = i; j < std::min(words.size(), i + length); ++j) run += words[j] + " ";
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
    case Measure::containment:
      if (o * b >= a * std::min(x, y)) return real(o) / real(std::min(x, y));
      break;
    case Measure::contained:
      if (o * b >= a * x) return real(o) / real(x);
      break;
    case Measure::edit:
    case Measure::hamming:
      break;
  }
  return std::nullopt;
}

// Levenshtein distance, row by row. It is at least the difference of the lengths, which will do where that is more
// than `most`.
inline std::uint64_t naive_distance(const std::string& a, const std::string& b, std::uint64_t most) {
  const std::uint64_t least = std::max(a.size(), b.size()) - std::min(a.size(), b.size());
  if (least > most) return least;
  std::vector<std::uint64_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::uint64_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::uint64_t swapped = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, swapped});
    }
  }
  return row.back();
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

// What a definition sees of a text.
struct NaiveView {
  NaiveSet set;
  std::optional<std::uint64_t> bits;  // hamming only
  std::string string;                 // edit only

  NaiveView(const std::string& text, const Definition& definition) {
    if (definition.measure == Measure::edit) {
      string = definition.as_is ? text : naive_line(text);
      return;
    }
    set = naive_set(text, definition.features);
    if (definition.measure == Measure::hamming) bits = naive_simhash(text, definition);
  }
  friend bool operator==(const NaiveView& a, const NaiveView& b) {
    return a.bits || b.bits ? a.bits == b.bits : a.set == b.set && a.string == b.string;
  }
  [[nodiscard]] bool has_nothing() const { return set.empty() && string.empty(); }
};

inline std::optional<double> naive_score(const Definition& definition, const NaiveView& a, const NaiveView& b) {
  if (a.has_nothing() || b.has_nothing()) return std::nullopt;
  if (!is_distance(definition.measure))
    return naive_score(definition, naive_overlap(a.set, b.set), a.set.size(), b.set.size());
  const std::uint64_t distance = definition.measure == Measure::edit
                                     ? naive_distance(a.string, b.string, definition.threshold.num)
                                     : static_cast<std::uint64_t>(std::popcount(*a.bits ^ *b.bits));
  if (distance > definition.threshold.num) return std::nullopt;
  return static_cast<double>(distance);
}

inline std::string naive_printed(Measure measure, double score) {
  const bool is_integer = measure == Measure::overlap || is_distance(measure);
  char text[64];
  std::snprintf(text, sizeof text, is_integer ? "%.0f" : "%.6f", score);
  return text;
}

// What `pairs` lists: every pair within one collection, or with one side in each of two.
inline std::string naive_pairs_tsv(const std::vector<NaiveDocument>& left, const std::vector<NaiveDocument>* right,
                                   const Definition& definition) {
  std::vector<NaiveView> lefts, rights;
  for (const NaiveDocument& document : left) lefts.emplace_back(document.text, definition);
  for (const NaiveDocument& document : right != nullptr ? *right : left) rights.emplace_back(document.text, definition);
  std::string out = "left\tright\tscore\n";
  for (std::size_t a = 0; a < lefts.size(); ++a) {
    for (std::size_t b = right != nullptr ? 0 : a + 1; b < rights.size(); ++b) {
      const std::optional<double> score = naive_score(definition, lefts[a], rights[b]);
      if (!score) continue;
      out += left[a].id + '\t' + (right != nullptr ? *right : left)[b].id + '\t' +
             naive_printed(definition.measure, *score) + '\n';
    }
  }
  return out;
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
  // The first document with the same features (hamming: fingerprint, edit: string).
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
    std::vector<NaiveView> views;
    for (const NaiveDocument& document : documents_) views.emplace_back(document.text, definition_);
    scores_.resize(size() * size());
    for (std::size_t a = 0; a < size(); ++a) {
      first_copy_.push_back(a);
      for (std::size_t b = 0; b < size(); ++b) {
        if (a == b || views[a].has_nothing()) continue;
        if (b < first_copy_[a] && views[a] == views[b]) first_copy_[a] = b;
        scores_[a * size() + b] = naive_score(definition_, views[a], views[b]);
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
      case KeepRule::Kind::authority:
        break;
    }
    return 0;
  }

  [[nodiscard]] std::string printed(double score) const { return naive_printed(definition_.measure, score); }

  std::vector<NaiveDocument> documents_;
  Definition definition_;
  std::vector<KeepRule> rules_;
  std::vector<std::optional<double>> scores_;  // by both documents
  std::vector<std::size_t> first_copy_, kept_for_;
};

}  // namespace neardup::test
