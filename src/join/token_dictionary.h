// Which number does a token have, when many threads ask at once?
//
// An open table of 64-bit keys in which a token's slot is its number, so nobody has to hand out numbers. Keys are
// placed by their value, ascending, which makes the table almost sorted: ranking by (frequency, key) then costs a
// counting sort and a few exchanges of neighbours.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/zeroed_array.h"
#include "join/ordered_sets.h"

namespace neardup::joins {

class TokenDictionary {
 public:
  using Slot = std::uint32_t;

  // Room for about so many different tokens on one or two sides. The seed keeps a hostile choice of tokens from
  // crowding one place of the table.
  TokenDictionary(unsigned sides, std::uint64_t expected_tokens, std::uint64_t seed);

  // Appends the slots of a set's tokens to `out` and counts each once. False when the table is full.
  // Threads: may run concurrently.
  bool encode(unsigned side, std::span<const std::uint64_t> set, std::vector<Slot>& out);

  static constexpr Rank kHidden = ~Rank{0};  // the rank of a token that no two partners share
  // Turns counts into ranks: afterwards rank() may be called, and encode() no more. Returns the number of ranks.
  Rank make_ranks();
  [[nodiscard]] Rank rank(Slot slot) const { return ranks_[slot]; }
  [[nodiscard]] const void* rank_address(Slot slot) const { return ranks_.data() + slot; }  // for prefetching only

  // How much memory a table for so many tokens takes.
  static std::uint64_t bytes_for(std::uint64_t expected_tokens);

 private:
  static std::uint64_t slots_for(std::uint64_t expected_tokens);
  [[nodiscard]] bool is_visible(std::uint32_t count) const;

  unsigned sides_;
  std::uint64_t seed_;
  std::uint64_t homes_;  // slots that are somebody's first choice; more follow, so that no search wraps around
  struct Entry {
    std::uint64_t key;    // 0: free
    std::uint32_t count;  // how many sets have the token, with a flag per side
  };
  base::ZeroedArray<Entry> entries_;  // by slot, until there are ranks
  base::ZeroedArray<Rank> ranks_;     // by slot
};

}  // namespace neardup::joins
