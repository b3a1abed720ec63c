// What do the algorithms of the papers see of a set?
//
// Distinct sets in ascending order of size, their tokens as ranks, rarest first. A token that no possible partner has
// (it occurs in one set only, or on one side of a join of two collections) can never be shared: it is not stored. Being
// the rarest of all, such hidden tokens take a set's first places, so that every prefix, position and size is what it
// would be with them, and so is every candidate.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace neardup::joins {

using Place = std::uint32_t;  // of a set, in the order of sizes
using Rank = std::uint32_t;   // of a token, in the order of rarity

class OrderedSets {
 public:
  [[nodiscard]] Place size() const { return static_cast<Place>(sets_.size()); }
  // The set's size, hidden tokens included. Ascending with the place.
  [[nodiscard]] std::uint32_t full_size(Place place) const { return sets_[place].full_size; }
  // The visible tokens, ascending; the k-th stands at position hidden() + k of the whole set.
  [[nodiscard]] std::span<const Rank> tokens(Place place) const {
    return {tokens_.data() + begins_[place], static_cast<std::size_t>(begins_[place + 1] - begins_[place])};
  }
  [[nodiscard]] std::uint32_t hidden(Place place) const {
    return sets_[place].full_size - static_cast<std::uint32_t>(begins_[place + 1] - begins_[place]);
  }
  // The caller's number of the set, and the collection it belongs to: 0, or 1 for the right side of a join of two.
  [[nodiscard]] std::uint32_t number(Place place) const { return sets_[place].number; }
  [[nodiscard]] unsigned side(Place place) const { return sets_[place].side; }
  [[nodiscard]] unsigned sides() const { return sides_; }  // 1 or 2

  [[nodiscard]] Rank universe() const { return universe_; }  // ranks are below
  [[nodiscard]] std::uint64_t total_tokens() const { return begins_.back(); }
  [[nodiscard]] std::uint32_t largest_size() const { return sets_.empty() ? 0 : sets_.back().full_size; }

  // Partners of a set are looked for on the other side; in a join of one collection with itself both are side 0.
  [[nodiscard]] unsigned partner_side(Place place) const { return sides_ == 1 ? 0 : 1 - side(place); }

  // What a set looks like to the algorithms.
  struct Entry {
    std::uint32_t full_size;
    std::uint32_t number;
    std::uint32_t side;
  };

  OrderedSets() = default;
  // `begins` has one more entry than `sets`. At least kPadding readable tokens follow the last one.
  OrderedSets(unsigned sides, Rank universe, std::vector<Entry> sets, std::vector<std::uint64_t> begins,
              std::vector<Rank> tokens)
      : sides_(sides),
        universe_(universe),
        sets_(std::move(sets)),
        begins_(std::move(begins)),
        tokens_(std::move(tokens)) {}

  static constexpr std::size_t kPadding = 16;

 private:
  unsigned sides_ = 1;
  Rank universe_ = 0;
  std::vector<Entry> sets_;
  std::vector<std::uint64_t> begins_{0};
  std::vector<Rank> tokens_ = std::vector<Rank>(kPadding);
};

}  // namespace neardup::joins
