// Pairs within a collection, without an index.
//
// Up to three bits: one half of the fingerprint has at most one of them, so one of its two quarters (16 bits) agrees,
// and of the other quarter one byte. Fingerprints are brought together by each quarter in turn, then, in the cache, by
// each byte of its neighbour. A pair belongs to the quarter and byte beside the one bit that differs in the half (the
// first if none does), in the high half if that has at most one.
#include <fmt/format.h>
#include <tbb/blocked_range.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <bit>
#include <mutex>
#include <utility>
#include <vector>

#include "base/guard.h"
#include "base/system.h"
#include "base/zeroed_array.h"
#include "hamming/compare_all.h"
#include "hamming/pair_blocks.h"
#include "hamming/partition.h"
#include "hamming/prepared.h"
#include "simd/dispatch.h"

namespace neardup {
namespace hamming {
namespace {

constexpr unsigned kQuarters = 4;
constexpr unsigned kDistanceByQuarters = 3;
constexpr unsigned kQuarterShift = 48;             // the quarter that agrees stands on top
constexpr unsigned kSelfDigit = SD;
constexpr unsigned kBelowDigit = 16 - kSelfDigit;  // bits of the quarter that the digit leaves
constexpr std::uint64_t kBelowQuarter = (std::uint64_t{1} << kQuarterShift) - 1;

// The quarter on top, the other one of its half next.
constexpr std::uint64_t turned_to(std::uint64_t code, unsigned quarter) {
  if (quarter >= 2) code = std::rotl(code, 32);
  if (quarter % 2 == 0) return code;
  return (code << 16 & 0xFFFF000000000000) | (code >> 16 & 0x0000FFFF00000000) | (code & 0xFFFFFFFF);
}

// A fingerprint, turned, and its entry: one place to write to when they are partitioned.
struct Item {
  std::uint32_t low, high;
  Entry entry;
};

// Where a quarter's join takes its fingerprints from: words and entries by number.
class SortedCodes {  // the first quarter's: the codes themselves
 public:
  SortedCodes(std::span<const std::uint64_t> codes, std::size_t first, std::size_t last)
      : codes_(codes.subspan(first, last - first)), first_(static_cast<Entry>(first)) {}
  [[nodiscard]] std::size_t size() const { return codes_.size(); }
  [[nodiscard]] std::uint64_t word(std::size_t i) const { return codes_[i]; }
  [[nodiscard]] Entry entry(std::size_t i) const { return first_ + static_cast<Entry>(i); }

 private:
  std::span<const std::uint64_t> codes_;
  Entry first_;
};
class PartitionedItems {
 public:
  explicit PartitionedItems(std::span<const Item> items) : items_(items) {}
  [[nodiscard]] std::size_t size() const { return items_.size(); }
  [[nodiscard]] std::uint64_t word(std::size_t i) const { return std::uint64_t{items_[i].high} << 32 | items_[i].low; }
  [[nodiscard]] Entry entry(std::size_t i) const { return items_[i].entry; }

 private:
  std::span<const Item> items_;
};

// What one thread works with.
struct Scratch {
  std::vector<std::uint64_t> words;
  std::array<std::vector<std::uint32_t>, 2> ends;
  std::vector<neardup_hit> hits = std::vector<neardup_hit>(std::size_t{1} << 17);
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
  void join(const Source& items, unsigned free, Scratch& scratch, EntryPairs& pairs) const {
    if (items.size() < 2) return;
    if (items.size() <= kMostIndexed &&
        std::max(count(items, free, 0, scratch), count(items, free, 1, scratch)) <= kCrowd) {
      for (unsigned byte = 0; byte < 2; ++byte) join_by_byte(items, free, byte, scratch, pairs);
    } else {
      join_crowd(items, free, pairs);
    }
  }

 private:
  static constexpr std::size_t kMostIndexed = std::size_t{1} << 16;  // numbers that fit where the quarter stood
  static constexpr std::uint32_t kCrowd = 1024;

