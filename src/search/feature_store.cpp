#include "search/feature_store.h"

#include <algorithm>
#include <cassert>

namespace neardup::search {

FeatureStore::FeatureStore(const corpus::UnitTable& table, std::span<const Unit> needed, std::size_t memory_bytes,
                           const Context& context)
    : table_(table), sets_(table.units()) {
  std::uint64_t features = 0;
  for (const Unit unit : needed) features += table.set_size[unit];
  if (features * sizeof(Feature) <= memory_bytes) {
    arena_.reserve(features);
    return;
  }
  spill_.emplace(context);
  places_.resize(table.units());
}

void FeatureStore::add(Unit unit, std::span<const Feature> set) {
  assert(set.size() == table_.set_size[unit]);
  if (in_memory()) {
    sets_[unit] = arena_.data() + arena_.size();  // reserved: the arena does not move
    arena_.insert(arena_.end(), set.begin(), set.end());
    return;
  }
  places_[unit] = static_cast<std::uint32_t>(spill_->size());
  spill_->add(0, unit, set);
}

void FeatureStore::finish() {
  if (!in_memory()) spill_->finish();
}

void FeatureStore::load(std::span<const Unit> a, std::span<const Unit> b) {
  if (in_memory()) return;
  std::uint64_t features = 0;
  for (const auto block : {a, b}) {
    for (const Unit unit : block) features += table_.set_size[unit];
  }
  arena_.resize(std::max<std::size_t>(features, arena_.size()));
  for (const Unit unit : loaded_) sets_[unit] = nullptr;
  loaded_.clear();
  Feature* next = arena_.data();
  for (const auto block : {a, b}) {
    for (const Unit unit : block) {
      spill_->read(places_[unit], next);
      sets_[unit] = next;
      loaded_.push_back(unit);
      next += table_.set_size[unit];
    }
  }
}

std::span<const Feature> FeatureStore::fetch(Unit unit, std::vector<Feature>& buffer) const {
  if (sets_[unit] != nullptr) return get(unit);
  spill_->read(places_[unit], buffer);
  return buffer;
}

}  // namespace neardup::search
