#include "hamming/volatile_bits.h"

#include <fmt/format.h>

#include <cmath>
#include <mutex>
#include <tuple>
#include <utility>

#include "base/system.h"
#include "hamming/distinct.h"
#include "hamming/flip_sets.h"
#include "hamming/kinds.h"
#include "hamming/limits.h"
#include "hamming/match_buffer.h"
#include "hamming/probable_flips.h"
#include "hamming/searching.h"
#include "neardup/error.h"

namespace neardup::hamming {

SortedLayout::SortedLayout(SortedCodes codes, unsigned header_bits)
    : header_bits_(header_bits), codes_(std::move(codes)), begins_((std::size_t{1} << header_bits) + 1) {
  for (const std::uint64_t code : codes_) ++begins_[(code >> (64 - header_bits_)) + 1];
  for (std::size_t place = 1; place < begins_.size(); ++place) begins_[place] += begins_[place - 1];
}

std::uint64_t SortedLayout::memory_bytes() const {
  return codes_.capacity() * sizeof(std::uint64_t) + begins_.capacity() * sizeof(std::uint32_t);
}

std::string SortedLayout::describe() const {
  return fmt::format("one ascending copy with a directory of {} header bits", header_bits_);
}

std::string LineLayout::describe() const {
  return fmt::format("one copy in lines addressed by {} header bits", header_bits());
}

namespace {

// Places that a query looks in, on average, while nothing is known of the flips in similar pairs.
constexpr std::size_t kPilotPlaces = 192;

// Calls emit for the empty set and then for the likeliest `places` sets.
template <class Emit>
void likeliest_flips(FlipSets& sets, const FlipChances& chances, const Volatility& query, unsigned header_bits,
                     unsigned distance, std::size_t places, const Emit& emit) {
  FlipCost costs[32];
  for (unsigned bit = 0; bit < header_bits; ++bit) costs[bit] = chances.cost[query.level[64 - header_bits + bit]];
  sets.start({costs, header_bits}, distance);
  emit(std::uint32_t{0});
  for (; places > 0; --places) {
    const std::uint64_t mask = sets.next().mask;
    if (mask == 0) return;
    emit(static_cast<std::uint32_t>(mask));
  }
}

// Which bits flip, and where to stop: after `places` sets in order of probability, or at a limit of cost.
struct FlipPlan {
  FlipChances chances;
  bool in_order = false;
  std::size_t places = 0;
  FlipCost limit = 0;
};

// One copy of the data; the query's least certain bits are flipped first. Threads: see HammingIndex.
template <class Layout>
class VolatileBits final : public HammingIndex {
 public:
  VolatileBits(Layout layout, RowLists rows) : layout_(std::move(layout)), rows_(std::move(rows)) {}

  [[nodiscard]] std::string_view kind() const noexcept override { return "volatile-bits"; }
  [[nodiscard]] std::string describe() const override { return layout_.describe(); }
  [[nodiscard]] std::uint64_t size() const noexcept override { return rows_.total_rows(); }
  [[nodiscard]] std::uint64_t memory_bytes() const noexcept override {
    return layout_.memory_bytes() + rows_.memory_bytes();
  }
  // Equal fingerprints have equal headers.
  [[nodiscard]] bool exact_up_to(unsigned distance) const noexcept override { return distance == 0; }

  SearchStats search(const HammingQueries& queries, const SearchOptions& options, PairSink& sink,
                     const Context& context) const override {
    check_distance(options.distance, 64);
    check_target(options.target_recall);
    check_volatility(queries, kind());
    const base::Stopwatch watch;
    const FlipPlan plan = make_plan(queries, options, context);
    const double planning = watch.seconds();
    std::mutex mutex;
    std::uint64_t cut_short = 0;
    SearchStats stats =
        run_search(queries.bits.size(), sink, context, 256, [&](std::size_t first, std::size_t last, Found& found) {
          const WalkCounts counts = search_piece(queries, options, plan, first, last, found);
          found.probes += counts.probes;
          found.compared += counts.compared;
          found.largest_probe_count = std::max(found.largest_probe_count, counts.most_places - 1);
          const std::lock_guard lock(mutex);
          cut_short += counts.cut_short;
        });
    stats.search_seconds += planning;
    warn_of_crowds(cut_short, context);
    return stats;
  }

