// Which sets have a token among their rarest, when most tokens are among nobody's?
//
// A bit for each token says whether it has a list at all; counts beside the bits number the lists. So a token without a
// list costs sixteen bytes for every 64 of them and one cache line to look at.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "join/ordered_sets.h"

namespace neardup::joins {

// The places of the sets of one side, ascending in each list. Threads: const members may run concurrently.
class PrefixLists {
 public:
  // `indexed(place)` says how many of a set's visible tokens are entered.
  template <class Indexed>
  PrefixLists(const OrderedSets& sets, unsigned side, Indexed indexed) : words_(sets.universe() / kBits + 1) {
    const auto visit = [&](const auto& enter) {
      for (Place place = 0; place < sets.size(); ++place) {
        if (sets.side(place) != side) continue;
        for (const Rank token : sets.tokens(place).first(indexed(place))) enter(place, token);
      }
    };
    visit([&](Place, Rank token) { words_[token / kBits].bits |= std::uint64_t{1} << token % kBits; });
    std::uint64_t lists = 0;
    for (Word& word : words_) {
      word.before = lists;
      lists += static_cast<std::uint64_t>(std::popcount(word.bits));
    }
    ends_.resize(lists + 1);  // the first is where lists begin
    visit([&](Place, Rank token) { ++ends_[number(token) + 1]; });
    std::uint64_t entries = 0;
    for (std::size_t list = 1; list < ends_.size(); ++list) {
      const std::uint64_t count = ends_[list];
      ends_[list] = entries;  // for now where it begins
      entries += count;
    }
    places_.resize(entries);
    visit([&](Place place, Rank token) { places_[ends_[number(token) + 1]++] = place; });
  }

  [[nodiscard]] bool has(Rank token) const { return (words_[token / kBits].bits >> token % kBits & 1) != 0; }
  // Precondition: has(token).
  [[nodiscard]] std::span<const Place> of(Rank token) const {
    const std::uint64_t list = number(token);
    return std::span(places_).subspan(ends_[list], ends_[list + 1] - ends_[list]);
  }
  void prefetch(Rank token) const { __builtin_prefetch(words_.data() + token / kBits); }

  [[nodiscard]] std::uint64_t entries() const { return places_.size(); }
  [[nodiscard]] std::uint64_t bytes() const {
    return words_.size() * sizeof(Word) + ends_.size() * sizeof(std::uint64_t) + places_.size() * sizeof(Place);
  }

 private:
  static constexpr Rank kBits = 64;
  struct Word {
    std::uint64_t bits = 0, before = 0;
  };
  [[nodiscard]] std::uint64_t number(Rank token) const {
    const Word& word = words_[token / kBits];
    const std::uint64_t lower = word.bits & ((std::uint64_t{1} << token % kBits) - 1);
    return word.before + static_cast<std::uint64_t>(std::popcount(lower));
  }

  std::vector<Word> words_;
  std::vector<std::uint64_t> ends_;
  std::vector<Place> places_;
};

}  // namespace neardup::joins
