#include "search/containing.h"

#include <algorithm>
#include <cmath>

#include "similarity/measures.h"

namespace neardup::search {

bool represents(const Definition& definition, const ContainedUnit& kept, const ContainedUnit& removed, double score) {
  if (definition.measure != Measure::containment) return true;
  if (removed.size == 0) return true;  // a pair none of whose features counts: copies on two sides
  // A pair with a short one means that the one with fewer words stands in the other as a whole, and nothing else.
  if (removed.short_length != 0) return kept.short_length == 0 || removed.short_length < kept.short_length;
  if (kept.short_length != 0) return false;
  // Sizes are below 2^32, so the quotient gives the overlap back.
  const auto overlap = static_cast<std::uint64_t>(std::llround(score * std::min(kept.size, removed.size)));
  return overlap >= similarity::Contained::min_overlap(removed.size, kept.size, definition.threshold);
}

}  // namespace neardup::search
