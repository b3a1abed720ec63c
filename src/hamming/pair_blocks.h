// How are pairs found among many fingerprints at once, whatever they look like?
//
// Two that differ in at most d bits agree in one of d + 1 blocks of bits. So for each block those that agree in it are
// brought together, and among them the same again, until few enough are left to compare them all. Blocks are cut from
// the bits that vary among those at hand, so that crowds thin out. A pair belongs to the first block in which it
// agrees.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "hamming/distinct.h"
#include "hamming/searching.h"
#include "simd/kernels.h"

namespace neardup::hamming {

// Receives pairs of entries and sends the pairs of their rows. Rows are fetched for many pairs at once.
class EntryPairs {
 public:
  EntryPairs(const RowLists& rows, Found& found) : rows_(rows), found_(found) {}
  ~EntryPairs() { send(); }
  EntryPairs(const EntryPairs&) = delete;
  EntryPairs& operator=(const EntryPairs&) = delete;

  void add(Entry a, Entry b, unsigned distance) {
    rows_.prefetch(a);
    rows_.prefetch(b);
    waiting_[count_++] = {a, b, distance};
    if (count_ == waiting_.size()) send();
  }
  // The pairs among the rows of one entry.
  void add_copies(Entry entry);
  [[nodiscard]] bool enough() const { return found_.enough(); }
  void count_compared(std::uint64_t pairs) { found_.compared += pairs; }

 private:
  struct Waiting {
    Entry a, b;
    unsigned distance;
  };
  void send();

  const RowLists& rows_;
  Found& found_;
  std::array<Waiting, 128> waiting_;
  std::size_t count_ = 0;
};

// Fingerprints and their entries, side by side.
struct CodeItems {
  std::vector<std::uint64_t> codes;  // kPastEnd more than there are entries
  std::vector<Entry> entries;

  static constexpr std::size_t kPastEnd = 8;  // what kernels may read
  void resize(std::size_t size) {
    codes.resize(size + kPastEnd);
    entries.resize(size);
  }
};

// d + 1 disjoint blocks of those bits, each of at most 11.
std::vector<std::uint64_t> pair_blocks(std::uint64_t varying, unsigned distance);

// The bits of a block side by side.
inline std::uint32_t gathered(std::uint64_t code, std::uint64_t block) {
  std::uint32_t bits = 0;
  for (; block != 0; block &= block - 1) {
    bits = bits << 1 | static_cast<std::uint32_t>(code >> std::countr_zero(block) & 1);
  }
  return bits;
}

class PairBlocks {
 public:
  static constexpr unsigned kMostDistance = 8;  // blocks get too short beyond
  static constexpr std::size_t kFew = 512;      // so many are compared with each other

  // Sends only pairs that the rule wants, and that differ somewhere in each of the masks of `elsewhere`.
  PairBlocks(const neardup_pair_rule& rule, EntryPairs& pairs) : rule_(rule), pairs_(pairs) {}
  void differ_in(std::uint64_t mask) { elsewhere_.push_back(mask); }
  void join(std::span<const std::uint64_t> codes, std::span<const Entry> entries);

 private:
  void compare(std::span<const std::uint64_t> codes, std::span<const Entry> entries);

  neardup_pair_rule rule_;
  EntryPairs& pairs_;
  std::vector<std::uint64_t> elsewhere_;
  std::vector<neardup_hit> hits_;
};

}  // namespace neardup::hamming
