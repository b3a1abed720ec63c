// Which algorithms are there, and what does each get to work with?
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "base/pair_output.h"
#include "join/ordered_sets.h"
#include "neardup/join.h"

namespace neardup::joins {

// One join of ordered sets. The algorithm fills the statistics `index`, `filters`, `candidates`, `pairs` and `seconds`;
// it checks `context` for a request to stop now and then, and ends early when the output has had enough.
struct SetJoin {
  const OrderedSets& sets;
  const JoinOptions& options;
  base::PairOutput& output;
  JoinStats& stats;
  const Context& context;
};

// The table of algorithms for the set measures, one file each.
struct SetAlgorithm {
  std::string_view name;
  void (*run)(const SetJoin&);
  bool knows_sides;  // serves Measure::contained, which is not symmetric
};
// The one that "auto" means.
const SetAlgorithm& best_algorithm(Measure);
std::span<const SetAlgorithm> set_algorithms();

// Runs the algorithm that the options name and completes the statistics but for the records and their ordering.
void run_set_join(const OrderedSets&, const JoinOptions&, PairSink&, JoinStats&, const Context&);

void brute_force(const SetJoin&);  // every pair whose sizes allow it
void all_pairs(const SetJoin&);    // prefixes and sizes (Bayardo et al. 2007)
void ppjoin(const SetJoin&);       // and positions (Xiao et al. 2008, Algorithm 1)
void ppjoin_plus(const SetJoin&);  // and suffixes (Algorithms 3 to 5)
void signature(const SetJoin&);    // and parity signatures of the suffixes: ours
void containment(const SetJoin&);  // prefixes of the smaller set, all tokens of the larger: ours

}  // namespace neardup::joins
