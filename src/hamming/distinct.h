// Which different fingerprints are there, and which rows have each of them?
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "neardup/context.h"

namespace neardup::hamming {

using Row = std::uint32_t;
using Entry = std::uint32_t;  // a distinct fingerprint's number in some order

// The rows of each entry, ascending. Nearly all entries have one row, which takes ceil(log2 n) bits; the few with
// copies have a flag and a list aside. Threads: const members may run concurrently.
class RowLists {
 public:
  RowLists() = default;

  [[nodiscard]] Row first(Entry entry) const;
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
  [[nodiscard]] std::span<const Row> copies(Entry entry) const;
  [[nodiscard]] std::uint64_t rows(Entry entry) const { return 1 + (has_copies(entry) ? copies(entry).size() : 0); }
  void prefetch(Entry entry) const;

  [[nodiscard]] std::uint64_t total_rows() const { return total_rows_; }
  [[nodiscard]] std::uint64_t memory_bytes() const;

  // The same rows under other numbers: entry i of the result is entry order[i] of this.
  [[nodiscard]] RowLists reordered(std::span<const Entry> order) const;

 private:
  friend struct Distinct;
  friend struct Distinct find_distinct(std::span<const std::uint64_t>, Context&);
  std::uint64_t total_rows_ = 0;
  unsigned width_ = 0;                    // bits of a row number
  std::vector<std::uint64_t> packed_;     // by entry: its first row
  std::vector<std::uint64_t> flags_;      // by entry: has copies
  std::vector<Entry> with_copies_;        // ascending
  std::vector<std::uint32_t> copy_ends_;  // by place in with_copies_
  std::vector<Row> copies_;
};

// Entries in ascending order of their fingerprints.
struct Distinct {
  std::vector<std::uint64_t> codes;
  RowLists rows;
};

// Sorts on the context's threads. Throws Error{limit} for 2^32 rows or more.
Distinct find_distinct(std::span<const std::uint64_t> bits, Context&);

}  // namespace neardup::hamming
