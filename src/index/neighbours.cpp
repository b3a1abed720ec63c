#include "index/neighbours.h"

namespace neardup::indexing {

std::vector<Neighbour> find_neighbours(const LedgerView& ledger, const UnitSearch& search, const Content& content,
                                       UnitId except) {
  std::vector<Neighbour> found;
  if (!ledger.rules().content.can_match(content)) return found;
  std::vector<UnitId> candidates;
  search.candidates(content, candidates);
  for (const UnitId unit : candidates) {
    if (unit == except) continue;
    const std::optional<Content> other = ledger.content(unit);
    if (!other) continue;  // removed meanwhile
    if (const std::optional<double> score = ledger.rules().content.score(content, *other))
      found.push_back({.unit = unit, .score = *score, .is_equal = *other == content});
  }
  return found;
}

}  // namespace neardup::indexing