 private:
  // Looks for some queries. hit as the layout has it.
  template <class Hit>
  WalkCounts look(const HammingQueries& queries, const FlipPlan& plan, std::size_t first, std::size_t last,
                  unsigned distance, const Hit& hit) const {
    if (plan.in_order) {
      FlipSets sets;
      return layout_.look(
          queries.bits, first, last, distance,
          [&](std::size_t query, const auto& emit) {
            likeliest_flips(sets, plan.chances, queries.volatility[query], layout_.header_bits(), distance, plan.places,
                            emit);
          },
          hit);
    }
    const ProbableFlips flips(plan.chances, layout_.header_bits(), distance);
    return layout_.look(
        queries.bits, first, last, distance,
        [&](std::size_t query, const auto& emit) {
          flips.each(queries.volatility[query], plan.limit, kMostPlaces - 1, emit);
        },
        hit);
  }

  WalkCounts search_piece(const HammingQueries& queries, const SearchOptions& options, const FlipPlan& plan,
                          std::size_t first, std::size_t last, Found& found) const {
    MatchBuffer matches(rows_, found);
    const auto distance_to = [&](std::uint64_t query, std::uint64_t code) {
      return static_cast<unsigned>(std::popcount(code ^ queries.bits[query]));
    };
    if (options.matches == MatchKind::all) {
      const WalkCounts counts =
          look(queries, plan, first, last, options.distance, [&](std::uint64_t query, std::uint64_t code, Entry entry) {
            matches.add(query, entry, distance_to(query, code));
            return true;
          });
      matches.flush();
      return counts;
    }
    // The match whose flips are the most probable; among equals, and in one place, the lowest code.
    const ProbableFlips flips(plan.chances, layout_.header_bits(), options.distance);
    std::vector<BestMatch> best(last - first);
    const WalkCounts counts =
        look(queries, plan, first, last, options.distance, [&](std::uint64_t query, std::uint64_t code, Entry entry) {
          FlipCost offsets[65] = {};
          const Volatility& levels = queries.volatility[query];
          if (!plan.in_order) flips.offsets(levels, offsets);
          best[query - first].see(flips.cost(levels, code ^ queries.bits[query], offsets), entry,
                                  distance_to(query, code));
          return false;
        });
    BestMatch::send_all(best, first, rows_, found);
    return counts;
  }

  FlipPlan make_plan(const HammingQueries& queries, const SearchOptions& options, const Context& context) const {
    FlipPlan plan;
    plan.in_order = Layout::kInOrder || options.max_probes != 0;
    plan.places = std::min<std::size_t>(options.max_probes, kMostPlaces - 1);
    plan.chances = sampled_chances(queries);
    if (options.distance == 0 || rows_.total_rows() == 0 || queries.bits.empty()) {
      plan.in_order = true;
      plan.places = 0;
      return plan;
    }
    if (options.max_probes == 0 || options.flips != FlipModel::sampled) calibrate(plan, queries, options, context);
    return plan;
  }

