// Pass two of an exact search: bring the units of one collection, or of two, together, and join them.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "corpus/census.h"
#include "corpus/units.h"
#include "join/shared_filter.h"
#include "neardup/definition.h"
#include "neardup/document.h"
#include "neardup/join.h"

namespace neardup::search {

struct ExactSide {
  const Collection& collection;
  const corpus::UnitTable& table;
  std::uint64_t content;  // corpus::ReadResult::content
};

struct ExactRequest {
  std::span<const ExactSide> sides;  // one, or two
  const Definition& definition;
  std::unique_ptr<joins::SharedFilter> shared;  // has been shown every unit's set; null: nobody was asked
  JoinOptions options;                          // measure and threshold come from the definition
};

// Every pair of units that meets the definition, in any order.
JoinStats join_units(ExactRequest, PairSink&, const Context&);

// A filter of the right size for pass one over these collections.
std::unique_ptr<joins::SharedFilter> make_shared_filter(std::span<const Collection* const>, const Definition&,
                                                        const Context&);

}  // namespace neardup::search
