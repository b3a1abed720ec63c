// How does a probabilistic search learn, from its own queries, which bits flip and where to stop?
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "hamming/flip_model.h"
#include "neardup/context.h"
#include "neardup/hamming.h"

namespace neardup::hamming {

// No query looks in more places than this, whatever the target.
inline constexpr std::size_t kMostPlaces = 4096;
// Fingerprints of one place that are compared; a place holds more only when fingerprints are far from uniform.
inline constexpr std::size_t kMostOfAPlace = std::size_t{1} << 16;

// Warns the observer that buckets were too full.
void warn_of_crowds(std::uint64_t times, const Context&);

// Throws Error{usage} when the queries do not say how firm their bits are.
void check_volatility(const HammingQueries&, std::string_view kind);
// Throws Error{usage} unless the target is above 0 and at most 1.
void check_target(double target);

// Some of the queries, with what is known of them: at most 65536, taken from all over.
class QuerySample {
 public:
  explicit QuerySample(const HammingQueries&);
  [[nodiscard]] std::size_t size() const { return bits_.size(); }
  [[nodiscard]] HammingQueries queries() const { return {bits_, volatility_}; }

 private:
  std::vector<std::uint64_t> bits_;
  std::vector<Volatility> volatility_;
};

// Pairs found for a sample's queries [first, last). Keeps at most 256 of a query.
class AlikePairs {
 public:
  AlikePairs(std::size_t first, std::size_t last) : first_(first), counts_(last - first) {}
  void add(std::uint64_t query, std::uint64_t differing, std::uint64_t rows) {
    constexpr std::uint32_t kMost = 256;
    if (counts_[query - first_] == kMost) return;
    ++counts_[query - first_];
    pairs_.push_back({query, differing, rows});
  }
  [[nodiscard]] const std::vector<AlikePair>& pairs() const { return pairs_; }

 private:
  std::size_t first_;
  std::vector<std::uint32_t> counts_;
  std::vector<AlikePair> pairs_;
};

struct SampledPairs {
  std::vector<AlikePair> pairs;  // sorted by query
  std::size_t queries = 0;       // that have any partner that is not equal
  // Too few to learn from.
  [[nodiscard]] bool too_few() const { return queries < 30; }
};

// Searches for the sample's queries, piece after piece on all threads, until `enough` of them have a partner.
// find(first, last, pairs) searches for a few of them.
using FindAlike = std::function<void(std::size_t first, std::size_t last, AlikePairs&)>;
inline constexpr std::size_t kEnoughPartners = 800;
SampledPairs sample_pairs(std::size_t sample_size, std::size_t enough, const FindAlike& find, const Context&);

// Warns the observer that the target recall could not be aimed at.
void warn_of_few(const SampledPairs&, std::size_t sample_size, const Context&);

}  // namespace neardup::hamming
