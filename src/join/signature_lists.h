// Which sets have a token in their prefix, and what does the signature join know of each without looking at it?
//
// For every token the sets that have it in their prefix, as ppjoin's index has them, each with the parity signature of
// what follows the token in the set: each later token flips one bit. Two sets whose first common token is at
// positions i and j (from 0) cannot share the i + j tokens before it, and of those after it they fail to share at least
// as many as their signatures differ in bits. So they are not partners when
//
//   i + j + popcount(sx ^ sy)  >  |x| + |y| - 2 min_overlap(|x|, |y|).
//
// The right side is bounded by a share of each set (measures.h), so that each brings its own part: share minus
// position.
//
// Pairs are looked for token by token, all sets of a token at once, while these stay in the nearest cache. So lists are
// needed only while their token's turn lasts, and only some tokens' lists exist at a time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/zeroed_array.h"
#include "join/algorithms.h"
#include "join/candidates.h"
#include "join/ordered_sets.h"
#include "join/size_classes.h"

namespace neardup::joins {

// A set in a token's list. As stored: place << 32 | position << 16 | folded signature, then the words of the signature.
class ListEntry {
 public:
  explicit ListEntry(const std::uint64_t* stored) : stored_(stored) {}
  [[nodiscard]] Place place() const { return static_cast<Place>(*stored_ >> 32); }
  [[nodiscard]] std::uint32_t position() const { return static_cast<std::uint32_t>(*stored_) >> 16; }
  // What a set with this slack may still differ in, in 16ths.
  [[nodiscard]] std::int64_t allowance(std::int64_t slack) const {
    constexpr std::int64_t kAnything = std::int64_t{1} << 32;
    return position() == Occurrence::kFar ? kAnything : slack - std::int64_t{16} * position();
  }
  // Of the words that a signature has; one of 16 bits when it has none.
  [[nodiscard]] std::uint64_t word(std::size_t w, std::size_t words) const {
    return words == 0 ? *stored_ & 0xffff : stored_[1 + w];
  }

 private:
  const std::uint64_t* stored_;
};

class SignatureLists {
 public:
  // Large enough for sets to be gone through a few times only.
  static constexpr std::size_t kBytesAtOnce = std::size_t{64} << 20;

  SignatureLists(const SetJoin&, const SizeClasses&, std::size_t bytes_at_once = kBytesAtOnce);

  // Makes the lists of tokens from `first` on, as many as fit, in place of those there were; on all threads. Returns
  // the token after the last.
  Rank make(Rank first);

  // Some sets of a list, in ascending order of place.
  struct Entries {
    const std::uint64_t* first;
    std::uint32_t count, stride;
    ListEntry operator[](std::uint32_t i) const { return ListEntry(first + std::size_t{i} * stride); }
    [[nodiscard]] Entries from(std::uint32_t begin, std::uint32_t most) const {
      return {first + std::size_t{begin} * stride, std::min(most, count - begin), stride};
    }
  };
  // The sets that have the token among those that are indexed, and those that only look it up (the former do, too).
  [[nodiscard]] Entries indexed(Rank token, unsigned side) const { return entries(token, 2 * side); }
  [[nodiscard]] Entries probing(Rank token, unsigned side) const { return entries(token, 2 * side + 1); }
  // Whether the caller needs no pair of the token's sets any more.
  [[nodiscard]] bool is_settled(Rank token) const;
  // Of all kinds.
  [[nodiscard]] std::uint32_t entries_of(Rank token) const { return ends_[flat(token + 1)] - ends_[flat(token)]; }
  // About how often two sets meet there, whatever their sizes; and in all lists together.
  [[nodiscard]] double meetings(Rank token) const;
  [[nodiscard]] double meetings() const { return meetings_; }

  // False when no two sets meet there.
  [[nodiscard]] bool is_used(Rank token) const { return (used_[token / 64] >> (token % 64) & 1) != 0; }
  // Few sets look at another of their token, and whatever the sizes turn out to be, not very many do.
  [[nodiscard]] bool meet_rarely() const;

  // Words of a signature: 0 (16 bits are enough), 1, 2, 4 or 8.
  [[nodiscard]] std::size_t words() const { return words_; }
  [[nodiscard]] std::uint32_t longest() const { return longest_; }  // of the lists of indexed sets
  [[nodiscard]] std::uint64_t total_entries() const { return total_; }
  [[nodiscard]] std::uint64_t bytes() const;

 private:
  template <class Length>
  double meetings(Length length) const;
  void count();
  void plan();
  template <class Visit>
  void for_each_entry(Rank first, Rank last, Place from, Place to, const Visit&) const;
  void fill(Rank first, Rank last, std::uint64_t count);
  [[nodiscard]] Rank first_of_share(Rank first, Rank last, std::uint64_t entries) const;
  static std::size_t suitable_words(double average_slack, double looks_at_each);
  [[nodiscard]] std::size_t stride() const { return 1 + words_; }
  // A token has a list for each kind, side by side: indexed and probing, for each side.
  [[nodiscard]] std::size_t flat(Rank token) const { return std::size_t{token} * kinds_; }
  [[nodiscard]] Entries entries(Rank token, unsigned kind) const {
    const std::size_t at = flat(token) + kind;
    return {entries_.data() + ends_[at] * stride(), ends_[at + 1] - ends_[at], static_cast<std::uint32_t>(stride())};
  }

  const SetJoin& join_;
  const OrderedSets& sets_;
  const SizeClasses& classes_;
  std::size_t bytes_at_once_;
  unsigned kinds_;
  std::size_t words_ = 0;
  std::uint64_t total_ = 0;
  std::uint32_t longest_ = 0;
  double meetings_ = 0, looks_at_each_ = 0;
  std::vector<std::uint64_t> used_;  // a bit a token: its list has two that may meet
  // By token and kind, from 1 on: where its list ends; before it is made, how long it will be.
  base::ZeroedArray<std::uint32_t> ends_;
  base::ZeroedArray<std::uint64_t> entries_;
  // Entries on their way to their lists, by share of the sets and part of the tokens.
  std::vector<std::vector<std::uint64_t>> sorted_;
};

}  // namespace neardup::joins
