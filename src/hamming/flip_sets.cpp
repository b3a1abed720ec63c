#include "hamming/flip_sets.h"

#include <algorithm>
#include <bit>

namespace neardup::hamming {
namespace {

// The heap's top is the cheapest; equal costs in the order of the sets, so that the order is one and the same always.
constexpr auto dearer = [](const auto& a, const auto& b) {
  return a.cost > b.cost || (a.cost == b.cost && a.ranks > b.ranks);
};

}  // namespace

void FlipSets::start(std::span<const FlipCost> costs, unsigned most_bits) {
  bits_ = static_cast<unsigned>(costs.size());
  for (unsigned i = 0; i < bits_; ++i) {
    unsigned rank = i;
    for (; rank > 0 && costs_[rank - 1] > costs[i]; --rank) {
      costs_[rank] = costs_[rank - 1];
      places_[rank] = places_[rank - 1];
    }
    costs_[rank] = costs[i];
    places_[rank] = std::uint64_t{1} << i;
  }
  heap_.clear();
  FlipCost cost = 0;
  std::uint64_t ranks = 0;
  for (unsigned size = 1; size <= std::min(most_bits, bits_); ++size) {
    cost += costs_[size - 1];
    ranks |= std::uint64_t{1} << (size - 1);
    push(cost, ranks);
  }
}

FlipSets::Flips FlipSets::next() {
  if (heap_.empty()) return {0, 0};
  std::pop_heap(heap_.begin(), heap_.end(), dearer);
  const Node node = heap_.back();
  heap_.pop_back();
  for (const std::uint64_t child : {left_child(node.ranks, bits_), right_child(node.ranks)}) {
    if (child == 0) continue;
    const int from = std::countr_zero(node.ranks & ~child), to = std::countr_zero(child & ~node.ranks);
    push(node.cost + costs_[to] - costs_[from], child);
  }
  Flips flips{0, node.cost};
  for (std::uint64_t ranks = node.ranks; ranks != 0; ranks &= ranks - 1) flips.mask |= places_[std::countr_zero(ranks)];
  return flips;
}

void FlipSets::push(FlipCost cost, std::uint64_t ranks) {
  heap_.push_back({cost, ranks});
  std::push_heap(heap_.begin(), heap_.end(), dearer);
}

}  // namespace neardup::hamming
