// How are the pairs of a collection found that agree in one quarter of the bits?
//
// Up to three bits: one half of the fingerprint has at most one of them, so one of its two quarters (16 bits) agrees,
// and of the other quarter one byte. Fingerprints are brought together by each quarter in turn, then, in the cache, by
// each byte of its neighbour. A pair belongs to the quarter and byte beside the one bit that differs in the half (the
// first if none does), in the high half if that has at most one.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "hamming/distinct.h"
#include "hamming/pair_blocks.h"
#include "simd/dispatch.h"

namespace neardup::hamming {

constexpr unsigned kQuarters = 4;
constexpr unsigned kDistanceByQuarters = 3;  // at most
constexpr unsigned kQuarterShift = 48;       // the quarter that agrees is on top
constexpr unsigned kMostFree = 8;            // bits of the quarter that partitions leave open
constexpr std::uint64_t kBelowQuarter = (std::uint64_t{1} << kQuarterShift) - 1;

// The quarter on top, the other one of its half next.
constexpr std::uint64_t turned_to(std::uint64_t code, unsigned quarter) {
  if (quarter >= 2) code = std::rotl(code, 32);
  if (quarter % 2 == 0) return code;
  return (code << 16 & 0xFFFF000000000000) | (code >> 16 & 0x0000FFFF00000000) | (code & 0xFFFFFFFF);
}

// How many bits are set, if no more than three are. (The baseline processor cannot count them.)
constexpr unsigned up_to_three(std::uint64_t bits) {
  const std::uint64_t after_one = bits & (bits - 1), after_two = after_one & (after_one - 1);
  return (bits != 0) + (after_one != 0) + (after_two != 0);
}
static_assert(up_to_three(0) == 0 && up_to_three(8) == 1 && up_to_three(9) == 2 && up_to_three(11) == 3);

// A fingerprint, turned, and what leads to its rows: one place to write to when they are partitioned.
struct QuarterItem {
  std::uint32_t low, high;
  RowsId id;
};

// Where a quarter's join takes its fingerprints from, by number.
class FirstItems {  // the first quarter's: the codes themselves
 public:
  FirstItems(std::span<const std::uint64_t> codes, const RowIds& ids, std::size_t first, std::size_t last)
      : codes_(codes.subspan(first, last - first)), ids_(ids), first_(static_cast<Entry>(first)) {}
  [[nodiscard]] std::size_t size() const { return codes_.size(); }
  [[nodiscard]] std::uint64_t word(std::size_t i) const { return codes_[i]; }
  [[nodiscard]] RowsId id(std::size_t i) const { return ids_.id(first_ + static_cast<Entry>(i)); }

 private:
  std::span<const std::uint64_t> codes_;
  const RowIds& ids_;
  Entry first_;
};
class SplitItems {
 public:
  SplitItems(const CodeItems& items, std::size_t first, std::size_t last) : items_(items), first_(first), last_(last) {}
  [[nodiscard]] std::size_t size() const { return last_ - first_; }
  [[nodiscard]] std::uint64_t word(std::size_t i) const { return items_.codes[first_ + i]; }
  [[nodiscard]] RowsId id(std::size_t i) const { return items_.ids[first_ + i]; }

 private:
  const CodeItems& items_;
  std::size_t first_, last_;
};
class PartitionedItems {
 public:
  explicit PartitionedItems(std::span<const QuarterItem> items) : items_(items) {}
  [[nodiscard]] std::size_t size() const { return items_.size(); }
  [[nodiscard]] std::uint64_t word(std::size_t i) const { return std::uint64_t{items_[i].high} << 32 | items_[i].low; }
  [[nodiscard]] RowsId id(std::size_t i) const { return items_[i].id; }

 private:
  std::span<const QuarterItem> items_;
};

// What one thread works with.
struct QuarterScratch {
  std::array<CodeItems, 2> splits;
  std::vector<std::uint64_t> words;
  std::array<std::vector<std::uint32_t>, 2> ends;
  std::vector<neardup_hit> hits = std::vector<neardup_hit>(std::size_t{1} << 14);
};

// One quarter's pairs.
class QuarterJoin {
 public:
  QuarterJoin(unsigned quarter, unsigned distance, unsigned byte_bits) : byte_bits_(byte_bits), rule_{} {
    rule_.mask = kBelowQuarter;
    rule_.half = 0x0000FFFF00000000;
    rule_.most = distance;
    rule_.half_least = quarter % 2;
    rule_.half_most = 1;
    rule_.rest_least = quarter >= 2 ? 2 : 0;
  }

  // Items that agree in the quarter but for its `free` lowest bits.
  template <class Source>
  void join(const Source& items, unsigned free, QuarterScratch& scratch, RowPairs& pairs) const {
    if (items.size() < 2) return;
    if (items.size() <= kMostIndexed && largest_group(items, free, scratch) <= kCrowd) {
      for (unsigned byte = 0; byte < 2; ++byte) join_by_byte(items, Groups(free, byte_bits_, byte), scratch, pairs);
    } else {
      join_by_value(items, free, scratch, pairs);
    }
  }

 private:
  static constexpr std::size_t kMostIndexed = std::size_t{1} << 16;  // numbers that fit where the quarter stood
  static constexpr std::uint32_t kCrowd = 1024;

