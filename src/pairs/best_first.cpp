#include "pairs/best_first.h"

#include <algorithm>

#include "base/memory_plan.h"

namespace neardup::pairs {
namespace {

constexpr std::size_t kLeastInMemory = 4096;

}  // namespace

BestFirst::BestFirst(Measure measure, const Context& context)
    : sign_(is_distance(measure) ? 1 : -1),
      most_in_memory_(std::max(kLeastInMemory, base::plan_memory(context).pairs / (2 * sizeof(Placed)))),
      memory_(base::reservation(context)),
      runs_(context) {}

void BestFirst::add(const Pair& pair) {
  if (waiting_.size() == waiting_.capacity()) {
    const std::size_t more = std::clamp(2 * waiting_.size(), kLeastInMemory, most_in_memory_);
    const bool fits = waiting_.size() < more && base::try_hold(memory_, 2 * more * sizeof(Placed));
    if (fits || waiting_.empty()) {
      waiting_.reserve(more);
    } else {
      spill();
    }
  }
  waiting_.push_back({.cost = sign_ * pair.score, .place = pair.left << 32 | pair.right});
}

// Stable, as merging runs is, so that equal scores stay in the order in which they came.
void BestFirst::spill() {
  std::ranges::stable_sort(waiting_, Cheaper{});
  runs_.add(waiting_);
  waiting_.clear();
}

void BestFirst::finish() {
  if (runs_.empty()) {
    std::ranges::stable_sort(waiting_, Cheaper{});
  } else {
    spill();
  }
}

void BestFirst::for_each(const std::function<void(const Pair&)>& visit) const {
  const auto visit_placed = [&](const Placed& placed) {
    visit({.left = placed.place >> 32, .right = placed.place & 0xffffffff, .score = sign_ * placed.cost});
  };
  std::ranges::for_each(waiting_, visit_placed);
  runs_.for_each(visit_placed);
}

}  // namespace neardup::pairs
