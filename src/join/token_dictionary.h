// Which number does a token have, when many threads ask at once?
//
// An open table of 64-bit keys in which a token's slot is its number, so no numbers have to be assigned. Keys are
// placed by their value, ascending, which makes the table almost sorted: ranking by (frequency, key) then costs a
// counting sort and a few exchanges of neighbours.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "base/zeroed_array.h"
#include "join/ordered_sets.h"

namespace neardup::joins {

// How many sets have a token, with a flag for each of two sides. It counts no further than kMost, so that it never
// carries into the flags. Threads: add() may run concurrently.
class TokenCount {
 public:
  static constexpr std::uint32_t kSideFlag = std::uint32_t{1} << 30;
  static constexpr std::uint32_t kMost = kSideFlag / 2;  // what threads add at the same moment fits above it

  static void add(std::uint32_t& count, std::uint32_t flags) {
    const std::atomic_ref<std::uint32_t> shared(count);
    std::uint32_t before = shared.load(std::memory_order_relaxed);
    if (sets(before) < kMost) before = shared.fetch_add(1, std::memory_order_relaxed);
    if ((before & flags) != flags) shared.fetch_or(flags, std::memory_order_relaxed);
  }
  static constexpr std::uint32_t sets(std::uint32_t count) { return std::min(count & (kSideFlag - 1), kMost); }
  static constexpr bool is_on_both_sides(std::uint32_t count) { return count / kSideFlag == 3; }
};

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

  // How much memory a table for this many tokens takes.
  static std::uint64_t bytes_for(std::uint64_t expected_tokens);

 private:
  static std::uint64_t slots_for(std::uint64_t expected_tokens);
  [[nodiscard]] bool is_visible(std::uint32_t count) const;

  unsigned sides_;
  std::uint64_t seed_;
  std::uint64_t homes_;  // slots that are the first choice of some key; more follow, so that no search wraps around
  struct Entry {
    std::uint64_t key;    // 0: free
    std::uint32_t count;  // a TokenCount
  };
  base::ZeroedArray<Entry> entries_;  // by slot, until there are ranks
  base::ZeroedArray<Rank> ranks_;     // by slot
};

}  // namespace neardup::joins
