// Which earlier sets are large enough for this one, and how much must it share with each?
#pragma once

#include <cstdint>
#include <vector>

#include "join/ordered_sets.h"
#include "neardup/definition.h"
#include "similarity/measures.h"

namespace neardup::joins {

// The size filter and the needed overlaps of one set after another, in ascending order. A size's bounds are computed
// once, in no more steps than a set of that size has tokens.
template <similarity::SetMeasure M>
class SizeBounds {
 public:
  SizeBounds(const OrderedSets& sets, const Threshold& threshold)
      : sets_(sets), threshold_(threshold), needed_(std::uint64_t{sets.largest_size()} + 1) {}

  void move_to(Place x) {
    const std::uint32_t size = sets_.full_size(x);
    if (size == size_) return;
    size_ = size;
    const similarity::Size min_size = M::min_size(size, threshold_);
    while (first_ < sets_.size() && sets_.full_size(first_) < min_size) ++first_;
    for (similarity::Size other = min_size; other <= size; ++other) {
      needed_[other] = static_cast<std::uint32_t>(M::min_overlap(size, other, threshold_));
    }
  }

  // The first set that can be a partner; it never falls.
  [[nodiscard]] Place first() const { return first_; }
  // What must be shared with an earlier set from first() on, by its size.
  [[nodiscard]] std::uint32_t needed(std::uint32_t size) const { return needed_[size]; }

 private:
  const OrderedSets& sets_;
  Threshold threshold_;
  std::vector<std::uint32_t> needed_;
  std::uint32_t size_ = 0;  // no set is empty
  Place first_ = 0;
};

}  // namespace neardup::joins
