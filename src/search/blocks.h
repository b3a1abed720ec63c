// In which portions do feature sets come into memory, so that every candidate pair is in memory together once?
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/row.h"

namespace neardup::search {

// Units in portions of at most a given size. No candidate pair crosses a group, so whole groups are packed together; a
// group that is larger than a portion is cut, and each two of its pieces meet.
struct BlockPlan {
  std::vector<std::vector<Unit>> blocks;
  // What to bring together: a block with itself (second = kAlone), or two blocks.
  std::vector<std::pair<std::size_t, std::size_t>> meetings;
  static constexpr std::size_t kAlone = ~std::size_t{0};
};

// `units` have a partner in their group. A block holds at most `block_features` features (or one set that is larger).
BlockPlan plan_blocks(std::vector<Unit> units, const PerUnit<Unit>& groups, const PerUnit<std::uint32_t>& set_size,
                      std::uint64_t block_features);

}  // namespace neardup::search
