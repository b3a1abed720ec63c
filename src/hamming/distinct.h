// Which different fingerprints are there, and which rows have each of them?
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/large_pages.h"
#include "base/zeroed_array.h"
#include "neardup/context.h"

namespace neardup::hamming {

using Row = std::uint32_t;    // of an index: a place among the fingerprints it was built from
using Entry = std::uint32_t;  // a distinct fingerprint's number in some order

// What kernels may read past the end of a list of 32-bit words.
inline constexpr std::size_t kPastList = 16;

// Sorted fingerprints, each once.
using SortedCodes = base::UnsetVector<std::uint64_t>;

// Further rows of entries that have more than one.
struct Copies {
  std::vector<Entry> entries;             // ascending
  base::LargeVector<std::uint32_t> ends;  // by these: where their rows end in
  base::LargeVector<Row> rows;            // ascending for each

  [[nodiscard]] std::span<const Row> of(std::size_t number) const {
    const std::uint32_t first = number == 0 ? 0 : ends[number - 1];
    return std::span(rows).subspan(first, ends[number] - first);
  }
};

// The rows of each entry, ascending. Nearly all entries have one row, which takes ceil(log2 n) bits; the few with
// copies have a flag and a list aside. Threads: const members may run concurrently.
class RowLists {
 public:
  RowLists() = default;
  // Of `first` each entry's first row.
  RowLists(std::uint64_t total_rows, std::span<const Row> first, Copies, const Context&);

  [[nodiscard]] Row first(Entry entry) const {
    const std::uint64_t bit = std::uint64_t{entry} * width_;
    const unsigned shift = bit & 63;
    // The second word counts for nothing where the first has it all.
    const std::uint64_t value = packed_[bit >> 6] >> shift | packed_[(bit >> 6) + 1] << 1 << (63 - shift);
    return static_cast<Row>(value & ((std::uint64_t{1} << width_) - 1));
  }
  // Calls visit(row) for each row in ascending order.
  template <class Visit>
  void each(Entry entry, Visit visit) const {
    visit(first(entry));
    if (has_copies(entry)) {
      for (const Row row : copies(entry)) visit(row);
    }
  }
  [[nodiscard]] bool has_copies(Entry entry) const { return (flags_[entry >> 6] >> (entry & 63) & 1) != 0; }
  // The rows after the first.
  [[nodiscard]] std::span<const Row> copies(Entry entry) const {
    if (!has_copies(entry)) return {};
    return copies_.of(copied_before(entry));
  }
  // How many entries before this one have copies.
  [[nodiscard]] std::uint32_t copied_before(Entry entry) const {
    const std::uint64_t before = flags_[entry >> 6] & ((std::uint64_t{1} << (entry & 63)) - 1);
    return ranks_[entry >> 6] + static_cast<std::uint32_t>(std::popcount(before));
  }
  [[nodiscard]] std::uint64_t rows(Entry entry) const { return 1 + (has_copies(entry) ? copies(entry).size() : 0); }
  void prefetch(Entry entry) const {
    __builtin_prefetch(packed_.data() + (std::uint64_t{entry} * width_ >> 6), 0, 2);
    __builtin_prefetch(flags_.data() + (entry >> 6), 0, 2);
  }

  [[nodiscard]] std::uint64_t total_rows() const { return total_rows_; }
  [[nodiscard]] std::uint64_t memory_bytes() const;

  // The same rows under other numbers: entry i of the result is entry order[i] of this.
  [[nodiscard]] RowLists reordered(std::span<const Entry> order) const;

 private:
  std::uint64_t total_rows_ = 0;
  unsigned width_ = 1;                       // bits of a row number
  base::LargeVector<std::uint64_t> packed_;  // by entry: its first row; a word more than needed
  base::LargeVector<std::uint64_t> flags_;   // by entry: has copies
  base::LargeVector<std::uint32_t> ranks_;   // by word of flags_: how many are set before it
  Copies copies_;                            // without the entries: flags_ has them

  RowLists(std::uint64_t total_rows, std::size_t entries);
  void pack(Entry first, std::span<const Row> rows);  // of entries from `first` on, a multiple of 64
  void flag(Entry entry) { flags_[entry >> 6] |= std::uint64_t{1} << (entry & 63); }
  void rank();
};

// Entries in ascending order of their fingerprints.
struct Distinct {
  SortedCodes codes;
  RowLists rows;
};

// The same as it comes from sorting.
struct SortedRows {
  SortedCodes codes;
  base::UnsetVector<Row> first;  // by entry
  Copies copies;
};

// Sort on the context's threads. Throw Error{limit} for 2^32 rows or more. `room` is what sort_rows() works in, for
// callers that need some afterwards: kSortRoom bytes a fingerprint, with anything in them.
constexpr std::size_t kSortRoom = 12;
SortedRows sort_rows(std::span<const std::uint64_t> bits, base::ZeroedArray<std::byte>& room, const Context&);
Distinct find_distinct(std::span<const std::uint64_t> bits, const Context&);

}  // namespace neardup::hamming
