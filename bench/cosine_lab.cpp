// Looks at the sums behind simhashes of documents, and prints what it saw as one line of JSON.
//
//   cosine_lab weights FILE MOST [features=words] [weights=tf-idf|tf] [norm=unit|length]   distributions of W and Y
//   cosine_lab pairs FILE MOST [features=words] [weights=tf-idf|tf]   distances of simhashes beside cosines, all pairs
//
// FILE has a document a line, of which the first MOST are taken. A document is a vector of weights: how often each
// feature occurs in it (tf), times ln(documents / documents that have it) with tf-idf, divided by the length of the
// vector (norm=unit) or by the number of occurrences (norm=length). Both projections are looked at.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/random.h"
#include "lab_input.h"
#include "neardup/definition.h"
#include "neardup/error.h"
#include "neardup/features.h"
#include "neardup/fingerprint.h"

namespace {

using namespace neardup;
using namespace neardup::bench;

struct Term {
  std::uint32_t feature;  // its number in the vocabulary
  float weight;
};
using Vector = std::vector<Term>;  // by ascending number
using Sums = std::array<float, 64>;

struct Documents {
  std::vector<Feature> vocabulary;
  std::vector<Vector> vectors;
};

constexpr std::array kProjections = {Projection::signs, Projection::gaussian};

Documents read_documents(const Arguments& arguments) {
  std::ifstream file(arguments.folder);
  if (!file) throw Error(ErrorCode::input, arguments.folder + " cannot be read");
  Documents documents;
  FeatureExtractor extractor(parse_features(arguments.text("features", "words")), 0);
  std::unordered_map<Feature, std::uint32_t> numbers;
  std::vector<std::uint32_t> in_documents;
  std::vector<Feature> features;
  for (std::string line; documents.vectors.size() < arguments.base && std::getline(file, line);) {
    extractor.occurrences(line, features);
    if (features.empty()) continue;
    std::sort(features.begin(), features.end());
    Vector vector;
    for (std::size_t begin = 0, end; begin < features.size(); begin = end) {
      for (end = begin; end < features.size() && features[end] == features[begin];) ++end;
      const auto [found, is_new] = numbers.try_emplace(features[begin], static_cast<std::uint32_t>(numbers.size()));
      if (is_new) {
        documents.vocabulary.push_back(features[begin]);
        in_documents.push_back(0);
      }
      ++in_documents[found->second];
      vector.push_back({found->second, static_cast<float>(end - begin)});
    }
    std::sort(vector.begin(), vector.end(), [](const Term& a, const Term& b) { return a.feature < b.feature; });
    documents.vectors.push_back(std::move(vector));
  }
  if (documents.vectors.size() < 2) throw Error(ErrorCode::usage, "fewer than two documents with features");

  const bool rarity = arguments.text("weights", "tf-idf") == "tf-idf", unit = arguments.text("norm", "unit") == "unit";
  const auto all = static_cast<double>(documents.vectors.size());
  for (Vector& vector : documents.vectors) {
    double squares = 0, occurrences = 0;
    for (Term& term : vector) {
      occurrences += term.weight;
      if (rarity) term.weight *= static_cast<float>(std::log(all / in_documents[term.feature]));
      squares += static_cast<double>(term.weight) * term.weight;
    }
    const double norm = unit ? std::sqrt(squares) : occurrences;
    for (Term& term : vector) term.weight = norm > 0 ? static_cast<float>(term.weight / norm) : 0;
  }
  return documents;
}

double mean_features(const Documents& documents) {
  double features = 0;
  for (const Vector& vector : documents.vectors) features += static_cast<double>(vector.size());
  return features / static_cast<double>(documents.vectors.size());
}

std::vector<Sums> sums_of(const Documents& documents, Projection projection) {
  const double unit = projection == Projection::gaussian ? static_cast<double>(kGaussianUnit) : 1;
  std::vector<Sums> all(documents.vectors.size());
  // A feature's values are asked for once: documents that have it come by one after another.
  std::vector<std::vector<std::pair<std::uint32_t, float>>> having(documents.vocabulary.size());
  for (std::uint32_t i = 0; i < documents.vectors.size(); ++i) {
    for (const Term& term : documents.vectors[i]) having[term.feature].emplace_back(i, term.weight);
  }
  for (std::size_t feature = 0; feature < having.size(); ++feature) {
    const SimhashSums values = simhash_sums({&documents.vocabulary[feature], 1}, projection);
    Sums scaled;
    for (std::size_t bit = 0; bit < 64; ++bit)
      scaled[bit] = static_cast<float>(static_cast<double>(values[bit]) / unit);
    for (const auto& [document, weight] : having[feature]) {
      for (std::size_t bit = 0; bit < 64; ++bit) all[document][bit] += weight * scaled[bit];
    }
  }
  return all;
}

std::uint64_t simhash_of(const Sums& sums) {
  std::uint64_t bits = 0;
  for (unsigned bit = 0; bit < 64; ++bit) bits |= std::uint64_t{sums[bit] >= 0} << bit;
  return bits;
}

// Moments of one quantity in 64 bits, and how often it lies where.
class Distribution {
 public:
  explicit Distribution(double unit) : unit_(unit) {}
  void add(std::size_t bit, double value) {
    ++count_[bit];
    sum_[bit] += value;
    squares_[bit] += value * value;
    fourth_ += value * value * value * value;
    const double at = std::floor(value / unit_ / kStep) + kSteps / 2;
    if (at >= 0 && at < kSteps) ++bins_[static_cast<std::size_t>(at)];
  }
  // Around 0, all bits together.
  [[nodiscard]] double variance() const { return total(squares_) / static_cast<double>(count()); }
  [[nodiscard]] std::string json() const {
    const auto n = static_cast<double>(count());
    double within = 0;  // around each bit's own mean
    for (std::size_t bit = 0; bit < 64; ++bit) {
      const auto each = static_cast<double>(count_[bit]);
      within += squares_[bit] - sum_[bit] * sum_[bit] / each;
    }
    std::vector<std::string> curve;
    for (std::size_t i = 0; i < kSteps; ++i) {
      if (bins_[i] == 0) continue;
      curve.push_back(fmt::format("[{:.2f},{:.3e}]", (static_cast<double>(i) + 0.5 - kSteps / 2) * kStep,
                                  static_cast<double>(bins_[i]) / n / kStep));
    }
    return fmt::format(R"({{"mean":{:.5f},"variance":{:.5f},"within":{:.5f},"kurtosis":{:.4f},"density":[{}]}})",
                       total(sum_) / n, variance(), within / n, fourth_ / n / (variance() * variance()),
                       fmt::join(curve, ","));
  }

