// Which lists must a query look through to meet every fingerprint within three bits of it?
//
// Three bits that differ, over two halves, leave one half with at most one of them. That half is cut into three parts,
// two of which then agree. So there are six tables, one for each half and part left out; the two other parts address a
// list directly. Along a list only the opposite half is compared; what the address does not tell, the residue, is read
// when that passes. A match may show in several tables: it belongs to the one whose part holds the bit that differs (to
// the first if none does), in the high half if that has at most one.
//
// Memory: 36 bytes a fingerprint and the directories. Threads: const members may run concurrently.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/zeroed_array.h"
#include "hamming/distinct.h"
#include "neardup/context.h"
#include "simd/kernels.h"

namespace neardup::hamming {

class CsrTables {
 public:
  static constexpr unsigned kTables = 6, kParts = 3;
  static constexpr unsigned kLeastKeyBits = 16, kMostKeyBits = 22;  // the residue has the rest of 32, in 16 bits
  static constexpr unsigned kMostDistance = 3;

  // How table `table` splits a fingerprint.
  class Split {
   public:
    Split(unsigned table, unsigned most_key_bits);
    [[nodiscard]] std::uint32_t half(std::uint64_t code) const { return static_cast<std::uint32_t>(code >> shift_); }
    [[nodiscard]] std::uint32_t other(std::uint64_t code) const {
      return static_cast<std::uint32_t>(code >> (32 - shift_));
    }
    [[nodiscard]] std::uint32_t key(std::uint64_t code) const { return joined(half(code)) >> dropped_; }
    [[nodiscard]] std::uint32_t residue(std::uint64_t code) const {
      const std::uint32_t mine = half(code);
      return (joined(mine) & ((1u << dropped_) - 1)) << width_ | (mine >> low_ & ((1u << width_) - 1));
    }
    [[nodiscard]] std::uint64_t code(std::uint32_t key, std::uint32_t residue, std::uint32_t other) const;
    [[nodiscard]] unsigned key_bits() const { return key_bits_; }
    // Whether a match whose bits differ like this belongs to this table.
    [[nodiscard]] bool owns(std::uint64_t different) const;

   private:
    // The two parts that are not left out, side by side.
    [[nodiscard]] std::uint32_t joined(std::uint32_t half) const {
      const std::uint32_t above = static_cast<std::uint32_t>(std::uint64_t{half} >> (low_ + width_)) << low_;
      return above | (half & ((1u << low_) - 1));
    }

    unsigned shift_;        // of the half: 32 or 0
    unsigned low_, width_;  // of the part left out
    bool first_;            // of its half
    unsigned key_bits_, dropped_;
  };

  // A query on its way through the tables.
  struct Probe {
    std::uint64_t code;
    std::array<std::uint32_t, kTables> keys, first, count;
  };

  // Ascending codes without repeats.
  CsrTables(std::span<const std::uint64_t> codes, unsigned most_key_bits, const Context&);

  // Puts lists longer than kLong in the order of first rows, so that a search for the lowest row ends at the first
  // match it meets there. That changes entry numbers: returns which old one each new one was, or nothing if there are
  // no such lists. Called once, with the rows of the old numbers.
  static constexpr std::uint32_t kLong = 1024;
  [[nodiscard]] std::vector<Entry> order_long_lists(const RowLists& rows);

  // Where bits that vary should be: in all parts alike, leading bits of the parts first.
  [[nodiscard]] static std::array<std::uint8_t, 64> preferred_bits();
  [[nodiscard]] static unsigned suitable_key_bits(std::uint64_t entries);
  [[nodiscard]] static std::uint64_t expected_bytes(unsigned most_key_bits, std::uint64_t entries);
  [[nodiscard]] std::uint64_t memory_bytes() const;
  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] unsigned key_bits() const { return most_key_bits_; }
  // How many entries a query that is one of the fingerprints looks at, on average; and if they were spread evenly.
  [[nodiscard]] double expected_compared() const;
  [[nodiscard]] double even_compared() const;

  // First step: where the lists are said to be. Second: where they are. Both start fetching it.
  void prepare(std::uint64_t code, Probe&) const;
  void fetch(Probe&) const;

  [[nodiscard]] const Split& split(unsigned table) const { return tables_[table].split; }
  [[nodiscard]] std::span<const std::uint32_t> list(const Probe& probe, unsigned table) const {
    return {tables_[table].others.data() + probe.first[table], probe.count[table]};
  }
  // The fingerprint at a place of a probe's list.
  [[nodiscard]] std::uint64_t code(const Probe& probe, unsigned table, std::uint32_t place) const {
    const Table& mine = tables_[table];
    const std::uint32_t at = probe.first[table] + place;
    return mine.split.code(probe.keys[table], mine.residues[at], mine.others[at]);
  }
  // Its number, if the table is the one in whose order entries are numbered.
  static constexpr unsigned kNumbering = 0;

  // The number of a fingerprint that is there. Two steps before, so that it need not wait.
  void prepare_find(std::uint64_t code) const;
  void fetch_find(std::uint64_t code) const;
  [[nodiscard]] Entry find(std::uint64_t code) const;

  // Calls visit(codes, number of the first) for blocks of all entries, in order, while it returns true.
  void each_block(const std::function<bool(std::span<const std::uint64_t>, Entry)>& visit) const;
  [[nodiscard]] std::string describe() const;

 private:
  struct Table {
    Split split;
    base::ZeroedArray<std::uint32_t> ends;  // by key + 1: where its list ends; 0 before
    base::ZeroedArray<std::uint32_t> others;
    base::ZeroedArray<std::uint16_t> residues;
  };

  // A long list of the numbering table: where it begins, and where its codes are in their order (in by_code_).
  struct LongList {
    std::uint32_t first, by_code;
  };

  // Entry i of the list that begins there becomes the one that was entry order[i].
  static void move_list(Table&, std::uint32_t first, std::span<const std::uint32_t> order);
  // The last table; in_order: the codes ascend as it wants them.
  void fill(bool in_order, std::span<const std::uint64_t> codes, std::span<std::uint64_t> scratch, const Context&);

  unsigned most_key_bits_;
  std::uint64_t size_;
  std::vector<Table> tables_;
  std::vector<LongList> long_lists_;  // ascending
  std::vector<std::uint32_t> by_code_;
};

}  // namespace neardup::hamming
