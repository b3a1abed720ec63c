// Where are fingerprints that share most of one half, so that one cache line has them all?
//
// A table is an array of 64-byte lines. One half of a fingerprint (32 bits, the `key half`) says which line, and leaves
// a few bits, the residue; the other half is stored as it is, to be compared with a query's. A line has up to eleven
// such entries; what does not fit is in an overflow list. Entries are numbered densely: by line, within it by
// arrival.
//
// Threads: const members may run concurrently.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <vector>

#include "base/large_pages.h"
#include "base/zeroed_array.h"
#include "hamming/distinct.h"
#include "simd/kernels.h"

namespace neardup::hamming {

// A half of a fingerprint, as a table sees it.
struct LinePlace {
  std::uint32_t line, residue;
};

// Fingerprints as a table sees them: the key half above the other.
enum class KeyHalf { high, low };
constexpr std::uint64_t turned(std::uint64_t code, KeyHalf half) {
  return half == KeyHalf::high ? code : std::rotl(code, 32);
}

// The lines alone: they know nothing of how a half is split into line and residue.
class LineStore {
 public:
  static constexpr unsigned kLeastBits = 16, kMostBits = 26;  // of a line's number; the residue has the rest of 32
  static constexpr std::uint32_t kOverflowSlot = 15;          // near_lines: "and more elsewhere"

  struct Overflow {
    std::span<const std::uint32_t> other_halves;  // may be read 15 values past the end
    std::span<const std::uint16_t> residues;
    Entry first;
  };

  LineStore() = default;
  explicit LineStore(unsigned line_bits);

  // Building: all entries in any order, then finish().
  void put(LinePlace place, std::uint32_t other_half) {
    Line& line = lines_[place.line];
    const std::uint32_t used = line.rest[3] >> kCountShift;
    if (used == slots_) {
      spilled_.push_back({place, other_half});
      return;
    }
    line.others[used] = other_half;
    add_residue(line, used, place.residue);
    line.rest[3] += 1u << kCountShift;
  }
  void finish();

  [[nodiscard]] unsigned line_bits() const { return line_bits_; }
  [[nodiscard]] std::size_t line_count() const { return lines_.size(); }
  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] std::uint64_t memory_bytes() const;
  // Entries that are in overflow lists.
  [[nodiscard]] std::uint64_t overflowing() const { return overflowing_; }
  // Of the numbers of entries that lines have: the more evenly they are spread, the smaller.
  [[nodiscard]] double sum_of_squares() const { return sum_of_squares_; }
  // A number of lines that suits so many entries, and what they take there when they are spread evenly.
  static unsigned suitable_bits(std::uint64_t entries);
  static std::uint64_t expected_bytes(unsigned line_bits, std::uint64_t entries);

  void prefetch(std::uint32_t line) const { __builtin_prefetch(lines_.data() + line, 0, 2); }
  // For near_lines.
  [[nodiscard]] neardup_line_scan scan(std::uint32_t line, std::uint32_t other_half) const {
    return {lines_[line].others, other_half};
  }
  [[nodiscard]] std::uint32_t count(std::uint32_t line) const { return lines_[line].rest[3] >> kCountShift; }
  [[nodiscard]] bool overflows(std::uint32_t line) const { return (lines_[line].rest[3] >> kFlagShift & 1) != 0; }
  [[nodiscard]] std::uint32_t other_half(std::uint32_t line, std::uint32_t slot) const {
    return lines_[line].others[slot];
  }
  [[nodiscard]] std::uint32_t residue(std::uint32_t line, std::uint32_t slot) const {
    const unsigned bit = slot * residue_bits_;
    std::uint64_t words;
    std::memcpy(&words, lines_[line].rest + std::min(bit / 32, 2u), sizeof words);
    return static_cast<std::uint32_t>(words >> (bit - 32 * std::min(bit / 32, 2u))) & ((1u << residue_bits_) - 1);
  }
  [[nodiscard]] Entry entry(std::uint32_t line, std::uint32_t slot) const { return lines_[line].start + slot; }
  // Where entries begin that are in this line or a later one.
  [[nodiscard]] Entry start(std::uint32_t line) const { return lines_[line].start; }
  // Of a line that overflows: where its list is, and the list. In two steps, because the second is far away.
  [[nodiscard]] std::uint32_t overflow_place(std::uint32_t line) const { return lines_[line].others[slots_ - 1]; }
  void prefetch_overflow(std::uint32_t place) const {
    __builtin_prefetch(overflow_others_.data() + place, 0, 2);
    __builtin_prefetch(overflow_others_.data() + place + 8, 0, 2);
  }
  [[nodiscard]] std::span<const std::uint32_t> overflow_others(std::uint32_t place) const {
    return std::span(overflow_others_).subspan(place + 1, overflow_others_[place]);
  }
  [[nodiscard]] Overflow overflow(std::uint32_t line) const;

 private:
  // near_lines relies on the places of others and of the count and flag.
  struct Line {
    std::uint32_t others[11];  // in a line that overflows the last slot says where its list begins
    std::uint32_t start;       // number of the first entry
    std::uint32_t rest[4];     // residues, lowest bits first; count and flag in the five highest bits
  };
  static_assert(sizeof(Line) == 64);
  static constexpr unsigned kCountShift = 28, kFlagShift = 27, kResidueRoom = 123;
  struct Spilled {
    LinePlace place;
    std::uint32_t other_half;
  };