 private:
  static constexpr std::size_t kSteps = 160;
  static constexpr double kStep = 0.1;
  [[nodiscard]] static double total(const std::array<double, 64>& each) {
    double all = 0;
    for (const double value : each) all += value;
    return all;
  }
  [[nodiscard]] std::uint64_t count() const {
    std::uint64_t all = 0;
    for (const std::uint64_t each : count_) all += each;
    return all;
  }

  double unit_;
  std::array<std::uint64_t, 64> count_{};
  std::array<double, 64> sum_{}, squares_{};
  double fourth_ = 0;
  std::array<std::uint64_t, kSteps> bins_{};
};

void weights(const Arguments& arguments) {
  constexpr std::size_t kPairs = 100'000;
  const Documents documents = read_documents(arguments);
  const std::uint64_t n = documents.vectors.size();
  std::vector<std::string> parts;
  for (const Projection projection : kProjections) {
    const std::vector<Sums> sums = sums_of(documents, projection);
    Distribution plain(1);
    for (const Sums& each : sums) {
      for (std::size_t bit = 0; bit < 64; ++bit) plain.add(bit, each[bit]);
    }
    const double unit = std::sqrt(plain.variance());  // of both: W's standard deviation
    Distribution w(unit), y(unit);
    for (const Sums& each : sums) {
      for (std::size_t bit = 0; bit < 64; ++bit) w.add(bit, each[bit]);
    }
    base::Random random(1);
    for (std::size_t pair = 0; pair < kPairs; ++pair) {
      const std::uint64_t u = random.below(n), v = (u + 1 + random.below(n - 1)) % n;
      for (std::size_t bit = 0; bit < 64; ++bit) y.add(bit, sums[u][bit] - sums[v][bit]);
    }
    parts.push_back(fmt::format(R"("{}":{{"w":{},"y":{}}})", to_string(projection), w.json(), y.json()));
  }
  fmt::print(R"({{"documents":{},"mean_features":{:.1f},{}}})"
             "\n",
             n, mean_features(documents), fmt::join(parts, ","));
}

double merged_cosine(const Vector& a, const Vector& b) {
  double dot = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i].feature < b[j].feature) {
      ++i;
    } else if (a[i].feature > b[j].feature) {
      ++j;
    } else {
      dot += static_cast<double>(a[i++].weight) * b[j++].weight;
    }
  }
  return dot;
}