  // Too many for one group: each value of the quarter by other means.
  template <class Source>
  void join_crowd(const Source& items, unsigned free, EntryPairs& pairs) const {
    std::array<std::uint32_t, 1u << kBelowDigit> places{};
    const auto value = [&](std::size_t i) { return items.word(i) >> kQuarterShift & ((1u << free) - 1); };
    for (std::size_t i = 0; i < items.size(); ++i) ++places[value(i)];
    std::uint32_t sum = 0;
    for (auto& place : places) sum += std::exchange(place, sum);
    CodeItems split;
    split.resize(items.size());
    for (std::size_t i = 0; i < items.size(); ++i) {
      const std::uint32_t place = places[value(i)]++;
      split.codes[place] = items.word(i);
      split.entries[place] = items.entry(i);
    }
    std::uint32_t first = 0;
    for (const std::uint32_t last : places) {
      if (pairs.enough()) return;
      PairBlocks(rule_, pairs)
          .join(std::span(split.codes).subspan(first, last - first + CodeItems::kPastEnd),
                std::span(split.entries).subspan(first, last - first));
      first = last;
    }
  }

  static unsigned byte_shift(unsigned byte) { return byte == 0 ? 40 : 32; }
  [[nodiscard]] std::uint32_t group_of(std::uint64_t word, unsigned free, unsigned byte) const {
    const auto above = static_cast<std::uint32_t>(word >> kQuarterShift) & ((1u << free) - 1);
    const auto below = static_cast<std::uint32_t>(word >> byte_shift(byte)) & 0xFF;
    return above << byte_bits_ | below >> (8 - byte_bits_);
  }

  // Counts the groups by one byte; returns the size of the largest.
  template <class Source>
  std::uint32_t count(const Source& items, unsigned free, unsigned byte, Scratch& scratch) const {
    auto& ends = scratch.ends[byte];
    ends.assign(std::size_t{1} << (free + byte_bits_), 0);
    for (std::size_t i = 0; i < items.size(); ++i) ++ends[group_of(items.word(i), free, byte)];
    return *std::max_element(ends.begin(), ends.end());
  }

  template <class Source>
  void join_by_byte(const Source& items, unsigned free, unsigned byte, Scratch& scratch, EntryPairs& pairs) const {
    auto& ends = scratch.ends[byte];
    std::uint32_t sum = 0;
    std::uint64_t compared = 0;
    for (auto& end : ends) {
      compared += std::uint64_t{end} * (std::max(end, 1u) - 1) / 2;
      sum += std::exchange(end, sum);
    }
    pairs.count_compared(compared);
    scratch.words.resize(std::max(scratch.words.size(), items.size() + CodeItems::kPastEnd));
    for (std::uint64_t i = 0; i < items.size(); ++i) {
      const std::uint64_t word = items.word(i);
      scratch.words[ends[group_of(word, free, byte)]++] = (word & kBelowQuarter) | i << kQuarterShift;
    }
    neardup_pair_rule rule = rule_;
    if (byte == 1) rule.half_least = 1;
    // Where groups agree in some bits of the byte only, its other bits must be looked at.
    const std::uint64_t agrees = std::uint64_t{0xFF} << byte_shift(byte);
    neardup_pair_place place{0, 0};
    while (place.group < ends.size() && !pairs.enough()) {
      const std::size_t hits = simd::kernels().near_pairs(scratch.words.data(), ends.data(), ends.size(), &rule, &place,
                                                          scratch.hits.data(), scratch.hits.size());
      for (std::size_t h = 0; h < hits; ++h) {
        const std::uint64_t a = scratch.words[scratch.hits[h].scan], b = scratch.words[scratch.hits[h].posting];
        const std::uint64_t different = (a ^ b) & kBelowQuarter;
        if ((different & agrees) != 0) continue;
        pairs.add(items.entry(a >> kQuarterShift), items.entry(b >> kQuarterShift),
                  static_cast<unsigned>(std::popcount(different)));
      }
    }
  }