  // Learns from pairs of a sample which bits flip and, unless the number of places is given, where to stop.
  void calibrate(FlipPlan& plan, const HammingQueries& queries, const SearchOptions& options,
                 const Context& context) const {
    const QuerySample sample(queries);
    const HammingQueries sampled = sample.queries();
    // The weights at large say which bits flip first, but make too much of those that hardly ever do: a few pairs found
    // with them serve to find better ones.
    constexpr std::size_t kPilotPartners = 60;
    FlipPlan generous{.chances = plan.chances,
                      .limit = limit_of(kPilotPlaces, sampled, plan.chances, options.distance)};
    SampledPairs alike = find_alike(sampled, generous, options.distance, kPilotPartners, context);
    if (alike.too_few()) {
      warn_of_few(alike, sample.size(), context);
      plan.limit = generous.limit;
      if (options.max_probes == 0) plan.places = kPilotPlaces;
      return;
    }
    // The sample sees beyond the target, and what it does not see is allowed for.
    double seen = 1;
    for (const std::size_t enough : {kPilotPartners, kEnoughPartners}) {
      generous.chances = calibrated_chances(alike.pairs, sampled.volatility);
      std::tie(generous.limit, seen) =
          limit_seeing(1 - (1 - options.target_recall) / 10, sampled, generous.chances, options.distance);
      alike = find_alike(sampled, generous, options.distance, enough, context);
    }
    if (options.flips == FlipModel::calibrated) {
      plan.chances = calibrated_chances(alike.pairs, sampled.volatility);
    }
    if (options.max_probes != 0) return;
    const std::int64_t limit = limit_for(alike.pairs, needs_of(alike.pairs, sampled, plan, options.distance),
                                         options.matches, options.target_recall / seen);
    plan.limit = static_cast<FlipCost>(limit);
    plan.places = static_cast<std::size_t>(limit);
  }

  // Pairs of sampled queries and rows that this plan finds.
  SampledPairs find_alike(const HammingQueries& sampled, const FlipPlan& generous, unsigned distance,
                          std::size_t enough, const Context& context) const {
    return sample_pairs(
        sampled.bits.size(), enough,
        [&](std::size_t first, std::size_t last, AlikePairs& pairs) {
          look(sampled, generous, first, last, distance, [&](std::uint64_t query, std::uint64_t code, Entry entry) {
            pairs.add(query, code ^ sampled.bits[query], rows_.rows(entry));
            return true;
          });
        },
        context);
  }

  // How far a search by this plan has to go to find each pair: in sets, or in cost.
  [[nodiscard]] std::vector<std::int64_t> needs_of(std::span<const AlikePair> pairs, const HammingQueries& sampled,
                                                   const FlipPlan& plan, unsigned distance) const {
    std::vector<std::int64_t> needs(pairs.size());
    if (plan.in_order) {
      ranks(pairs, sampled, plan.chances, distance, needs);
      return needs;
    }
    const ProbableFlips flips(plan.chances, layout_.header_bits(), distance);
    for (std::size_t i = 0; i < needs.size(); ++i) {
      const Volatility& levels = sampled.volatility[pairs[i].query];
      FlipCost offsets[65];
      flips.offsets(levels, offsets);
      needs[i] = flips.cost(levels, pairs[i].differing, offsets);
    }
    return needs;
  }

  // How many sets come before that of each pair, in order of probability.
  void ranks(std::span<const AlikePair> pairs, const HammingQueries& sampled, const FlipChances& chances,
             unsigned distance, std::span<std::int64_t> ranks) const {
    constexpr std::size_t kMost = 1024;
    const unsigned shift = 64 - layout_.header_bits();
    FlipSets sets;
    for (std::size_t first = 0, last; first < pairs.size(); first = last) {
      for (last = first; last < pairs.size() && pairs[last].query == pairs[first].query; ++last) ranks[last] = kMost;
      std::int64_t rank = 0;
      std::size_t missing = last - first;
      likeliest_flips(sets, chances, sampled.volatility[pairs[first].query], layout_.header_bits(), distance, kMost - 1,
                      [&](std::uint32_t mask) {
                        if (missing != 0) {
                          for (std::size_t i = first; i < last; ++i) {
                            if (pairs[i].differing >> shift != mask) continue;
                            ranks[i] = rank;
                            --missing;
                          }
                        }
                        ++rank;
                      });
    }
  }

