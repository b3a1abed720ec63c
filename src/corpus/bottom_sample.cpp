#include "corpus/bottom_sample.h"

#include <algorithm>
#include <functional>

namespace neardup::corpus {

void BottomSample::add(Row row, Unit unit, std::vector<Feature> set) {
  if (!wants(row)) return;
  features_ += set.size();
  heap_.push_back({lot(row), unit, std::move(set)});
  std::push_heap(heap_.begin(), heap_.end());
  while (heap_.size() > most_documents_ || (features_ > most_features_ && heap_.size() > 1)) {
    limit_.store(heap_.front().lot, std::memory_order_relaxed);
    features_ -= heap_.front().set.size();
    std::pop_heap(heap_.begin(), heap_.end());
    heap_.pop_back();
  }
}

std::vector<BottomSample::Drawn> BottomSample::take() {
  std::sort_heap(heap_.begin(), heap_.end());
  return std::move(heap_);
}

void BottomSample::save(base::StateWriter& out, std::span<const Drawn> sample) {
  out.value<std::uint64_t>(sample.size());
  for (const Drawn& drawn : sample) {
    out.value(drawn.lot);
    out.value(drawn.unit);
    out.array(drawn.set);
  }
}

std::vector<BottomSample::Drawn> BottomSample::load(base::StateReader& in, const PerUnit<std::uint32_t>& set_sizes) {
  std::vector<Drawn> sample;
  PerUnit<bool> is_drawn(set_sizes.size());
  for (std::size_t left = in.count(1); left > 0; --left) {
    const auto lot = in.value<std::uint64_t>();
    const auto unit = in.value<Unit>();
    if (index(unit) >= set_sizes.size() || is_drawn[unit] || (!sample.empty() && lot < sample.back().lot)) in.fail();
    is_drawn[unit] = true;
    std::vector<Feature> set = in.array<Feature>();
    const bool ascends = std::ranges::adjacent_find(set, std::ranges::greater_equal()) == set.end();
    if (set.size() != set_sizes[unit] || !ascends) in.fail();
    sample.push_back({lot, unit, std::move(set)});
  }
  return sample;
}

}  // namespace neardup::corpus