  unsigned byte_bits_;
  neardup_pair_rule rule_;
};

// The work and where its pairs go.
class SelfJoin {
 public:
  SelfJoin(std::span<const std::uint64_t> bits, unsigned distance, PairSink& sink, Context& context)
      : distance_(distance), prepared_(prepare(bits, context)), output_(sink, 0), context_(context) {}

  SearchStats run() {
    const base::Stopwatch watch;
    join_copies();
    if (distance_ > 0) join_entries();
    stats_.queries = prepared_.distinct.rows.total_rows();
    stats_.matches = output_.count();
    stats_.search_seconds = watch.seconds();
    return std::move(stats_);
  }

 private:
  [[nodiscard]] const std::vector<std::uint64_t>& codes() const { return prepared_.distinct.codes; }
  [[nodiscard]] const RowLists& rows() const { return prepared_.distinct.rows; }

  // body(i, pairs) for i below count, on all threads.
  template <class Body>
  void in_parallel(std::size_t count, const Body& body) {
    base::with_threads(context_, [&] {
      tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count), [&](const tbb::blocked_range<std::size_t>& range) {
        Found found(output_);
        {
          EntryPairs pairs(rows(), found);
          for (std::size_t i = range.begin(); i < range.end() && !output_.enough(); ++i) {
            base::check_stop(context_);
            body(i, pairs);
          }
        }
        found.finish();
        const std::lock_guard lock(mutex_);
        stats_.compared += found.compared;
        stats_.probes += range.size();
      });
    });
  }

  void join_copies() {
    constexpr std::size_t kStretch = 1u << 16;
    in_parallel((codes().size() + kStretch - 1) / kStretch, [&](std::size_t stretch, EntryPairs& pairs) {
      const std::size_t last = std::min(codes().size(), (stretch + 1) * kStretch);
      for (std::size_t entry = stretch * kStretch; entry < last; ++entry) {
        if (rows().has_copies(static_cast<Entry>(entry))) pairs.add_copies(static_cast<Entry>(entry));
      }
    });
  }

  void join_entries() {
    if (distance_ <= kDistanceByQuarters) {
      // One bit in all is in one half: the low half's turn comes for the high one's two and more.
      const unsigned quarters = distance_ < 2 ? 2 : kQuarters;
      for (unsigned quarter = 0; quarter < quarters; ++quarter) join_quarter(quarter);
    } else if (distance_ <= PairBlocks::kMostDistance) {
      join_blocks();
    } else {
      join_all();
      stats_.fallback = fmt::format("partitions pay up to distance {}; for {} everything was compared",
                                    PairBlocks::kMostDistance, distance_);
    }
  }

  void join_quarter(unsigned quarter) {
    const std::size_t size = codes().size();
    // Two to four fingerprints a group: a vector of them is compared at once anyway.
    const int wanted = static_cast<int>(std::bit_width(size)) - 2 - 16;
    const QuarterJoin join(quarter, distance_, static_cast<unsigned>(std::clamp(wanted, 0, 8)));
    const auto turn = [&](std::size_t i) { return turned_to(codes()[i], quarter); };
    const auto digit_of = [&](std::size_t i) { return turn(i) >> (64 - kSelfDigit); };
    DigitStarts starts{};
    if (quarter == 0) {
      for (std::size_t digit = 0; digit < (1u<<kSelfDigit); ++digit) {
        const std::uint64_t from = std::uint64_t{digit} << (64 - kSelfDigit);
        starts[digit] =
            static_cast<std::uint32_t>(std::lower_bound(codes().begin(), codes().end(), from) - codes().begin());
      }
      for (std::size_t d = 1u << kSelfDigit; d <= kDigits; ++d) starts[d] = static_cast<std::uint32_t>(size);
    } else {
      starts = partition(context_, size, digit_of, [&](std::size_t i, std::uint32_t place) {
        const std::uint64_t word = turn(i);
        items_[place] = {static_cast<std::uint32_t>(word), static_cast<std::uint32_t>(word >> 32),
                         static_cast<Entry>(i)};
      });
    }
    in_parallel(kDigits, [&](std::size_t digit, EntryPairs& pairs) {
      const std::size_t first = starts[digit], last = starts[digit + 1];
      if (quarter == 0) {
        join.join(SortedCodes(codes(), first, last), kBelowDigit, scratch_.local(), pairs);
      } else {
        join.join(PartitionedItems({items_.data() + first, last - first}), kBelowDigit, scratch_.local(), pairs);
      }
    });
  }

