#include "join/forecast.h"

#include <algorithm>
#include <vector>

#include "base/system.h"
#include "join/algorithms.h"

namespace neardup::joins {
namespace {

// Every so many-th set, its tokens ranked anew among those of the sample.
OrderedSets sample_of(const OrderedSets& sets, Place stride) {
  std::vector<Rank> universe;
  for (Place place = 0; place < sets.size(); place += stride) {
    const auto tokens = sets.tokens(place);
    universe.insert(universe.end(), tokens.begin(), tokens.end());
  }
  std::sort(universe.begin(), universe.end());
  universe.erase(std::unique(universe.begin(), universe.end()), universe.end());
  std::vector<OrderedSets::Entry> entries;
  std::vector<std::uint64_t> begins{0};
  std::vector<Rank> ranks;
  for (Place place = 0; place < sets.size(); place += stride) {
    auto at = universe.begin();
    for (const Rank token : sets.tokens(place)) {
      at = std::lower_bound(at, universe.end(), token);
      ranks.push_back(static_cast<Rank>(at - universe.begin()));
    }
    begins.push_back(ranks.size());
    entries.push_back({.full_size = sets.full_size(place), .number = sets.number(place), .side = sets.side(place)});
  }
  ranks.resize(ranks.size() + OrderedSets::kPadding);
  return {sets.sides(), static_cast<Rank>(universe.size()), entries, begins, std::move(ranks)};
}

class PairCounter final : public PairSink {
 public:
  bool accept(std::span<const Pair> pairs) override {
    count += static_cast<double>(pairs.size());
    return true;
  }
  double count = 0;
};

}  // namespace

std::optional<JoinForecast> forecast(const OrderedSets& sets, const JoinOptions& options, const Context& context) {
  constexpr Place kSample = 1000, kWorthIt = 20'000;
  constexpr double kMeasurable = 0.1;  // seconds; less is mostly what threads take to begin, which does not grow
  if (sets.size() < kWorthIt) return std::nullopt;
  const JoinOptions plain{.measure = options.measure, .threshold = options.threshold};
  Context quiet = context;
  quiet.observer = nullptr;
  for (Place size = kSample;; size *= 2) {
    const OrderedSets sample = sample_of(sets, sets.size() / size);
    PairCounter counter;
    base::PairOutput output(counter, 0);
    JoinStats stats;
    signature({sample, plain, output, stats, quiet});
    if (stats.seconds.join < kMeasurable && size <= sets.size() / 16) continue;
    // Every set meets every other: both grow with the square.
    const double scale = static_cast<double>(sets.size()) / sample.size();
    return JoinForecast{.seconds = stats.seconds.join * scale * scale, .pairs = counter.count * scale * scale};
  }
}

}  // namespace neardup::joins
