// Which tokens can two partners share at all, when there are too many tokens to remember?
//
// Most features of a text occur nowhere else, and a token that no partner has need not be stored (ordered_sets.h). One
// pass over all sets fills two planes of bits: seen, and seen again (for a join of two collections: seen on the left,
// and on the right). Every token has three bits in one 64-bit word of each plane. A token that is shared is always
// recognised; one that is not may be taken for shared now and then, which costs memory and never an answer.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "base/state.h"
#include "base/zeroed_array.h"
#include "neardup/memory.h"

namespace neardup::joins {

class SharedFilter {
 public:
  // For about so many different tokens. Fewer bytes than that would need only blur the answer.
  SharedFilter(unsigned sides, std::uint64_t expected_tokens, std::uint64_t most_bytes, Reservation memory = {});

  // Shows a set: each distinct set once. Threads: may run concurrently with itself.
  void add(unsigned side, std::span<const std::uint64_t> set);

  // All that add() was shown; load() is for a filter of the same size, of one side, that was shown this many tokens.
  void save(base::StateWriter&) const;
  void load(base::StateReader&, std::uint64_t tokens);

  // After the last add(): puts those tokens that a partner may have in place of what `shared` held. False, with some of
  // them only, when they are fewer than `least`. Threads: may run concurrently.
  bool keep_shared(unsigned side, std::span<const std::uint64_t> set, std::uint64_t least,
                   std::vector<std::uint64_t>& shared) const;

  // About how many tokens of all sets are shared, and how many different ones.
  [[nodiscard]] std::uint64_t shared_tokens() const { return shared_ + distinct_shared_; }
  [[nodiscard]] std::uint64_t distinct_shared() const { return distinct_shared_; }

 private:
  struct Block {
    std::uint64_t planes[2];
  };
  struct Place {
    std::uint64_t block, bits;
  };
  [[nodiscard]] Place place(std::uint64_t token) const;

  unsigned sides_;
  base::ZeroedArray<Block> blocks_;
  Reservation memory_;
  std::atomic<std::uint64_t> shared_{0};           // how often a token was seen before
  std::atomic<std::uint64_t> distinct_shared_{0};  // how often that was the second time
};

}  // namespace neardup::joins