double merges_per_second(const Documents& documents) {
  constexpr std::size_t kPairs = 100'000;
  base::Random random(1);
  double sum = 0;
  const double started = cpu_seconds();
  for (std::size_t pair = 0; pair < kPairs; ++pair) {
    sum += merged_cosine(documents.vectors[random.below(documents.vectors.size())],
                         documents.vectors[random.below(documents.vectors.size())]);
  }
  return sum < 0 ? 0 : kPairs / (cpu_seconds() - started);
}

// What is counted of the pairs, by distance and by cosine.
struct Comparison {
  static constexpr std::size_t kBins = 20;  // of cosines 0 to 1
  std::array<std::uint64_t, 65> pairs{}, similar{};
  std::array<double, 65> cosines{};
  std::array<std::uint64_t, kBins> in_bin{};
  std::array<double, kBins> distances{}, expected{};  // expected: 64 angle / pi

  void add(unsigned distance, double cosine, double threshold) {
    ++pairs[distance];
    similar[distance] += cosine >= threshold ? 1 : 0;
    cosines[distance] += cosine;
    const auto bin = std::min(kBins - 1, static_cast<std::size_t>(cosine * kBins));
    ++in_bin[bin];
    distances[bin] += distance;
    expected[bin] += 64 * std::acos(std::min(1.0, cosine)) / 3.14159265358979;
  }
  [[nodiscard]] std::string json() const {
    return fmt::format(
        R"({{"pairs":[{}],"similar":[{}],"cosines":[{:.4f}],"in_bin":[{}],"distances":[{:.1f}],"expected":[{:.1f}]}})",
        fmt::join(pairs, ","), fmt::join(similar, ","), fmt::join(cosines, ","), fmt::join(in_bin, ","),
        fmt::join(distances, ","), fmt::join(expected, ","));
  }
};

void pairs(const Arguments& arguments) {
  const double threshold = arguments.number("threshold", 0.9);
  const Documents documents = read_documents(arguments);
  std::array<std::vector<std::uint64_t>, 2> simhashes;
  for (std::size_t i = 0; i < 2; ++i) {
    for (const Sums& sums : sums_of(documents, kProjections[i])) simhashes[i].push_back(simhash_of(sums));
  }
  std::array<Comparison, 2> found;
  std::vector<Vector> having(documents.vocabulary.size());  // by feature: the documents before, and its weight there
  std::vector<float> cosines(documents.vectors.size());
  for (std::uint32_t i = 0; i < documents.vectors.size(); ++i) {
    std::fill_n(cosines.begin(), i, 0.0f);
    for (const Term& term : documents.vectors[i]) {
      for (const Term& other : having[term.feature]) cosines[other.feature] += term.weight * other.weight;
      having[term.feature].push_back({i, term.weight});
    }
    for (std::uint32_t j = 0; j < i; ++j) {
      for (std::size_t p = 0; p < 2; ++p) {
        found[p].add(static_cast<unsigned>(std::popcount(simhashes[p][i] ^ simhashes[p][j])), cosines[j], threshold);
      }
    }
  }
  fmt::print(R"({{"documents":{},"mean_features":{:.1f},"merges_per_second":{:.0f},"signs":{},"gaussian":{}}})"
             "\n",
             documents.vectors.size(), mean_features(documents), merges_per_second(documents), found[0].json(),
             found[1].json());
}

}  // namespace

int main(int count, char** words) {
  try {
    if (count < 4) throw Error(ErrorCode::usage, "usage: cosine_lab weights|pairs FILE MOST [flag=value...]");
    const Arguments arguments(count, words);
    if (arguments.verb == "weights") {
      weights(arguments);
    } else if (arguments.verb == "pairs") {
      pairs(arguments);
    } else {
      throw Error(ErrorCode::usage, "unknown verb " + arguments.verb);
    }
  } catch (const std::exception& error) {
    fmt::print(stderr, "cosine_lab: {}\n", error.what());
    return 2;
  }
}
