#include "hamming/flip_model.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/random.h"

namespace neardup::hamming {
namespace {

// Beyond these, odds would overflow their sums or make one flip as dear as five.
constexpr double kMostChance = 0.499, kLeastChance = 1e-6;
constexpr double kOddsUnit = 32768;

std::uint64_t fixed(double odds) { return static_cast<std::uint64_t>(std::lround(odds * kOddsUnit)); }

}  // namespace

FlipChances flip_chances(std::array<double, kLevels> chance) {
  FlipChances result;
  double most = kMostChance;
  for (std::size_t level = 0; level < kLevels; ++level) {
    most = std::clamp(chance[level], kLeastChance, most);
    const double odds = most / (1 - most);
    result.chance[level] = most;
    result.cost[level] = static_cast<FlipCost>(std::lround(-std::log(odds) * kCostUnit));
    result.powers[level] = fixed(odds) | fixed(odds * odds) << 21 | fixed(odds * odds * odds) << 42;
  }
  return result;
}

FlipChances sampled_chances(const HammingQueries& queries) {
  constexpr std::uint64_t kPairs = 4096;
  constexpr std::size_t kMost = 2 * kLevels;
  std::array<double, kLevels> chance{};
  const std::uint64_t n = queries.bits.size();
  if (n < 2) {
    // Weights have variance 1, that is 64 levels; their difference has 2.
    for (std::size_t level = 0; level < kLevels; ++level) {
      chance[level] = 0.5 * std::erfc((static_cast<double>(level) + 0.5) / 64 / 2);
    }
    return flip_chances(chance);
  }
  // Differences of a level's middles, by size: Y is symmetric.
  std::array<std::uint64_t, kMost> differences{};
  base::Random random(0x5ee);
  for (std::uint64_t pair = 0; pair < kPairs; ++pair) {
    const std::uint64_t u = random.below(n);
    const std::uint64_t v = (u + 1 + random.below(n - 1)) % n;
    const std::uint64_t opposite = queries.bits[u] ^ queries.bits[v];
    for (std::size_t bit = 0; bit < 64; ++bit) {
      const int a = queries.volatility[u].level[bit], b = queries.volatility[v].level[bit];
      ++differences[static_cast<std::size_t>((opposite >> bit & 1) != 0 ? a + b + 1 : std::abs(a - b))];
    }
  }
  std::uint64_t larger = 0;
  for (std::size_t size = kMost; size-- > 0;) {
    if (size < kLevels) chance[size] = 0.5 * static_cast<double>(larger) / (64.0 * kPairs);
    larger += differences[size];
  }
  return flip_chances(chance);
}

FlipChances calibrated_chances(std::span<const AlikePair> pairs, std::span<const Volatility> volatility) {
  constexpr double kEnough = 50;  // flips that make an estimate good to about a seventh
  std::array<double, kLevels> seen{}, flipped{};
  for (std::size_t first = 0, last; first < pairs.size(); first = last) {
    double differing = 0;
    for (last = first; last < pairs.size() && pairs[last].query == pairs[first].query; ++last) {
      differing += pairs[last].differing != 0 ? 1 : 0;
    }
    if (differing == 0) continue;
    const Volatility& levels = volatility[pairs[first].query];
    for (std::size_t bit = 0; bit < 64; ++bit) {
      double flips = 0;
      for (std::size_t i = first; i < last; ++i) flips += static_cast<double>(pairs[i].differing >> bit & 1);
      seen[levels.level[bit]] += 1;
      flipped[levels.level[bit]] += flips / differing;
    }
  }
  std::array<double, kLevels> chance{};
  for (std::size_t level = 0; level < kLevels; ++level) {
    double flips = flipped[level], all = seen[level];
    for (std::size_t reach = 1; flips < kEnough && reach < kLevels; ++reach) {
      if (level >= reach) flips += flipped[level - reach], all += seen[level - reach];
      if (level + reach < kLevels) flips += flipped[level + reach], all += seen[level + reach];
    }
    chance[level] = (flips + 0.5) / (all + 1);
  }
  return flip_chances(chance);
}

std::int64_t limit_for(std::span<const AlikePair> pairs, std::span<const std::int64_t> needs, MatchKind matches,
                       double target) {
  // Matches of one query flip much the same bits: it is queries that were sampled.
  constexpr double kErrors = 1;
  std::vector<std::pair<std::int64_t, std::uint64_t>> weighted;  // need, weight
  double queries = 0, all = 0;
  for (std::size_t first = 0, last; first < pairs.size(); first = last) {
    std::int64_t least = needs[first];
    for (last = first; last < pairs.size() && pairs[last].query == pairs[first].query; ++last) {
      least = std::min(least, needs[last]);
      // Equal ones are always found; counting them would let a search that finds few others pass.
      if (matches == MatchKind::all && pairs[last].differing != 0) weighted.emplace_back(needs[last], pairs[last].rows);
    }
    if (matches == MatchKind::first) weighted.emplace_back(least, 1);
    queries += 1;
  }
  if (weighted.empty()) return 0;
  for (const auto& [need, weight] : weighted) all += static_cast<double>(weight);
  std::sort(weighted.begin(), weighted.end());
  const double wanted = all * std::min(1.0, target + kErrors * std::sqrt(target * (1 - target) / queries));
  double found = 0;
  for (const auto& [need, weight] : weighted) {
    found += static_cast<double>(weight);
    if (found >= wanted) return need;
  }
  return weighted.back().first;
}

}  // namespace neardup::hamming
