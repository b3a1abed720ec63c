#include "search/decide.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/parallel.h"

namespace neardup::search {
namespace {

// The preferred copy of every unit.
std::vector<Row> best_copies(const corpus::UnitTable& table, const cluster::KeepTable& keep) {
  std::vector<Row> best = table.first_row;
  for (Row row = 0; row < table.rows(); ++row) {
    if (!table.has_unit(row)) continue;
    Row& current = best[table.unit_of_row[row]];
    if (row != current && keep.prefers(row, current)) current = row;
  }
  return best;
}

// For each unit the unit that leads its cluster.
std::vector<Unit> component_leaders(const SearchResult& search, const std::vector<Row>& best,
                                    const cluster::KeepTable& keep) {
  std::vector<Unit> leader_of_root(best.size(), corpus::kNoUnit);
  std::vector<Unit> leaders(best.size());
  for (Unit unit = 0; unit < best.size(); ++unit) {
    Unit& leader = leader_of_root[search.links->find(unit)];
    if (leader == corpus::kNoUnit || keep.prefers(best[unit], best[leader])) leader = unit;
  }
  for (Unit unit = 0; unit < best.size(); ++unit) leaders[unit] = leader_of_root[search.links->find(unit)];
  return leaders;
}

// star and complete go through the units in keep order, so their pairs are renamed by rank and sorted anew.
std::vector<Unit> ranked_leaders(const SearchResult& search, const std::vector<Row>& best,
                                 const cluster::KeepTable& keep, ClusterKind kind, std::size_t memory_bytes,
                                 const Context& context) {
  std::vector<Unit> by_rank(best.size());
  std::iota(by_rank.begin(), by_rank.end(), 0);
  std::sort(by_rank.begin(), by_rank.end(), [&](Unit a, Unit b) { return keep.prefers(best[a], best[b]); });
  std::vector<std::uint32_t> rank(best.size());
  for (std::size_t i = 0; i < by_rank.size(); ++i) rank[by_rank[i]] = static_cast<std::uint32_t>(i);

  const bool is_star = kind == ClusterKind::star;
  PairStore ranked(memory_bytes, context);
  search.pairs->for_each([&](const Pair& pair) {
    const auto [before, after] = std::minmax(rank[pair.left], rank[pair.right]);
    const Pair renamed{.left = is_star ? before : after, .right = is_star ? after : before, .score = pair.score};
    ranked.accept({&renamed, 1});
  });
  ranked.finish();
  const cluster::PairStream stream = [&](const std::function<void(cluster::RankedPair)>& visit) {
    ranked.for_each([&](const Pair& pair) {
      const auto left = static_cast<std::uint32_t>(pair.left), right = static_cast<std::uint32_t>(pair.right);
      visit(is_star ? cluster::RankedPair{left, right} : cluster::RankedPair{right, left});
    });
  };
  const auto leader_ranks = is_star ? cluster::star(best.size(), stream) : cluster::complete(best.size(), stream);
  std::vector<Unit> leaders(best.size());
  for (std::size_t i = 0; i < leader_ranks.size(); ++i) leaders[by_rank[i]] = by_rank[leader_ranks[i]];
  return leaders;
}

}  // namespace

Decision decide(const corpus::UnitTable& table, const SearchResult& search, const SimilarityOracle& oracle,
                const cluster::KeepTable& keep, ClusterKind kind, std::size_t memory_bytes, const Context& context) {
  const std::vector<Row> best = best_copies(table, keep);
  const std::vector<Unit> leaders = kind == ClusterKind::components
                                        ? component_leaders(search, best, keep)
                                        : ranked_leaders(search, best, keep, kind, memory_bytes, context);
  std::vector<Row> kept(table.units());
  for (Unit unit = 0; unit < table.units(); ++unit) {
    kept[unit] = oracle.copy_score(unit) ? best[leaders[unit]] : Decision::kItself;
  }
  return {table, std::move(kept)};
}

ClusterList list_clusters(const corpus::UnitTable& table, const Decision& decision) {
  // Members are counted at the leading unit; every cluster gets its place when its first member comes by.
  const auto cluster_of = [&](Row row) {
    const Unit unit = table.unit_of_row[row];
    return !table.has_unit(row) || decision.stands_alone(unit) ? corpus::kNoUnit : decision.leader(unit);
  };
  std::vector<std::uint32_t> members(table.units(), 0);
  for (Row row = 0; row < table.rows(); ++row) {
    if (const Unit cluster = cluster_of(row); cluster != corpus::kNoUnit) ++members[cluster];
  }
  constexpr std::uint64_t kUnplaced = std::numeric_limits<std::uint64_t>::max();
  std::vector<std::uint64_t> next(table.units(), kUnplaced);
  ClusterList list;
  std::uint64_t end = 0;
  for (Row row = 0; row < table.rows(); ++row) {
    const Unit cluster = cluster_of(row);
    if (cluster == corpus::kNoUnit || members[cluster] < 2 || next[cluster] != kUnplaced) continue;
    list.begin.push_back(end);
    next[cluster] = end;
    end += members[cluster];
  }
  list.begin.push_back(end);
  list.rows.resize(end);
  for (Row row = 0; row < table.rows(); ++row) {
    const Unit cluster = cluster_of(row);
    if (cluster != corpus::kNoUnit && members[cluster] >= 2) list.rows[next[cluster]++] = row;
  }
  return list;
}

std::vector<double> leader_scores(const corpus::UnitTable& table, const SearchResult& search, const SimilarityOracle& oracle,
                                  const Decision& decision, const Context& context) {
  std::vector<double> scores(table.units(), std::numeric_limits<double>::quiet_NaN());
  if (search.pairs) {
    search.pairs->for_each([&](const Pair& pair) {
      const auto left = static_cast<Unit>(pair.left), right = static_cast<Unit>(pair.right);
      if (decision.leader(left) == right) scores[left] = pair.score;
      if (decision.leader(right) == left) scores[right] = pair.score;
    });
  }
  // What the finder did not offer may meet the threshold all the same.
  const bool all_known = search.store == nullptr;
  base::parallel_for(context, table.units(), [&](std::size_t first, std::size_t last) {
    for (auto unit = static_cast<Unit>(first); unit < last; ++unit) {
      const Unit leader = decision.leader(unit);
      if (leader == unit) {
        scores[unit] = oracle.copy_score(unit).value_or(scores[unit]);
      } else if (!all_known && std::isnan(scores[unit])) {
        scores[unit] = oracle.score_anywhere(unit, leader).value_or(scores[unit]);
      }
    }
  });
  return scores;
}

}  // namespace neardup::search
