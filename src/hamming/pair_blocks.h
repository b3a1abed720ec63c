// How are pairs found among many fingerprints at once, whatever they look like?
//
// Two that differ in at most d bits agree in one of d + 1 blocks of bits. So for each block those that agree in it are
// brought together, and among them the same again, until few enough are left to compare them all. Blocks are cut from
// the bits that vary among those at hand, so that crowds thin out. A pair belongs to the first block in which it
// agrees.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/large_pages.h"
#include "hamming/distinct.h"
#include "hamming/searching.h"
#include "simd/kernels.h"

namespace neardup::hamming {

// A number of 32 bits that leads to an entry's rows at once: the row itself where there is one, which is nearly always.
using RowsId = std::uint32_t;

class RowIds {
 public:
  // Of each entry's first row and the further ones. Throws Error{limit} when there are not enough numbers.
  RowIds(base::UnsetVector<Row> first, const Copies&, std::uint64_t total_rows);

  [[nodiscard]] RowsId id(Entry entry) const { return ids_[entry]; }
  [[nodiscard]] bool one_row(RowsId id) const { return id < first_list_; }
  [[nodiscard]] std::span<const Row> list(RowsId id) const {
    const std::uint32_t at = id - first_list_;
    return std::span(lists_).subspan(starts_[at], starts_[at + 1] - starts_[at]);
  }
  void prefetch(RowsId id) const { __builtin_prefetch(starts_.data() + (id - first_list_), 0, 2); }
  void prefetch_list(RowsId id) const { __builtin_prefetch(lists_.data() + starts_[id - first_list_], 0, 2); }
  [[nodiscard]] std::size_t lists() const { return starts_.size() - 1; }
  [[nodiscard]] RowsId id_of_list(std::size_t number) const { return first_list_ + static_cast<RowsId>(number); }

 private:
  base::UnsetVector<RowsId> ids_;  // by entry
  RowsId first_list_;
  base::LargeVector<std::uint32_t> starts_;  // by list, and the end of the last
  base::LargeVector<Row> lists_;
};

// Receives pairs of fingerprints and sends the pairs of their rows. Lists are fetched for many pairs at once.
class RowPairs {
 public:
  RowPairs(const RowIds& ids, Found& found) : ids_(ids), found_(found) {}
  ~RowPairs() { send(); }
  RowPairs(const RowPairs&) = delete;
  RowPairs& operator=(const RowPairs&) = delete;

  void add(RowsId a, RowsId b, unsigned distance) {
    if (ids_.one_row(a) && ids_.one_row(b)) {
      found_.add(std::min(a, b), std::max(a, b), distance);
      return;
    }
    if (!ids_.one_row(a)) ids_.prefetch(a);
    if (!ids_.one_row(b)) ids_.prefetch(b);
    waiting_[count_++] = {a, b, distance};
    if (count_ == waiting_.size()) send();
  }
  // The pairs within one list.
  void add_copies(RowsId id);
  [[nodiscard]] bool enough() const { return found_.enough(); }
  void count_compared(std::uint64_t pairs) { found_.compared += pairs; }

 private:
  struct Waiting {
    RowsId a, b;
    unsigned distance;
  };
  void send();

  const RowIds& ids_;
  Found& found_;
  std::array<Waiting, 128> waiting_;
  std::size_t count_ = 0;
};

// Fingerprints and what leads to their rows, side by side.
struct CodeItems {
  std::vector<std::uint64_t> codes;  // kPastEnd more than there are ids
  std::vector<RowsId> ids;

  static constexpr std::size_t kPastEnd = 8;  // what kernels may read
  void resize(std::size_t size) {
    codes.resize(size + kPastEnd);
    ids.resize(size);
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
  PairBlocks(const neardup_pair_rule& rule, RowPairs& pairs) : rule_(rule), pairs_(pairs) {}
  void differ_in(std::uint64_t mask) { elsewhere_.push_back(mask); }
  void join(std::span<const std::uint64_t> codes, std::span<const RowsId> ids);

 private:
  void compare(std::span<const std::uint64_t> codes, std::span<const RowsId> ids);

  neardup_pair_rule rule_;
  RowPairs& pairs_;
  std::vector<std::uint64_t> elsewhere_;
  std::vector<neardup_hit> hits_;
};

}  // namespace neardup::hamming
