#include "index/neighbours.h"

namespace neardup::indexing {

std::vector<Neighbour> verified_neighbours(const LedgerView& ledger, const Content& content,
                                           std::span<const UnitId> candidates, UnitId except) {
  std::vector<Neighbour> found;
  for (const UnitId unit : candidates) {
    if (unit == except) continue;
    const std::optional<Content> other = ledger.content(unit);
    if (!other) continue;  // removed meanwhile
    if (const std::optional<double> score = ledger.rules().content.score(content, *other))
      found.push_back({.unit = unit, .score = *score, .is_equal = *other == content});
  }
  return found;
}

std::vector<Neighbour> find_neighbours(const LedgerView& ledger, const UnitSearch& search, const Content& content,
                                       UnitId except) {
  if (!ledger.rules().content.can_match(content)) return {};
  std::vector<UnitId> candidates;
  search.candidates(content, candidates);
  return verified_neighbours(ledger, content, candidates, except);
}

}  // namespace neardup::indexing
