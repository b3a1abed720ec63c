#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <mutex>
#include <utility>
#include <vector>

#include "base/system.h"
#include "hamming/distinct.h"
#include "hamming/flip_plan.h"
#include "hamming/kinds.h"
#include "hamming/limits.h"
#include "hamming/line_walk.h"
#include "hamming/match_buffer.h"
#include "hamming/searching.h"
#include "neardup/error.h"

namespace neardup::hamming {
namespace {

constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max() / 2;

// Two copies of the data, in lines addressed by the leading bits of the one half and of the other. A match within
// `distance` bits differs in at most distance / 2 bits of one half; for 0 to 3 that is none or one. So in each half
// only sets of so few header bits are flipped, and of these only the least firm. Threads: see HammingIndex.
class Hybrid final : public HammingIndex {
 public:
  Hybrid(const Distinct& distinct, unsigned line_bits)
      : high_(distinct.codes, KeyHalf::high, line_bits, PlainKey(line_bits)),
        low_(distinct.codes, KeyHalf::low, line_bits, PlainKey(line_bits)) {}
  void take(RowLists rows) { rows_ = std::move(rows); }

  [[nodiscard]] std::string_view kind() const noexcept override { return "hybrid"; }
  [[nodiscard]] std::string describe() const override {
    return fmt::format("two copies in lines addressed by {} header bits", line_bits());
  }
  [[nodiscard]] std::uint64_t size() const noexcept override { return rows_.total_rows(); }
  [[nodiscard]] std::uint64_t memory_bytes() const noexcept override {
    return high_.store().memory_bytes() + low_.store().memory_bytes() + rows_.memory_bytes();
  }
  // Up to 1, one half is equal.
  [[nodiscard]] bool exact_up_to(unsigned distance) const noexcept override { return distance <= 1; }

  SearchStats search(const HammingQueries& queries, const SearchOptions& options, PairSink& sink,
                     const Context& context) const override {
    check_distance(options.distance, 64);
    check_target(options.target_recall);
    check_volatility(queries, kind());
    const base::Stopwatch watch;
    const Limit limit = find_limit(queries, options, context);
    const double planning = watch.seconds();
    std::mutex mutex;
    std::uint64_t cut_short = 0;
    SearchStats stats =
        run_search(queries.bits.size(), sink, context, 256, [&](std::size_t first, std::size_t last, Found& found) {
          const WalkCounts counts = search_piece(queries, options, limit, first, last, found);
          found.probes += counts.probes;
          found.compared += counts.compared;
          found.largest_probe_count = std::max(found.largest_probe_count, counts.most_places - 2);
          const std::lock_guard lock(mutex);
          cut_short += counts.cut_short;
        });
    stats.search_seconds += planning;
    warn_of_crowds(cut_short, context);
    return stats;
  }

 private:
  // Sets of at most `bits` header bits whose levels, each and one, add up to at most `sum`.
  struct Limit {
    unsigned bits;
    std::int64_t sum;
  };

  [[nodiscard]] unsigned line_bits() const { return high_.store().line_bits(); }

  // What the header bits of a half that differ add up to; 0 when none does.
  [[nodiscard]] std::int64_t sum_of(const Volatility& query, std::uint64_t differing, unsigned half,
                                    unsigned most_bits) const {
    const unsigned first = (half == 0 ? 64 : 32) - line_bits();
    const std::uint64_t flips = differing >> first & ((std::uint64_t{1} << line_bits()) - 1);
    if (std::popcount(flips) > static_cast<int>(most_bits)) return kNever;
    std::int64_t sum = 0;
    for (std::uint64_t rest = flips; rest != 0; rest &= rest - 1) {
      sum += query.level[first + static_cast<unsigned>(std::countr_zero(rest))] + 1;
    }
    return sum;
  }

  // The sets of one half, as masks of its header.
  template <class Emit>
  void each_set(const Volatility& query, unsigned half, const Limit& limit, const Emit& emit) const {
    const std::uint8_t* levels = query.level.data() + (half == 0 ? 64 : 32) - line_bits();
    emit(std::uint32_t{0});
    if (limit.bits == 0) return;
    if (limit.bits == 1) {
      // First all that are wanted, then a place for each: the branch for each bit would be unpredictable.
      std::uint32_t wanted = 0;
      for (unsigned bit = 0; bit < line_bits(); ++bit)
        wanted |= static_cast<std::uint32_t>(levels[bit] < limit.sum) << bit;
      for (; wanted != 0; wanted &= wanted - 1) emit(wanted & (~wanted + 1));
      return;
    }
    std::size_t left = kMostPlaces / 2 - 1;
    extend(levels, 0, 0, limit.sum, limit.bits, left, emit);
  }

  template <class Emit>
  void extend(const std::uint8_t* levels, unsigned first, std::uint32_t mask, std::int64_t sum, unsigned bits,
              std::size_t& left, const Emit& emit) const {
    for (unsigned bit = first; bit < line_bits() && left > 0; ++bit) {
      if (levels[bit] >= sum) continue;
      --left;
      emit(mask | 1u << bit);
      if (bits > 1) extend(levels, bit + 1, mask | 1u << bit, sum - levels[bit] - 1, bits - 1, left, emit);
    }
  }