  static unsigned slots_at(unsigned line_bits);
  void add_residue(Line& line, unsigned slot, std::uint32_t residue) const {
    const unsigned bit = slot * residue_bits_, word = std::min(bit / 32, 2u);
    std::uint64_t words;
    std::memcpy(&words, line.rest + word, sizeof words);
    words |= std::uint64_t{residue} << (bit - 32 * word);
    std::memcpy(line.rest + word, &words, sizeof words);
  }

  unsigned line_bits_ = kLeastBits, residue_bits_ = 32 - kLeastBits, slots_ = 0;
  std::uint64_t size_ = 0, overflowing_ = 0;
  double sum_of_squares_ = 0;
  base::ZeroedArray<Line> lines_;
  // Lists one after another: their length, then their entries.
  base::LargeVector<std::uint32_t> overflow_others_;
  base::LargeVector<std::uint16_t> overflow_residues_;
  std::vector<Spilled> spilled_;
};

// The leading bits of the key half are the line.
class PlainKey {
 public:
  explicit PlainKey(unsigned line_bits) : residue_bits_(32 - line_bits) {}
  [[nodiscard]] LinePlace place(std::uint32_t half) const {
    return {half >> residue_bits_, half & ((1u << residue_bits_) - 1)};
  }
  [[nodiscard]] std::uint32_t half(LinePlace place) const { return place.line << residue_bits_ | place.residue; }

 private:
  unsigned residue_bits_;
};

// Key: how a half is split. LinePlace place(half), half(place) back.
template <class Key>
class LineTable {
 public:
  LineTable(std::span<const std::uint64_t> codes, KeyHalf key_half, unsigned line_bits, const Key& key)
      : key_(key), key_half_(key_half), store_(line_bits) {
    constexpr std::size_t kAhead = 32;  // lines on their way while others are filled
    LinePlace places[kAhead];
    const auto prepare = [&](std::size_t i) {
      places[i % kAhead] = key_.place(key_of(codes[i]));
      store_.prefetch(places[i % kAhead].line);
    };
    for (std::size_t i = 0; i < std::min(kAhead, codes.size()); ++i) prepare(i);
    for (std::size_t i = 0; i < codes.size(); ++i) {
      const LinePlace place = places[i % kAhead];
      if (i + kAhead < codes.size()) prepare(i + kAhead);
      store_.put(place, static_cast<std::uint32_t>(turned(codes[i], key_half_)));
    }
    store_.finish();
  }

  [[nodiscard]] const LineStore& store() const { return store_; }
  [[nodiscard]] const Key& key() const { return key_; }
  [[nodiscard]] KeyHalf key_half() const { return key_half_; }

  [[nodiscard]] std::uint64_t code(LinePlace place, std::uint32_t other_half) const {
    return turned(std::uint64_t{key_.half(place)} << 32 | other_half, key_half_);
  }
  [[nodiscard]] std::uint64_t code(std::uint32_t line, std::uint32_t slot) const {
    return code({line, store_.residue(line, slot)}, store_.other_half(line, slot));
  }

  // The number of a fingerprint that is in the table.
  [[nodiscard]] std::optional<Entry> find(std::uint64_t code) const {
    const auto other = static_cast<std::uint32_t>(turned(code, key_half_));
    const LinePlace place = key_.place(key_of(code));
    for (std::uint32_t slot = 0; slot < store_.count(place.line); ++slot) {
      if (store_.other_half(place.line, slot) == other && store_.residue(place.line, slot) == place.residue) {
        return store_.entry(place.line, slot);
      }
    }
    if (!store_.overflows(place.line)) return std::nullopt;
    const auto more = store_.overflow(place.line);
    for (std::size_t i = 0; i < more.other_halves.size(); ++i) {
      if (more.other_halves[i] == other && more.residues[i] == place.residue) return more.first + static_cast<Entry>(i);
    }
    return std::nullopt;
  }

  // Calls visit(code) in the order of entry numbers, for those of the lines [first, last).
  template <class Visit>
  void each(std::uint32_t first, std::uint32_t last, Visit visit) const {
    for (std::uint32_t line = first; line < last; ++line) {
      for (std::uint32_t slot = 0; slot < store_.count(line); ++slot) visit(code(line, slot));
      if (!store_.overflows(line)) continue;
      const auto more = store_.overflow(line);
      for (std::size_t i = 0; i < more.other_halves.size(); ++i) {
        visit(code({line, more.residues[i]}, more.other_halves[i]));
      }
    }
  }

  // For RowLists::reordered: which of the codes the table was made from each entry is.
  [[nodiscard]] std::vector<Entry> order(std::span<const std::uint64_t> codes) const {
    std::vector<Entry> order(codes.size());
    std::vector<Entry> next(store_.line_count());
    for (std::size_t line = 0; line < next.size(); ++line) next[line] = store_.start(static_cast<std::uint32_t>(line));
    for (std::size_t i = 0; i < codes.size(); ++i) {
      order[next[key_.place(key_of(codes[i])).line]++] = static_cast<Entry>(i);
    }
    return order;
  }

 private:
  [[nodiscard]] std::uint32_t key_of(std::uint64_t code) const {
    return static_cast<std::uint32_t>(turned(code, key_half_) >> 32);
  }

  Key key_;
  KeyHalf key_half_;
  LineStore store_;
};

}  // namespace neardup::hamming
