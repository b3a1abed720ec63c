#include "search/decide.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "base/parallel.h"
#include "base/system.h"

namespace neardup::search {
namespace {

bool prefers(const cluster::KeepTable& keep, Row a, Row b) { return keep.prefers(index(a), index(b)); }

// The preferred copy of every unit.
PerUnit<Row> best_copies(const corpus::Units& units, const cluster::KeepTable& keep) {
  PerUnit<Row> best = units.first_row;
  for (const Row row : all<Row>(units.rows())) {
    if (!units.has_unit(row)) continue;
    Row& current = best[units.unit_of_row[row]];
    if (row != current && prefers(keep, row, current)) current = row;
  }
  return best;
}

// For each unit the unit that leads its cluster.
PerUnit<Unit> component_leaders(const Found& found, const PerUnit<Row>& best, const cluster::KeepTable& keep) {
  const auto root = [&](Unit unit) { return unit_of(found.links->find(index(unit))); };
  PerUnit<Unit> leader_of_root(best.size(), kNoUnit);
  for (const Unit unit : best.numbers()) {
    Unit& leader = leader_of_root[root(unit)];
    if (leader == kNoUnit || prefers(keep, best[unit], best[leader])) leader = unit;
  }
  PerUnit<Unit> leaders(best.size());
  for (const Unit unit : best.numbers()) leaders[unit] = leader_of_root[root(unit)];
  return leaders;
}

// star and complete go through the units in keep order, so their pairs are renamed by rank and sorted again.
PerUnit<Unit> ranked_leaders(const Found& found, const Scorer& scorer, const PerUnit<Row>& best,
                             const cluster::KeepTable& keep, ClusterKind kind, const Context& context) {
  std::vector<Unit> by_rank(best.numbers().begin(), best.numbers().end());
  std::ranges::sort(by_rank, [&](Unit a, Unit b) { return prefers(keep, best[a], best[b]); });
  PerUnit<std::uint32_t> rank(best.size());
  for (std::uint32_t i = 0; i < by_rank.size(); ++i) rank[by_rank[i]] = i;

  const bool is_star = kind == ClusterKind::star;
  PairStore ranked(context);
  found.pairs->for_each([&](const Pair& pair) {
    const auto [before, after] = std::minmax(rank[unit_of(pair.left)], rank[unit_of(pair.right)]);
    const bool follows = scorer.may_represent(by_rank[before], by_rank[after], pair.score);
    if (is_star && !follows) return;
    const Pair renamed{
        .left = is_star ? before : after, .right = is_star ? after : before, .score = follows ? 1.0 : 0.0};
    ranked.accept({&renamed, 1});
  });
  ranked.finish();
  const cluster::PairStream stream = [&](const std::function<void(cluster::RankedPair)>& visit) {
    ranked.for_each([&](const Pair& pair) {
      const auto left = static_cast<std::uint32_t>(pair.left), right = static_cast<std::uint32_t>(pair.right);
      visit(is_star ? cluster::RankedPair{left, right} : cluster::RankedPair{right, left, pair.score != 0});
    });
  };
  const auto leader_ranks = is_star ? cluster::star(best.size(), stream) : cluster::complete(best.size(), stream);
  PerUnit<Unit> leaders(best.size());
  for (std::size_t i = 0; i < leader_ranks.size(); ++i) leaders[by_rank[i]] = by_rank[leader_ranks[i]];
  return leaders;
}

}  // namespace

Clusters decide(const corpus::Units& units, const Found& found, const Scorer& scorer, const cluster::KeepTable& keep,
                ClusterKind kind, const Context& context) {
  constexpr std::size_t kBytesPerUnit = 5 * sizeof(std::uint32_t);
  Reservation memory = base::reservation(context);
  memory.hold(units.units() * kBytesPerUnit + units.rows() * sizeof(Clusters::Member));
  const PerUnit<Row> best = best_copies(units, keep);
  const PerUnit<Unit> leaders = kind == ClusterKind::components
                                    ? component_leaders(found, best, keep)
                                    : ranked_leaders(found, scorer, best, keep, kind, context);
  std::vector<Clusters::Member> representatives(units.rows());
  for (const Row row : all<Row>(units.rows())) {
    const Unit unit = units.unit_of_row[row];
    const bool is_led = units.has_unit(row) && scorer.copy_score(unit);
    representatives[index(row)] = index(is_led ? best[leaders[unit]] : row);
  }
  return Clusters(std::move(representatives), units.status.values());
}

PerUnit<double> leader_scores(const corpus::Units& units, const Found& found, const Scorer& scorer,
                              const Clusters& clusters, const Context& context) {
  PerUnit<double> scores(units.units(), std::numeric_limits<double>::quiet_NaN());
  const auto leader = [&](Unit unit) { return leader_of(units, clusters, unit); };
  if (found.pairs) {
    found.pairs->for_each([&](const Pair& pair) {
      const Unit left = unit_of(pair.left), right = unit_of(pair.right);
      if (leader(left) == right) scores[left] = pair.score;
      if (leader(right) == left) scores[right] = pair.score;
    });
  }
  // What the finder did not offer may meet the threshold anyway.
  const bool all_known = found.sets == nullptr;
  base::parallel_for(context, units.units(), [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const Unit unit = unit_of(i);
      if (leader(unit) == unit) {
        scores[unit] = scorer.copy_score(unit).value_or(scores[unit]);
      } else if (!all_known && std::isnan(scores[unit])) {
        scores[unit] = scorer.score_anywhere(unit, leader(unit)).value_or(scores[unit]);
      }
    }
  });
  return scores;
}

}  // namespace neardup::search
