// Which true partners does a sample of documents have in the whole collection?
//
// The sampled sets are indexed once; then every document of the collection is held against them. A prefix filter keeps
// this cheap: order all features by how many sampled sets hold them, those in none first. Two sets that reach the
// threshold share a feature among the first n - min_overlap_any(n) + 1 of each, so a document most of whose features no
// sampled set holds is dismissed without a look at any set. What is left is compared in full: the answer is exact.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/numbering.h"
#include "neardup/dedup.h"
#include "neardup/features.h"
#include "neardup/similarity.h"

namespace neardup::search {

class SampledTruth {
 public:
  // The sets are ascending, without repeats, and not empty. Memory: about 45 bytes per feature, the sets included.
  SampledTruth(const Definition&, std::vector<std::vector<Feature>> sets);

  // What a thread needs for itself between calls.
  struct Scratch {
    std::vector<std::uint32_t> ranks;
    std::vector<std::uint32_t> seen;  // by sample: the call that met it last
    std::uint32_t call = 0;
  };

  // False when no sampled set can reach the threshold with a document of `set_size` different features, given in any
  // order and with repeats. Needs no sorting and stops early, so most documents cost a few look-ups.
  [[nodiscard]] bool may_have_partners(std::span<const Feature> occurrences, std::size_t set_size) const;

  // Appends the places of all sampled sets that reach the threshold with `set`. Threads: may run concurrently.
  void partners(std::span<const Feature> set, Scratch&, std::vector<std::uint32_t>& out) const;

  [[nodiscard]] std::size_t size() const { return sets_.size(); }

 private:
  [[nodiscard]] std::uint32_t rank(Feature) const;  // base::kNoNumber when no sampled set holds it
  [[nodiscard]] std::size_t prefix_length(std::size_t set_size) const;

  Verifier verifier_;
  std::vector<std::vector<Feature>> sets_;
  base::Numbering<Feature> ranks_;
  std::vector<std::uint64_t> maybe_;  // a bit for every feature held, small enough for the cache
  unsigned maybe_shift_ = 58;
  std::vector<std::uint32_t> first_posting_;  // by rank
  std::vector<std::uint32_t> postings_;       // samples whose prefix holds the feature of that rank
};

// One sampled document's true partners, and how many of them the finder offered.
struct SampleCount {
  std::uint64_t pairs = 0, found = 0;
};

// Recall with its 95% interval, by bootstrap over documents. When the sample is everything there is nothing to
// estimate.
Recall estimate_recall(std::span<const SampleCount>, bool is_everything, std::uint64_t seed);

}  // namespace neardup::search
