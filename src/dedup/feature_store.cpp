#include "dedup/feature_store.h"

#include <algorithm>
#include <cassert>

namespace neardup::dedup {
namespace {

std::span<const char> bytes_of(std::span<const Feature> features) {
  return {reinterpret_cast<const char*>(features.data()), features.size_bytes()};
}

constexpr std::size_t kPendingFeatures = std::size_t{1} << 17;

}  // namespace

FeatureStore::FeatureStore(const UnitTable& table, std::span<const Unit> needed, std::size_t memory_bytes,
                           Context& context)
    : table_(table), sets_(table.units()), files_(base::files(context)) {
  std::uint64_t features = 0;
  for (const Unit unit : needed) features += table.set_size[unit];
  if (features * sizeof(Feature) <= memory_bytes) {
    arena_.reserve(features);
    return;
  }
  temp_ = std::make_unique<base::TempFolder>(context);
  spill_ = files_.create(temp_->path() / "sets");
  offsets_.resize(table.units());
  pending_.reserve(kPendingFeatures);
}

void FeatureStore::add(Unit unit, std::span<const Feature> set) {
  assert(set.size() == table_.set_size[unit]);
  if (in_memory()) {
    sets_[unit] = arena_.data() + arena_.size();  // reserved: the arena does not move
    arena_.insert(arena_.end(), set.begin(), set.end());
    return;
  }
  offsets_[unit] = added_;
  added_ += set.size();
  pending_.insert(pending_.end(), set.begin(), set.end());
  if (pending_.size() >= kPendingFeatures) {
    spill_->write(bytes_of(pending_));
    pending_.clear();
  }
}

void FeatureStore::finish() {
  if (in_memory()) return;
  spill_->write(bytes_of(pending_));
  std::vector<Feature>().swap(pending_);
  spill_->close();
  spill_.reset();
  spilled_ = files_.open(temp_->path() / "sets");
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
      read(unit, next);
      sets_[unit] = next;
      loaded_.push_back(unit);
      next += table_.set_size[unit];
    }
  }
}

std::span<const Feature> FeatureStore::fetch(Unit unit, std::vector<Feature>& buffer) const {
  if (sets_[unit] != nullptr) return get(unit);
  buffer.resize(table_.set_size[unit]);
  read(unit, buffer.data());
  return buffer;
}

void FeatureStore::read(Unit unit, Feature* to) const {
  spilled_->read_at(offsets_[unit] * sizeof(Feature),
                    {reinterpret_cast<char*>(to), table_.set_size[unit] * sizeof(Feature)});
}

}  // namespace neardup::dedup
