// Which of the sets that were added last are similar to a given one?
//
// A few hundred sets, kept whole. Features are ordered as in an earlier segment, which knows what was common then;
// while there is none, by their hashes. When there are enough sets they become a segment.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "index/merge_plan.h"
#include "index/records.h"
#include "index/set_segment.h"
#include "neardup/features.h"
#include "neardup/similarity.h"

namespace neardup::indexing {

// Threads: const members may run concurrently; insert() needs exclusive access.
class RecentSets {
 public:
  // `guide` may be null.
  RecentSets(const Verifier&, const SearchLimits&, std::shared_ptr<const SetSegment> guide);

  void insert(UnitId, std::span<const Feature> set);
  // Appends every partner of the set; these are verified.
  void candidates(std::span<const Feature> set, std::vector<UnitId>& out) const;

  [[nodiscard]] bool is_full() const {
    return units_.size() >= limits_.recent_units || features_.size() >= limits_.recent_features;
  }
  [[nodiscard]] std::size_t units() const { return units_.size(); }
  [[nodiscard]] std::uint64_t features() const { return features_.size(); }
  [[nodiscard]] UnitId first() const { return units_.front().id; }
  [[nodiscard]] UnitId last() const { return units_.back().id; }
  [[nodiscard]] std::uint64_t memory_bytes() const;
  template <class Visit>
  void for_each(const Visit& visit) const {
    for (std::uint32_t slot = 0; slot < units_.size(); ++slot) visit(units_[slot].id, set_of(slot));
  }

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;
  struct Unit {
    UnitId id;
    std::size_t begin, size;  // in features_
  };
  struct Posting {
    Feature feature;
    std::uint32_t slot, next;
  };

  [[nodiscard]] std::span<const Feature> set_of(std::uint32_t slot) const {
    return std::span(features_).subspan(units_[slot].begin, units_[slot].size);
  }
  // Another one in every table, so that no one can write texts that all collide.
  [[nodiscard]] std::size_t head_of(Feature feature) const;
  void grow();
  // The features by which a set is found.
  [[nodiscard]] std::span<const Feature> prefix(std::span<const Feature> set, std::vector<Feature>& buffer) const;

  Verifier verifier_;
  SearchLimits limits_;
  std::shared_ptr<const SetSegment> guide_;
  std::uint64_t key_;
  std::vector<Unit> units_;
  std::vector<Feature> features_;
  std::vector<std::uint32_t> heads_;
  std::vector<Posting> postings_;
};

}  // namespace neardup::indexing
