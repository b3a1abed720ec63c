#include "search/blocks.h"

#include <algorithm>

namespace neardup::search {

BlockPlan plan_blocks(std::vector<Unit> units, const PerUnit<Unit>& groups, const PerUnit<std::uint32_t>& set_size,
                      std::uint64_t block_features) {
  std::sort(units.begin(), units.end(),
            [&](Unit a, Unit b) { return groups[a] != groups[b] ? groups[a] < groups[b] : a < b; });
  BlockPlan plan;
  std::vector<Unit> shared;  // a block of whole groups, not yet full
  std::uint64_t shared_features = 0;
  const auto close_shared = [&] {
    if (shared.empty()) return;
    plan.meetings.emplace_back(plan.blocks.size(), BlockPlan::kAlone);
    plan.blocks.push_back(std::move(shared));
    shared.clear();
    shared_features = 0;
  };

  for (std::size_t begin = 0, end = 0; begin < units.size(); begin = end) {
    std::uint64_t features = 0;
    while (end < units.size() && groups[units[end]] == groups[units[begin]]) features += set_size[units[end++]];
    const auto members = std::span(units).subspan(begin, end - begin);
    if (features <= block_features) {
      if (shared_features + features > block_features) close_shared();
      shared.insert(shared.end(), members.begin(), members.end());
      shared_features += features;
      continue;
    }
    const std::size_t first = plan.blocks.size();
    std::uint64_t filled = block_features + 1;
    for (const Unit unit : members) {
      if (filled + set_size[unit] > block_features) {
        plan.blocks.emplace_back();
        filled = 0;
      }
      plan.blocks.back().push_back(unit);
      filled += set_size[unit];
    }
    for (std::size_t i = first; i < plan.blocks.size(); ++i) {
      plan.meetings.emplace_back(i, BlockPlan::kAlone);
      for (std::size_t j = i + 1; j < plan.blocks.size(); ++j) plan.meetings.emplace_back(i, j);
    }
  }
  close_shared();
  return plan;
}

}  // namespace neardup::search