  // Too many, or crowds among them: one value of the quarter after the other, and by other means if that is no better.
  template <class Source>
  void join_by_value(const Source& items, unsigned free, QuarterScratch& scratch, RowPairs& pairs) const {
    std::array<std::uint32_t, 1u << kMostFree> places{};
    const auto value = [&](std::size_t i) { return items.word(i) >> kQuarterShift & ((1u << free) - 1); };
    for (std::size_t i = 0; i < items.size(); ++i) ++places[value(i)];
    std::uint32_t sum = 0;
    for (auto& place : places) sum += std::exchange(place, sum);
    // A crowd among the values of a split is split once more.
    CodeItems& split = scratch.splits[free > 0 ? 0 : 1];
    split.resize(std::max(split.ids.size(), items.size()));
    for (std::size_t i = 0; i < items.size(); ++i) {
      const std::uint32_t place = places[value(i)]++;
      split.codes[place] = items.word(i);
      split.ids[place] = items.id(i);
    }
    std::uint32_t first = 0;
    for (const std::uint32_t last : places) {
      if (pairs.enough()) return;
      if (free > 0) {
        join(SplitItems(split, first, last), 0, scratch, pairs);
      } else {
        PairBlocks(rule_, pairs)
            .join(std::span(split.codes).subspan(first, last - first + CodeItems::kPastEnd),
                  std::span(split.ids).subspan(first, last - first));
      }
      first = last;
    }
  }

  // Fingerprints that agree in the quarter and in the leading bits of one of the bytes next to it. A group's number has
  // both side by side, which for the first byte they are anyway.
  class Groups {
   public:
    Groups(unsigned free, unsigned byte_bits, unsigned byte)
        : byte_(byte),
          shift_((byte == 0 ? kQuarterShift : kQuarterShift - 8) - byte_bits),
          gap_(byte == 0 ? 0 : 8),
          above_(((1u << free) - 1) << byte_bits),
          below_((1u << byte_bits) - 1) {}
    [[nodiscard]] std::uint32_t of(std::uint64_t word) const {
      const std::uint64_t moved = word >> shift_;
      return (static_cast<std::uint32_t>(moved >> gap_) & above_) | (static_cast<std::uint32_t>(moved) & below_);
    }
    [[nodiscard]] unsigned byte() const { return byte_; }
    // The bits in which those of a group should agree. (Those that they agree in need not be all of the byte.)
    [[nodiscard]] std::uint64_t agreement() const {
      return ~kBelowQuarter | std::uint64_t{0xFF} << (byte_ == 0 ? kQuarterShift - 8 : kQuarterShift - 16);
    }

   private:
    unsigned byte_, shift_, gap_;
    std::uint32_t above_, below_;
  };

  // Counts the groups by each byte.
  template <class Source>
  std::uint32_t largest_group(const Source& items, unsigned free, QuarterScratch& scratch) const {
    const Groups first(free, byte_bits_, 0), second(free, byte_bits_, 1);
    for (auto& ends : scratch.ends) ends.assign(std::size_t{1} << (free + byte_bits_), 0);
    std::uint32_t* const first_counts = scratch.ends[0].data();
    std::uint32_t* const second_counts = scratch.ends[1].data();
    for (std::size_t i = 0; i < items.size(); ++i) {
      const std::uint64_t word = items.word(i);
      ++first_counts[first.of(word)];
      ++second_counts[second.of(word)];
    }
    std::uint32_t largest = 0;
    for (const auto& ends : scratch.ends) largest = std::max(largest, *std::max_element(ends.begin(), ends.end()));
    return largest;
  }

  template <class Source>
  void join_by_byte(const Source& items, const Groups groups, QuarterScratch& scratch, RowPairs& pairs) const {
    auto& ends = scratch.ends[groups.byte()];
    std::uint32_t sum = 0;
    std::uint64_t compared = 0;
    for (auto& end : ends) {
      compared += std::uint64_t{end} * (std::max(end, 1u) - 1) / 2;
      sum += std::exchange(end, sum);
    }
    pairs.count_compared(compared);
    scratch.words.resize(std::max(scratch.words.size(), items.size() + CodeItems::kPastEnd));
    std::uint64_t* const words = scratch.words.data();
    std::uint32_t* const next = ends.data();
    for (std::uint64_t i = 0; i < items.size(); ++i) {
      const std::uint64_t word = items.word(i);
      words[next[groups.of(word)]++] = (word & kBelowQuarter) | i << kQuarterShift;
    }
    neardup_pair_rule rule = rule_;
    if (groups.byte() == 1) rule.half_least = 1;
    // Words of one group may differ in other bits of the byte, and the kernel compares with words of the next one too.
    const std::uint64_t agreement = groups.agreement();
    neardup_pair_place place{0, 0};
    while (place.group < ends.size() && !pairs.enough()) {
      const std::size_t hits = simd::kernels().near_pairs(words, ends.data(), ends.size(), &rule, &place,
                                                          scratch.hits.data(), scratch.hits.size());
      for (std::size_t h = 0; h < hits; ++h) {
        const std::uint64_t a = words[scratch.hits[h].scan], b = words[scratch.hits[h].posting];
        const std::uint64_t different = items.word(a >> kQuarterShift) ^ items.word(b >> kQuarterShift);
        if ((different & agreement) != 0) continue;
        pairs.add(items.id(a >> kQuarterShift), items.id(b >> kQuarterShift), up_to_three(different));
      }
    }
  }

  unsigned byte_bits_;
  neardup_pair_rule rule_;
};

}  // namespace neardup::hamming
