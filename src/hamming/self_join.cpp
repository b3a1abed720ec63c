// Pairs within a collection, without an index: up to distance 3 by quarters, then by blocks, then everything.
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
#include "hamming/quarter_join.h"
#include "simd/dispatch.h"

namespace neardup {
namespace hamming {
namespace {

// The work and where its pairs go.
class SelfJoin {
 public:
  SelfJoin(std::span<const std::uint64_t> bits, unsigned distance, PairSink& sink, const Context& context)
      : distance_(distance),
        memory_(base::reservation(context)),
        room_(bits.size() * kSortRoom),
        sorted_(sort_rows(OrderedBits(bits, context).bits(), room_, context)),
        ids_(std::move(sorted_.first), sorted_.copies, bits.size()),
        rows_(bits.size()),
        output_(sink, 0),
        context_(context) {
    memory_.hold(room_.size() + bits.size() * kBytesPerRow);
  }

  SearchStats run() {
    const base::Stopwatch watch;
    join_copies();
    if (distance_ > 0) join_entries();
    stats_.queries = rows_;
    stats_.matches = output_.count();
    stats_.search_seconds = watch.seconds();
    return std::move(stats_);
  }

 private:
  static constexpr std::size_t kBytesPerRow = 16;  // a code, and which rows have it

  [[nodiscard]] const SortedCodes& codes() const { return sorted_.codes; }

  // body(i, pairs) for i below count, on all threads.
  template <class Body>
  void in_parallel(std::size_t count, const Body& body) {
    base::with_threads(context_, [&] {
      tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count), [&](const tbb::blocked_range<std::size_t>& range) {
        Found found(output_);
        {
          RowPairs pairs(ids_, found);
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
    in_parallel(ids_.lists(), [&](std::size_t list, RowPairs& pairs) { pairs.add_copies(ids_.id_of_list(list)); });
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
    // Four to seven fingerprints a group: one and the eight after it are compared at once anyway. Partitions that fit
    // the cache.
    const auto bits = static_cast<unsigned>(std::bit_width(size));
    const unsigned byte_bits = std::clamp(bits, 20u, 27u) - 19, digit_bits = std::clamp(bits, 23u, 26u) - 15;
    const unsigned free = 16 - digit_bits;
    const QuarterJoin join(quarter, distance_, byte_bits);
    const auto digit_of = [&](std::size_t i) {
      return codes()[i] << (64 - kQuarterShift) * quarter >> (64 - digit_bits);
    };
    DigitStarts starts{};
    if (quarter == 0) {
      for (std::size_t digit = 0; digit <= kDigits; ++digit) {
        const auto from = std::partition_point(codes().begin(), codes().end(),
                                               [&](std::uint64_t code) { return code >> (64 - digit_bits) < digit; });
        starts[digit] = static_cast<std::uint32_t>(from - codes().begin());
      }
    } else {
      starts = partition_into(items(), context_, size, digit_of, [&](std::size_t i) {
        const std::uint64_t word = turned_to(codes()[i], quarter);
        return QuarterItem{static_cast<std::uint32_t>(word), static_cast<std::uint32_t>(word >> 32),
                           ids_.id(static_cast<Entry>(i))};
      });
    }
    in_parallel(kDigits, [&](std::size_t digit, RowPairs& pairs) {
      const std::size_t first = starts[digit], last = starts[digit + 1];
      if (quarter == 0) {
        join.join(FirstItems(codes(), ids_, first, last), free, scratch_.local(), pairs);
      } else {
        join.join(PartitionedItems({items() + first, last - first}), free, scratch_.local(), pairs);
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
          [&](std::uint32_t place) { __builtin_prefetch(sorted.codes.data() + place, 1); },
          [&](std::size_t i, std::uint32_t place) {
            sorted.codes[place] = codes()[i];
            sorted.ids[place] = ids_.id(static_cast<Entry>(i));
          });
      in_parallel(kDigits, [&](std::size_t digit, RowPairs& pairs) {
        const std::size_t first = starts[digit], count = starts[digit + 1] - first;
        PairBlocks join(any_pair(), pairs);
        for (std::size_t before = 0; before < block; ++before) join.differ_in(blocks[before]);
        join.join(std::span(sorted.codes).subspan(first, count + CodeItems::kPastEnd),
                  std::span(sorted.ids).subspan(first, count));
      });
    }
  }

  // Every block of fingerprints with itself and all later ones.
  void join_all() {
    constexpr std::size_t kAtOnce = kBlock<std::uint64_t>;
    in_parallel((codes().size() + kAtOnce - 1) / kAtOnce, [&](std::size_t number, RowPairs& pairs) {
      std::vector<std::uint32_t> hits(kAtOnce + 8);
      const std::size_t first = number * kAtOnce, last = std::min(codes().size(), first + kAtOnce);
      for (std::size_t other = first; other < codes().size() && !pairs.enough(); other += kAtOnce) {
        base::check_stop(context_);
        for (std::size_t i = first; i < last; ++i) {
          const std::size_t from = std::max(other, i + 1), to = std::min(codes().size(), other + kAtOnce);
          if (from >= to) continue;
          const std::size_t count =
              simd::kernels().filter_signatures(codes().data() + from, to - from, codes()[i], distance_, hits.data());
          pairs.count_compared(to - from);
          for (std::size_t h = 0; h < count; ++h) {
            const std::size_t j = from + hits[h];
            pairs.add(ids_.id(static_cast<Entry>(i)), ids_.id(static_cast<Entry>(j)),
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

  // After sorting its room has all fingerprints once more.
  static_assert(sizeof(QuarterItem) == kSortRoom);
  [[nodiscard]] QuarterItem* items() { return reinterpret_cast<QuarterItem*>(room_.data()); }

  unsigned distance_;
  Reservation memory_;
  base::ZeroedArray<std::byte> room_;
  SortedRows sorted_;
  RowIds ids_;
  std::uint64_t rows_;
  base::PairOutput output_;
  const Context& context_;
  SearchStats stats_;
  std::mutex mutex_;
  tbb::enumerable_thread_specific<QuarterScratch> scratch_;
};

}  // namespace
}  // namespace hamming

SearchStats hamming_self_join(std::span<const std::uint64_t> bits, unsigned distance, PairSink& sink,
                              const Context& context) {
  hamming::check_distance(distance, 64);
  return base::guarded(context,
                       [&](const Context& call) { return hamming::SelfJoin(bits, distance, sink, call).run(); });
}

}  // namespace neardup