  // The limit up to which queries look in this many places on average.
  [[nodiscard]] FlipCost limit_of(std::size_t wanted, const HammingQueries& sampled, const FlipChances& chances,
                                  unsigned distance) const {
    const ProbableFlips flips(chances, layout_.header_bits(), distance);
    const std::size_t queries = std::min<std::size_t>(sampled.bits.size(), 64);
    FlipCost low = 0, high = static_cast<FlipCost>(64 * kCostUnit);
    while (high - low > static_cast<FlipCost>(kCostUnit / 16)) {
      const FlipCost middle = low + (high - low) / 2;
      std::size_t places = 0;
      for (std::size_t i = 0; i < queries; ++i) {
        flips.each(sampled.volatility[i], middle, kMostPlaces - 1, [&](std::uint32_t) { ++places; });
      }
      (places > queries * wanted ? high : low) = middle;
    }
    return high;
  }

  // The limit up to which sets have at least that share of the probability, on average, and the share that they have.
  [[nodiscard]] std::pair<FlipCost, double> limit_seeing(double share, const HammingQueries& sampled,
                                                         const FlipChances& chances, unsigned distance) const {
    constexpr FlipCost kStep = static_cast<FlipCost>(kCostUnit / 4), kMost = static_cast<FlipCost>(40 * kCostUnit);
    const ProbableFlips flips(chances, layout_.header_bits(), distance);
    const std::size_t queries = std::min<std::size_t>(sampled.bits.size(), 32);
    FlipCost limit = 0;
    double seen = 0;
    for (std::size_t places = 0; seen < share * static_cast<double>(queries) && limit < kMost;) {
      if (places > queries * (kMostPlaces / 2)) break;
      limit += kStep;
      seen = 0;
      places = 0;
      for (std::size_t i = 0; i < queries; ++i) {
        const Volatility& levels = sampled.volatility[i];
        FlipCost offsets[65];
        flips.offsets(levels, offsets);
        flips.each(levels, limit, kMostPlaces - 1, [&](std::uint32_t mask) {
          ++places;
          const std::uint64_t differing = std::uint64_t{mask} << (64 - layout_.header_bits());
          seen += std::exp(-flips.cost(levels, differing, offsets) / kCostUnit);
        });
      }
    }
    return {limit, seen / static_cast<double>(queries)};
  }

  Layout layout_;
  RowLists rows_;
};

}  // namespace

std::unique_ptr<HammingIndex> make_volatile_bits(const Build& build) {
  constexpr unsigned kLeastHeader = 16, kMostHeader = 26;
  constexpr std::size_t kManyCodes = std::size_t{1} << 18;  // where lines are fuller than a directory's places
  const unsigned asked = build.options.header_bits;
  if (asked != 0 && (asked < kLeastHeader || asked > kMostHeader)) {
    throw Error(ErrorCode::usage,
                fmt::format("`header_bits` {} is not within {} to {}", asked, kLeastHeader, kMostHeader),
                "header_bits");
  }
  Distinct distinct = find_distinct(build.bits, build.context);
  const std::uint64_t codes = distinct.codes.size(), row_bytes = distinct.rows.memory_bytes();
  const std::uint64_t allowed = build.options.memory_bytes;
  if (asked == 0 && codes >= kManyCodes) {
    const unsigned bits = LineStore::suitable_bits(codes);
    if (allowed == 0 || LineStore::expected_bytes(bits, codes) + row_bytes <= allowed) {
      return std::make_unique<VolatileBits<LineLayout>>(LineLayout(distinct.codes, bits), std::move(distinct.rows));
    }
  }
  unsigned bits =
      asked != 0 ? asked : std::clamp(static_cast<unsigned>(std::bit_width(codes)), kLeastHeader, kMostHeader);
  const auto needed = [&] { return SortedLayout::expected_bytes(codes, bits) + row_bytes; };
  while (asked == 0 && allowed != 0 && needed() > allowed && bits > kLeastHeader) --bits;
  check_memory("volatile-bits", needed(), allowed);
  return std::make_unique<VolatileBits<SortedLayout>>(SortedLayout(std::move(distinct.codes), bits),
                                                      std::move(distinct.rows));
}

}  // namespace neardup::hamming
