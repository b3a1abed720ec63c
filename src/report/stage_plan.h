// Which stages will a run have, and how long will each take beside the others?
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "neardup/collection.h"
#include "neardup/context.h"
#include "neardup/definition.h"

namespace neardup::report {

struct PlanRequest {
  const Collection& collection;
  const Collection* against;  // null: none, or it is done
  const Definition& definition;
  bool counts = false;   // features, for weights by rarity
  bool reads = true;     // false: what reading finds out is known already
  bool searches = true;  // false: the pairs are known already
  bool is_exact = true;
  bool measures_recall = false;
  bool names = true;            // are looked up
  std::string_view last{};      // the stage that writes, or looks up examples; empty: none
  std::string_view codec{};     // of what is written; empty: as the input
  std::uint64_t documents = 0;  // about so many different ones; 0: not known yet
};

std::vector<PlannedStage> plan_stages(const PlanRequest&, const Context&);
// Tells the observer, if there is one.
void announce_stages(const PlanRequest&, const Context&);

}  // namespace neardup::report
