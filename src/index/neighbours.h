// Which units of an index are near-duplicates of this content?
#pragma once

#include <span>
#include <vector>

#include "index/ledger.h"
#include "index/unit_search.h"

namespace neardup::indexing {

struct Neighbour {
  UnitId unit = 0;
  double score = 0;
  bool is_equal = false;  // the same content
};

// Ascending by unit, each verified on what the store has. `except` is left out.
std::vector<Neighbour> find_neighbours(const LedgerView&, const UnitSearch&, const Content&, UnitId except = 0);

// The same for candidates that are known.
std::vector<Neighbour> verified_neighbours(const LedgerView&, const Content&, std::span<const UnitId> candidates,
                                           UnitId except = 0);

}  // namespace neardup::indexing