  // The same blocks for all, the first step of PairBlocks on all threads.
  void join_blocks() {
    std::uint64_t varying = 0;
    for (const std::uint64_t code : codes()) varying |= code ^ codes().front();
    const std::vector<std::uint64_t> blocks = pair_blocks(varying, distance_);
    for (std::size_t block = 0; block < blocks.size(); ++block) {
      const std::uint64_t mask = blocks[block];
      CodeItems sorted;
      sorted.resize(codes().size());
      const DigitStarts starts = partition(
          context_, codes().size(), [&](std::size_t i) { return gathered(codes()[i], mask); },
          [&](std::size_t i, std::uint32_t place) {
            sorted.codes[place] = codes()[i];
            sorted.entries[place] = static_cast<Entry>(i);
          });
      in_parallel(kDigits, [&](std::size_t digit, EntryPairs& pairs) {
        const std::size_t first = starts[digit], count = starts[digit + 1] - first;
        PairBlocks join(any_pair(), pairs);
        for (std::size_t before = 0; before < block; ++before) join.differ_in(blocks[before]);
        join.join(std::span(sorted.codes).subspan(first, count + CodeItems::kPastEnd),
                  std::span(sorted.entries).subspan(first, count));
      });
    }
  }

  // Every block of fingerprints with itself and all later ones.
  void join_all() {
    constexpr std::size_t kAtOnce = kBlock<std::uint64_t>;
    in_parallel((codes().size() + kAtOnce - 1) / kAtOnce, [&](std::size_t number, EntryPairs& pairs) {
      std::vector<std::uint32_t> hits(kAtOnce + 8);
      const std::size_t first = number * kAtOnce, last = std::min(codes().size(), first + kAtOnce);
      for (std::size_t other = first; other < codes().size() && !pairs.enough(); other += kAtOnce) {
        for (std::size_t i = first; i < last; ++i) {
          const std::size_t from = std::max(other, i + 1), to = std::min(codes().size(), other + kAtOnce);
          if (from >= to) continue;
          const std::size_t count =
              simd::kernels().filter_signatures(codes().data() + from, to - from, codes()[i], distance_, hits.data());
          pairs.count_compared(to - from);
          for (std::size_t h = 0; h < count; ++h) {
            const std::size_t j = from + hits[h];
            pairs.add(static_cast<Entry>(i), static_cast<Entry>(j),
                      static_cast<unsigned>(std::popcount(codes()[i] ^ codes()[j])));
          }
        }
      }
    });
  }

  [[nodiscard]] neardup_pair_rule any_pair() const {
    neardup_pair_rule rule{};
    rule.mask = ~std::uint64_t{0};
    rule.most = distance_;
    return rule;
  }

  unsigned distance_;
  Prepared prepared_;
  base::PairOutput output_;
  Context& context_;
  SearchStats stats_;
  std::mutex mutex_;
  base::ZeroedArray<Item> items_{codes().size()};  // untouched memory until a quarter needs it
  tbb::enumerable_thread_specific<Scratch> scratch_;
};

}  // namespace
}  // namespace hamming

SearchStats hamming_self_join(std::span<const std::uint64_t> bits, unsigned distance, PairSink& sink,
                              Context& context) {
  hamming::check_distance(distance, 64);
  return base::guarded([&] { return hamming::SelfJoin(bits, distance, sink, context).run(); });
}

}  // namespace neardup
