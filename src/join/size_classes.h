// What does a set's size alone say about its partners?
//
// Sets are in ascending order of size, so those of one size are adjacent: a class. Whatever depends on the size
// only is worked out once a class, and a set's class is found without examining the set.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "join/ordered_sets.h"
#include "neardup/definition.h"
#include "similarity/measures.h"

namespace neardup::joins {

struct SizeClass {
  Place end;                              // of the sets of this size
  Place first_partner;                    // the first set that is large enough; ascending with the class
  std::uint32_t size;                     // hidden tokens included, as in all that follows
  std::uint32_t indexed, probed;          // how many of a set's first tokens are indexed, and looked up
  std::int64_t index_slack, probe_slack;  // how many tokens it may fail to share, as measures.h has it, in 16ths
};

class SizeClasses {
 public:
  static constexpr Place kNobody = UINT32_MAX;

  template <similarity::SetMeasure M>
  static SizeClasses of(const OrderedSets& sets, const Threshold& threshold) {
    SizeClasses made;
    for (Place place = 0; place < sets.size(); place = made.classes_.back().end) {
      made.classes_.push_back(class_of_size<M>(sets, place, threshold));
    }
    made.make_table(sets.size());
    return made;
  }

  // The number of the set's class.
  [[nodiscard]] std::uint32_t number(Place place) const {
    std::uint32_t found = table_[place >> shift_];
    while (place >= reaches_[found].end) ++found;
    return found;
  }
  // kNobody when sets of this class look for none.
  [[nodiscard]] Place first_partner(std::uint32_t number) const { return reaches_[number].first_partner; }
  [[nodiscard]] const SizeClass& operator[](std::uint32_t number) const { return classes_[number]; }
  [[nodiscard]] const std::vector<SizeClass>& all() const { return classes_; }

 private:
  static constexpr std::size_t kTable = 4096;  // stays in the first-level cache

  // Sets of one collection are distinct, unless they may repeat: where only copies would reach the threshold, those of
  // the same size are no partners. At high thresholds small sets then have no possible partner at all.
  template <similarity::SetMeasure M>
  static SizeClass class_of_size(const OrderedSets& sets, Place first, const Threshold& t) {
    const auto in_16ths = [](std::int64_t in_256ths) { return (in_256ths + 15) / 16; };
    const auto prefix = [](similarity::Size size, similarity::Size overlap) {
      return static_cast<std::uint32_t>(overlap > size ? 0 : size - overlap + 1);
    };
    const std::uint32_t size = sets.full_size(first);
    const similarity::Size with_own_size = M::min_overlap(size, size, t);
    SizeClass made{.end = sets.first_of_size(std::uint64_t{size} + 1, sets.size()),
                   .first_partner = sets.first_of_size(M::min_size(size, t), first),
                   .size = size,
                   .indexed = prefix(size, with_own_size),
                   .probed = prefix(size, M::min_overlap_any(size, t)),
                   .index_slack = in_16ths(M::slack_of_smaller(size, t)),
                   .probe_slack = in_16ths(M::slack_of_larger(size, t))};
    const bool none_of_own_size = sets.sides() == 1 && !sets.may_repeat() && with_own_size >= size;
    if (none_of_own_size && M::max_size(size, t) <= size) made.indexed = 0;
    if (none_of_own_size && M::min_size(size, t) >= size) made.probed = 0;
    return made;
  }

  void make_table(Place places) {
    for (const SizeClass& size : classes_) {
      reaches_.push_back({size.end, size.probed == 0 ? kNobody : size.first_partner});
    }
    while ((std::size_t{places} >> shift_) >= kTable) ++shift_;
    std::uint32_t at = 0;
    for (std::uint64_t place = 0; place < places; place += std::uint64_t{1} << shift_) {
      while (place >= classes_[at].end) ++at;
      table_.push_back(at);
    }
  }

  struct Reach {
    Place end, first_partner;
  };
  std::vector<SizeClass> classes_;
  std::vector<Reach> reaches_;  // the same, of what is asked most often
  unsigned shift_ = 0;
  std::vector<std::uint32_t> table_;  // by place >> shift_: the class of the first of these places
};

// Calls visit(place, class, the tokens that are indexed or looked up, how many of them are indexed) for each set of
// [first, last), in order. Sets without any are left out.
template <class Visit>
void for_each_prefix(const OrderedSets& sets, const SizeClasses& classes, Place first, Place last, Visit visit) {
  constexpr Place kAhead = 8;
  std::uint32_t number = first < last ? classes.number(first) : 0;
  for (Place place = first; place < last; ++number) {
    const SizeClass& size = classes[number];
    for (const Place end = std::min(size.end, last); place < end; ++place) {
      sets.prefetch_tokens(place + kAhead);
      const std::uint32_t hidden = sets.hidden(place), prefix = std::max(size.indexed, size.probed);
      if (prefix <= hidden) continue;
      visit(place, size, sets.tokens(place).first(prefix - hidden), size.indexed > hidden ? size.indexed - hidden : 0);
    }
  }
}
// The same for all sets.
template <class Visit>
void for_each_prefix(const OrderedSets& sets, const SizeClasses& classes, Visit visit) {
  for_each_prefix(sets, classes, 0, sets.size(), visit);
}

}  // namespace neardup::joins
