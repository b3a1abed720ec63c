// How are pairs put in the order of their scores when they may not all fit into memory?
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/sorted_runs.h"
#include "neardup/context.h"
#include "neardup/definition.h"
#include "neardup/memory.h"
#include "neardup/pair.h"

namespace neardup::pairs {

// The best pair first; pairs with equal scores in the order in which they came. 16 bytes a pair and as much again while
// they are sorted, up to a plan's share for pairs (base/memory_plan.h); what exceeds it waits in temporary files.
// Threads: one at a time.
class BestFirst {
 public:
  BestFirst(Measure, const Context&);
  void add(const Pair&);
  void finish();  // after the last add()
  // Any number of times, after finish().
  void for_each(const std::function<void(const Pair&)>&) const;

 private:
  struct Placed {
    double cost;  // the smaller, the better
    std::uint64_t place;
  };
  struct Cheaper {
    bool operator()(const Placed& a, const Placed& b) const { return a.cost < b.cost; }
  };
  void spill();

  double sign_;  // of a cost beside its score
  std::size_t most_in_memory_;
  Reservation memory_;
  std::vector<Placed> waiting_;  // sorted after finish(), when there are no runs
  base::SortedRuns<Placed, Cheaper> runs_;
};

}  // namespace neardup::pairs
