// May one document be removed in favour of another that contains it?
#pragma once

#include <cstdint>

#include "corpus/units.h"
#include "neardup/definition.h"

namespace neardup::search {

// A unit as containment sees it.
struct ContainedUnit {
  std::uint32_t size;          // features
  std::uint32_t short_length;  // words (characters) where they are fewer than a feature has; otherwise 0
};
inline ContainedUnit contained_unit(const corpus::Units& units, Unit unit) {
  return {units.size[unit], units.length.empty() ? 0 : units.length[unit]};
}

// Whether enough of `removed` is in `kept`, two different units that are a pair with this score. True for all
// measures but containment: there a pair says only that the smaller one is in the larger.
bool represents(const Definition&, const ContainedUnit& kept, const ContainedUnit& removed, double score);

}  // namespace neardup::search
