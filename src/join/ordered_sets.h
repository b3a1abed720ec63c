// What do the algorithms of the papers see of a set?
//
// Distinct sets in ascending order of size, their tokens as ranks, rarest first. A token that no possible partner has
// (it occurs in one set only, or on one side of a join of two collections) can never be shared: it is not stored. Being
// the rarest of all, such hidden tokens take a set's first places, so that every prefix, position and size is what it
// would be with them, and so is every candidate.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "base/raw_vector.h"
#include "neardup/context.h"

namespace neardup::joins {

using Place = std::uint32_t;  // of a set, in the order of sizes
using Rank = std::uint32_t;   // of a token, in the order of rarity

class OrderedSets {
 public:
  [[nodiscard]] Place size() const { return static_cast<Place>(sets_.size()); }
  // The set's size, hidden tokens included. Ascending with the place.
  [[nodiscard]] std::uint32_t full_size(Place place) const { return sets_[place].full_size; }
  // The visible tokens, ascending; the k-th is at position hidden() + k of the whole set.
  [[nodiscard]] std::span<const Rank> tokens(Place place) const {
    return {tokens_.data() + sets_[place].begin, sets_[place].visible};
  }
  [[nodiscard]] std::uint32_t hidden(Place place) const { return sets_[place].full_size - sets_[place].visible; }
  // Prefetches what the functions above use, and the set's first tokens, for access in order.
  void prefetch(Place place) const { __builtin_prefetch(sets_.data() + place); }
  void prefetch_tokens(Place place) const {
    if (place < sets_.size()) __builtin_prefetch(tokens_.data() + sets_[place].begin);
  }
  // The first place below `end` whose set has at least this size; `end` when there is none.
  [[nodiscard]] Place first_of_size(std::uint64_t size, Place end) const {
    const auto first = sets_.begin(), last = first + end;
    return static_cast<Place>(std::partition_point(first, last, [&](const Set& s) { return s.full_size < size; }) -
                              first);
  }
  // The caller's number of the set, and the collection it belongs to: 0, or 1 for the right side of a join of two.
  [[nodiscard]] std::uint32_t number(Place place) const { return numbers_[place]; }
  [[nodiscard]] unsigned side(Place place) const { return sides_ == 1 ? 0 : on_side_[place]; }
  [[nodiscard]] unsigned sides() const { return sides_; }  // 1 or 2

  [[nodiscard]] Rank universe() const { return universe_; }  // ranks are below
  [[nodiscard]] std::uint64_t total_tokens() const {
    return std::accumulate(sets_.begin(), sets_.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const Set& set) { return sum + set.visible; });
  }
  [[nodiscard]] std::uint32_t largest_size() const { return sets_.empty() ? 0 : sets_.back().full_size; }

  // Whether sets of one collection may be equal, each of them a set of its own: where tokens were left out.
  [[nodiscard]] bool may_repeat() const { return may_repeat_; }
  void set_may_repeat(bool may_repeat) { may_repeat_ = may_repeat; }

  // Partners of a set are looked for on the other side; in a join of one collection with itself both are side 0.
  [[nodiscard]] unsigned partner_side(Place place) const { return sides_ == 1 ? 0 : 1 - side(place); }

  struct Entry {
    std::uint32_t full_size;
    std::uint32_t number;
    std::uint32_t side;
  };
  // What algorithms look at again and again, in one cache line.
  struct Set {
    std::uint64_t begin;  // of its tokens
    std::uint32_t full_size, visible;
  };
  // A set on its way into the order.
  struct Member {
    std::uint64_t begin;  // of its tokens
    std::uint32_t full_size, visible, number, side;
  };
  using Ranks = base::RawVector<Rank>;

  OrderedSets() = default;
  // Sets in ascending order of full_size, set i with the tokens from begins[i] to begins[i + 1]; behind those of the
  // last one are kPadding more of any value.
  OrderedSets(unsigned sides, Rank universe, std::span<const Entry> sets, std::span<const std::uint64_t> begins,
              std::span<const Rank> tokens)
      : sides_(sides), universe_(universe), tokens_(tokens.begin(), tokens.end()) {
    for (std::size_t i = 0; i < sets.size(); ++i) {
      sets_.push_back({begins[i], sets[i].full_size, static_cast<std::uint32_t>(begins[i + 1] - begins[i])});
      numbers_.push_back(sets[i].number);
      if (sides == 2) on_side_.push_back(static_cast<std::uint8_t>(sets[i].side));
    }
  }

  // Sets in any order, and their tokens, ascending within each; they stay where they are. Puts those of one size that
  // begin with the same token side by side.
  static OrderedSets in_order(unsigned sides, Rank universe, std::vector<Member>, Ranks tokens, const Context&);

  static constexpr std::size_t kPadding = 16;

  [[nodiscard]] std::size_t memory_bytes() const {
    return sets_.capacity() * sizeof(Set) + numbers_.capacity() * sizeof(std::uint32_t) + on_side_.capacity() +
           tokens_.capacity() * sizeof(Rank);
  }

 private:
  unsigned sides_ = 1;
  bool may_repeat_ = false;
  Rank universe_ = 0;
  std::vector<Set> sets_;
  std::vector<std::uint32_t> numbers_;
  std::vector<std::uint8_t> on_side_;  // for two sides
  Ranks tokens_ = Ranks(kPadding);
};

// Sorts a set's tokens.
void sort_ranks(std::span<Rank>, std::vector<Rank>& scratch);

}  // namespace neardup::joins