  // hit(query, code, entry) once for each match.
  template <class Hit>
  WalkCounts look(const HammingQueries& queries, const Limit& limit, std::size_t first, std::size_t last,
                  unsigned distance, const Hit& hit) const {
    LineWalk walk({&high_, &low_});
    const unsigned shift = 32 - line_bits();
    return walk.run(
        queries.bits, first, last, distance,
        [&](std::size_t query, const auto& emit) {
          const std::uint64_t bits = queries.bits[query];
          const std::uint32_t lines[2] = {static_cast<std::uint32_t>(bits >> 32) >> shift,
                                          static_cast<std::uint32_t>(bits) >> shift};
          for (unsigned half = 0; half < 2; ++half) {
            each_set(queries.volatility[query], half, limit,
                     [&](std::uint32_t mask) { emit(half, lines[half] ^ mask); });
          }
        },
        [&](std::uint64_t query, std::uint32_t table, std::uint64_t code, Entry entry) {
          if (table == 1) {
            if (found_by_high(queries.volatility[query], code ^ queries.bits[query], limit)) return;
            entry = *high_.find(code);
          }
          hit(query, code, entry);
        });
  }

  // The other table has reported it.
  [[nodiscard]] bool found_by_high(const Volatility& query, std::uint64_t differing, const Limit& limit) const {
    if (limit.bits <= 1) return sum_of(query, differing, 0, limit.bits) <= limit.sum;
    bool found = false;
    const auto flips = static_cast<std::uint32_t>(differing >> (64 - line_bits()));
    each_set(query, 0, limit, [&](std::uint32_t mask) { found |= mask == flips; });
    return found;
  }

  WalkCounts search_piece(const HammingQueries& queries, const SearchOptions& options, const Limit& limit,
                          std::size_t first, std::size_t last, Found& found) const {
    const auto distance_to = [&](std::uint64_t query, std::uint64_t code) {
      return static_cast<unsigned>(std::popcount(code ^ queries.bits[query]));
    };
    MatchBuffer matches(rows_, found);
    if (options.matches == MatchKind::all) {
      const WalkCounts counts = look(queries, limit, first, last, options.distance,
                                     [&](std::uint64_t query, std::uint64_t code, Entry entry) {
                                       matches.add(query, entry, distance_to(query, code));
                                     });
      matches.flush();
      return counts;
    }
    // The match whose flips add up to the least; among equals the lowest code.
    std::vector<BestMatch> best(last - first);
    const WalkCounts counts =
        look(queries, limit, first, last, options.distance, [&](std::uint64_t query, std::uint64_t code, Entry entry) {
          best[query - first].see(need(queries.volatility[query], code ^ queries.bits[query], limit.bits), entry,
                                  distance_to(query, code));
        });
    BestMatch::send_all(best, first, rows_, found);
    return counts;
  }

  // What the sums must reach for a match to be found.
  [[nodiscard]] std::int64_t need(const Volatility& query, std::uint64_t differing, unsigned most_bits) const {
    return std::min(sum_of(query, differing, 0, most_bits), sum_of(query, differing, 1, most_bits));
  }

  Limit find_limit(const HammingQueries& queries, const SearchOptions& options, const Context& context) const {
    Limit limit{.bits = options.distance / 2, .sum = 256 * std::int64_t{options.distance / 2}};
    if (limit.bits == 0 || rows_.total_rows() == 0 || queries.bits.empty()) return limit;
    // With one bit a half, everything is looked at; with more, as many places as a query may have.
    const QuerySample sample(queries);
    const HammingQueries sampled = sample.queries();
    Limit generous = limit;
    if (limit.bits > 1) generous.sum = 160;
    const SampledPairs alike = sample_pairs(
        sample.size(), kEnoughPartners,
        [&](std::size_t first, std::size_t last, AlikePairs& pairs) {
          look(sampled, generous, first, last, options.distance,
               [&](std::uint64_t query, std::uint64_t code, Entry entry) {
                 pairs.add(query, code ^ sampled.bits[query], rows_.rows(entry));
               });
        },
        context);
    if (alike.too_few()) {
      warn_of_few(alike, sample.size(), context);
      return generous;
    }
    std::vector<std::int64_t> needs(alike.pairs.size());
    for (std::size_t i = 0; i < needs.size(); ++i) {
      needs[i] = need(sampled.volatility[alike.pairs[i].query], alike.pairs[i].differing, limit.bits);
    }
    limit.sum = std::min(generous.sum, limit_for(alike.pairs, needs, options.matches, options.target_recall));
    return limit;
  }

  PlainTable high_, low_;
  RowLists rows_;
};

}  // namespace

std::unique_ptr<HammingIndex> make_hybrid(const Build& build) {
  Distinct distinct = find_distinct(build.bits, build.context);
  const std::uint64_t codes = distinct.codes.size();
  const unsigned bits = LineStore::suitable_bits(codes);
  check_memory("hybrid", 2 * LineStore::expected_bytes(bits, codes) + distinct.rows.memory_bytes(),
               build.options.memory_bytes);
  auto index = std::make_unique<Hybrid>(distinct, bits);
  index->take(std::move(distinct.rows));
  return index;
}

}  // namespace neardup::hamming
