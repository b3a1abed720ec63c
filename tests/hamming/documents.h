// Documents that resemble each other, as their simhashes and how firm these are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/random.h"
#include "neardup/sketch.h"

namespace neardup::hamming::test {

struct Simhashes {
  std::vector<std::uint64_t> bits;
  std::vector<Volatility> volatility;
};

// Features of a vocabulary in which some are much more frequent than others.
class DocumentMaker {
 public:
  explicit DocumentMaker(std::uint64_t seed, Projection projection = Projection::signs)
      : random_(seed), projection_(projection) {}

  // 60 to 260 features, some of them several times.
  std::vector<Feature> fresh() {
    std::vector<Feature> features;
    for (std::uint64_t left = 60 + random_.below(200); left > 0; --left) add(features);
    return features;
  }
  // A few features added, removed or replaced.
  std::vector<Feature> edited(std::vector<Feature> features) {
    for (std::uint64_t edits = random_.below(1 + features.size() / 16); edits > 0; --edits) {
      const std::uint64_t kind = random_.below(3);
      if (kind != 0) features.erase(features.begin() + static_cast<std::ptrdiff_t>(random_.below(features.size())));
      if (kind != 1) add(features);
    }
    return features;
  }
  void append(const std::vector<Feature>& features, Simhashes& to) {
    const SimhashSums sums = simhash_sums(features, projection_);
    to.bits.push_back(simhash(sums).bits);
    to.volatility.push_back(volatility(sums, features, projection_, scratch_));
  }
  base::Random& random() { return random_; }

 private:
  void add(std::vector<Feature>& features) {
    const std::uint64_t rare = 1 + random_.below(50000), frequent = 1 + random_.below(rare);
    const Feature feature = base::mix64(frequent * 0x9E3779B97F4A7C15u);
    for (std::uint64_t times = 1 + random_.below(8) / 6; times > 0; --times) features.push_back(feature);
  }

  base::Random random_;
  Projection projection_;
  std::vector<Feature> scratch_;
};

// Queries, and rows among which about half of the queries have one to four like them; `others` rows resemble nothing.
struct Documents {
  Simhashes rows, queries;
};
inline Documents make_documents(std::uint64_t seed, std::size_t queries, std::size_t others,
                                Projection projection = Projection::signs) {
  DocumentMaker maker(seed, projection);
  Documents documents;
  for (std::size_t i = 0; i < queries; ++i) {
    const std::vector<Feature> original = maker.fresh();
    const std::uint64_t copies = maker.random().below(2) * (1 + maker.random().below(4));
    for (std::uint64_t copy = 0; copy < copies; ++copy) maker.append(maker.edited(original), documents.rows);
    maker.append(maker.edited(original), documents.queries);
  }
  for (std::size_t i = 0; i < others; ++i) documents.rows.bits.push_back(maker.random().next());
  return documents;
}

}  // namespace neardup::hamming::test
