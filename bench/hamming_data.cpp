// Makes fingerprints of synthetic documents, many of them near-duplicates, with the weights behind the queries' bits.
//
//   hamming_data FOLDER BASE QUERIES [SEED]
//
// Writes FOLDER/data/base60.bin (64-bit simhashes), q.bin (the queries') and w.bin (64 floats a query: its sums divided
// by the norm of its weights), the names and layout that the prototypes of the search read.
//
// A document is a list of tokens from a vocabulary whose ranks are spread evenly on a logarithmic scale; a token weighs
// its idf times a heavy-tailed term frequency. One document in seventeen is the start of a cluster of mutations with a
// heavy-tailed size; one query in seven has such a cluster among the base.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
  }
  double unit() { return static_cast<double>((next() >> 11) + 1) * 0x1p-53; }  // (0, 1]
  std::uint64_t below(std::uint64_t n) { return next() % n; }
  bool chance(double p) { return unit() <= p; }

 private:
  std::uint64_t state_;
};

struct Occurrence {
  std::uint64_t hash;
  std::int32_t weight;
};
using Document = std::vector<Occurrence>;
using Sums = std::array<std::int32_t, 64>;

class Writer {  // of documents
 public:
  explicit Writer(std::uint64_t seed) : random_(seed) {
    constexpr double kFirstRank = 100, kWords = 1e6, kTokensPerDocument = 141;
    for (Token& token : vocabulary_) {
      const double rank = kFirstRank * std::pow(kWords / kFirstRank, random_.unit());
      const double share = kTokensPerDocument / (rank * std::log(kWords / kFirstRank));
      token = {Random(static_cast<std::uint64_t>(rank)).next(), -std::log(std::min(share, 0.9))};
    }
    for (std::size_t i = 0; i < frequencies_.size(); ++i) {
      const double quantile = (static_cast<double>(i) + 0.5) / static_cast<double>(frequencies_.size());
      const double count = std::min(60.0, std::floor(std::pow(quantile, -1 / 1.3)));
      frequencies_[i] = (1 + std::log(count)) * (count > 8 ? 1.5 : 1);
    }
  }

  void fresh(Document& document) {
    const double normal = std::sqrt(-2 * std::log(random_.unit())) * std::cos(6.283185307179586 * random_.unit());
    document.resize(static_cast<std::size_t>(std::clamp(125 * std::exp(0.5 * normal), 30.0, 600.0)));
    for (Occurrence& token : document) token = occurrence();
  }

  // Some tokens removed, added or replaced; now and then none.
  void mutate(const Document& from, Document& to) {
    to = from;
    if (random_.chance(0.08)) return;
    const auto edits =
        1 + static_cast<std::size_t>(-0.03 * static_cast<double>(from.size()) * std::log(random_.unit()));
    for (std::size_t i = 0; i < edits; ++i) {
      const std::size_t at = random_.below(to.size());
      switch (random_.below(3)) {
        case 0:
          if (to.size() > 10) {
            to[at] = to.back();
            to.pop_back();
          }
          break;
        case 1:
          to.push_back(occurrence());
          break;
        default:
          to[at] = occurrence();
      }
    }
  }

  std::size_t cluster_size(double exponent, std::size_t most) {
    return std::min(most, static_cast<std::size_t>(std::pow(random_.unit(), -1 / exponent)));
  }
  Random& random() { return random_; }

 private:
  struct Token {
    std::uint64_t hash = 0;
    double rarity = 0;
  };
  Occurrence occurrence() {
    const std::uint64_t bits = random_.next();
    const Token& token = vocabulary_[bits % vocabulary_.size()];
    const double weight = token.rarity * frequencies_[(bits >> 32) % frequencies_.size()];
    return {token.hash, static_cast<std::int32_t>(std::lround(weight * 64))};
  }

  Random random_;
  std::vector<Token> vocabulary_ = std::vector<Token>(1u << 18);
  std::array<double, 1024> frequencies_{};
};

// Eight bits at a time: a table gives their signs as a vector.
using Lanes __attribute__((vector_size(32))) = std::int32_t;

Sums sums_of(const Document& document) {
  static const std::vector<Lanes> signs = [] {
    std::vector<Lanes> table(256);
    for (int byte = 0; byte < 256; ++byte) {
      for (int bit = 0; bit < 8; ++bit) table[byte][bit] = (byte >> bit & 1) != 0 ? 1 : -1;
    }
    return table;
  }();
  std::array<Lanes, 8> lanes{};
  for (const auto [hash, weight] : document) {
    for (unsigned byte = 0; byte < 8; ++byte) lanes[byte] += signs[hash >> 8 * byte & 255] * weight;
  }
  return std::bit_cast<Sums>(lanes);
}

std::uint64_t simhash(const Sums& sums) {
  std::uint64_t bits = 0;
  for (unsigned bit = 0; bit < 64; ++bit) bits |= std::uint64_t{sums[bit] >= 0} << bit;
  return bits;
}

template <class T>
void write_file(const std::filesystem::path& path, const std::vector<T>& values) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr || std::fwrite(values.data(), sizeof(T), values.size(), file) != values.size() ||
      std::fclose(file) != 0) {
    std::perror(path.c_str());
    std::exit(1);
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 4) {
    std::fprintf(stderr, "usage: hamming_data FOLDER BASE QUERIES [SEED]\n");
    return 2;
  }
  const std::filesystem::path folder = std::filesystem::path(arguments[1]) / "data";
  const std::size_t base_size = std::strtoull(arguments[2], nullptr, 10);
  const std::size_t query_count = std::strtoull(arguments[3], nullptr, 10);
  Writer writer(count > 4 ? std::strtoull(arguments[4], nullptr, 10) : 1);
  std::filesystem::create_directories(folder);

  std::vector<std::uint64_t> base, queries;
  std::vector<float> weights;
  base.reserve(base_size);
  Document original, variant;
  const auto plant = [&](std::size_t copies) {
    for (std::size_t i = 0; i < copies && base.size() < base_size; ++i) {
      writer.mutate(original, variant);
      base.push_back(simhash(sums_of(variant)));
    }
  };
  for (std::size_t i = 0; i < query_count; ++i) {
    writer.fresh(original);
    variant = original;
    if (writer.random().chance(0.15)) {
      plant(writer.cluster_size(1.3, 200));
      writer.mutate(original, variant);
    }
    const Sums sums = sums_of(variant);
    double norm = 0;
    for (const Occurrence& each : variant) norm += static_cast<double>(each.weight) * each.weight;
    for (const std::int32_t sum : sums) weights.push_back(static_cast<float>(sum / std::sqrt(norm)));
    queries.push_back(simhash(sums));
  }
  while (base.size() < base_size) {
    writer.fresh(original);
    if (writer.random().chance(0.06)) {
      plant(writer.cluster_size(1.1, 1000));
    } else {
      base.push_back(simhash(sums_of(original)));
    }
  }
  for (std::size_t i = base.size(); i > 1; --i) std::swap(base[i - 1], base[writer.random().below(i)]);
  write_file(folder / "base60.bin", base);
  write_file(folder / "q.bin", queries);
  write_file(folder / "w.bin", weights);
}
