// Where is a key in a table with linear probing?
//
// Open addressing with linear probing, for general use: the table holds slots and knows nothing of keys. A slot may
// be the key itself, or the number of a key that the caller keeps elsewhere (base/numbering.h does).
//
// One table of this kind is apart, join/token_dictionary.h: many threads insert into it at once without a lock, it
// never grows, and its slots ascend with their keys, which makes ranking cheap.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/large_pages.h"
#include "base/random.h"

namespace neardup::base {

// Spreads keys of 64 bits over a table, in a different order for every seed: code that must withstand chosen keys uses
// a seed that is unpredictable.
struct Mixed {
  std::uint64_t seed = 0;
  constexpr std::uint64_t operator()(std::uint64_t key) const { return mix64(key ^ seed); }
};

// Slots equal to kFree are free; at most kMostPercent of a table are not. Hashes are taken from their low bits.
// `hash_of(slot)` must give what the slot was inserted under. Threads: const members may run concurrently.
template <class Slot, Slot kFree, unsigned kMostPercent = 50>
class OpenTable {
  static_assert(kMostPercent > 0 && kMostPercent < 100);  // a search ends at a free slot

 public:
  explicit OpenTable(std::size_t least_slots = 64) : slots_(std::bit_ceil(least_slots), kFree) {}

  [[nodiscard]] std::size_t size() const { return used_; }
  [[nodiscard]] std::size_t memory_bytes() const { return slots_.capacity() * sizeof(Slot); }

  // The first slot for which is_it(slot) holds among those that may have this hash; otherwise the free one behind them,
  // which insert() takes. Valid until the table changes.
  template <class IsIt>
  [[nodiscard]] const Slot& find(std::uint64_t hash, const IsIt& is_it) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = hash & mask;
    while (!(slots_[at] == kFree) && !is_it(slots_[at])) at = (at + 1) & mask;
    return slots_[at];
  }

  // Makes room for one more, so that a free slot found from now on may be inserted at.
  template <class HashOf>
  void make_room(const HashOf& hash_of) {
    if ((used_ + 1) * 100 <= slots_.size() * kMostPercent) return;
    LargeVector<Slot> old(slots_.size() * 2, kFree);
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (!(slot == kFree)) place(slot, hash_of(slot));
    }
  }

  // Precondition: make_room(), and then find() gave `free`.
  void insert(const Slot& free, const Slot& slot) {
    slots_[static_cast<std::size_t>(&free - slots_.data())] = slot;
    ++used_;
  }

  // Precondition: find() gave `slot`. Those that follow without a gap and may not be behind it move up.
  template <class HashOf>
  void erase(const Slot& slot, const HashOf& hash_of) {
    const std::size_t mask = slots_.size() - 1;
    auto hole = static_cast<std::size_t>(&slot - slots_.data());
    for (std::size_t at = (hole + 1) & mask; !(slots_[at] == kFree); at = (at + 1) & mask) {
      const std::size_t home = hash_of(slots_[at]) & mask;
      if (((at - home) & mask) >= ((at - hole) & mask)) slots_[std::exchange(hole, at)] = slots_[at];
    }
    slots_[hole] = kFree;
    --used_;
  }

 private:
  void place(const Slot& slot, std::uint64_t hash) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = hash & mask;
    while (!(slots_[at] == kFree)) at = (at + 1) & mask;
    slots_[at] = slot;
  }

  LargeVector<Slot> slots_;  // a power of two of them
  std::size_t used_ = 0;
};

}  // namespace neardup::base
