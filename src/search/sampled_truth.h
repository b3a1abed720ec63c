// Which true partners does a sample of documents have in the whole collection?
//
// Most documents have too few features in common with all sampled sets together, and are dismissed without sorting or
// comparing anything. The others wait until there are some, and are then joined with the sample exactly (src/join):
// what this costs grows with the documents and with the partners that exist, not with the product of documents and
// sample.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/row.h"
#include "neardup/context.h"
#include "neardup/dedup.h"
#include "neardup/features.h"
#include "neardup/pair.h"
#include "neardup/similarity.h"
#include "search/build_sets.h"

namespace neardup::search {

class SampledTruth {
 public:
  // Tells whether a pair is of no interest, before it is compared. May be called from several threads.
  using Skip = std::function<bool(std::uint32_t sample, Unit)>;

  // The sets are ascending, without repeats, and not empty. `found` gets the true pairs: a sampled set by its place,
  // and a unit. Memory: about 60 bytes per feature, the sets included.
  SampledTruth(const Definition&, std::vector<std::vector<Feature>> sets, PairSink& found, Skip skip, const Context&);

  // False when no sampled set can reach the threshold with a document of `set_size` different features, given in any
  // order and with repeats. Stops early, so most documents cost a few look-ups. Threads: may run concurrently.
  [[nodiscard]] bool may_have_partners(std::span<const Feature> occurrences, std::size_t set_size) const;
  // Appends what a sampled set may share with `set`. False, and appends nothing, when that is too little for any.
  // Threads: may run concurrently.
  bool append_shared(std::span<const Feature> set, std::vector<Feature>& out) const;

  // A document of `set_size` features, with what append_shared() found.
  void add(Unit, std::uint32_t set_size, std::span<const Feature> shared);
  void finish();  // after the last add
  // In place of add() and finish(), for a sample of all units in their order.
  void join_all();

 private:
  struct Waiting {
    Unit unit;
    std::uint32_t set_size;
    std::uint64_t begin;  // in waiting_features_
  };
  [[nodiscard]] bool may_hold(Feature feature) const {
    const std::uint64_t bit = feature * kSpread >> maybe_shift_;
    return (maybe_[bit / 64] >> (bit % 64) & 1) != 0;
  }
  void join_waiting();
  [[nodiscard]] SetToBuild sampled(std::size_t place) const;
  template <class Get>
  void join(const joins::SetBuilder::Expected&, const Get&, PairSink&, std::function<bool(DocId, DocId)> skip);

  static constexpr std::uint64_t kSpread = 0x9e3779b97f4a7c15u;
  Definition definition_;
  Verifier verifier_;
  std::vector<std::vector<Feature>> sets_;
  std::uint64_t features_ = 0;  // of all sets
  PairSink& found_;
  Skip skip_;
  Context context_;                   // reports no progress: the concurrent reading does
  std::vector<std::uint64_t> maybe_;  // a bit for every feature held, small enough for the cache
  unsigned maybe_shift_ = 58;
  std::vector<Waiting> waiting_;
  std::vector<Feature> waiting_features_;
};

// One sampled document's true partners, and how many of them the finder offered.
struct SampleCount {
  std::uint64_t pairs = 0, found = 0;
};

// Recall with its 95% interval, by bootstrap over documents. When the sample is everything there is nothing to
// estimate.
Recall estimate_recall(std::span<const SampleCount>, bool is_everything, std::uint64_t seed);

}  // namespace neardup::search
