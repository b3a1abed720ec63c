#include "search/set_store.h"

#include <algorithm>
#include <cassert>

#include "corpus/volume.h"

namespace neardup::search {

namespace {

constexpr std::size_t kPendingFeatures = std::size_t{1} << 17;

// What sets may take: reading them goes on beside it, and pairs come while they are compared.
std::size_t memory_for_sets(const Context& context) {
  constexpr std::size_t kLeast = 8u << 20;
  const std::size_t left = base::memory_left(context), reading = corpus::reading_bytes(context);
  return std::max(kLeast, left > reading ? left - reading : 0) / 8 * 7;
}

}  // namespace

SetSpill::SetSpill(const Context& context)
    : temp_(context),
      files_(base::files(context)),
      out_(files_.create(temp_.path() / "sets")),
      memory_(base::reservation(context)) {
  pending_.reserve(kPendingFeatures);
  hold();
}

void SetSpill::add(unsigned side, Unit unit, std::span<const Feature> set) {
  entries_.push_back({.offset = added_, .count = static_cast<std::uint32_t>(set.size()), .unit = unit, .side = side});
  added_ += set.size();
  pending_.insert(pending_.end(), set.begin(), set.end());
  if (pending_.size() < kPendingFeatures) return;
  write_pending();
  hold();
}

void SetSpill::finish() {
  write_pending();
  std::vector<Feature>().swap(pending_);
  hold();
  out_->close();
  out_.reset();
  in_ = files_.open(temp_.path() / "sets");
  in_->expect(Access::random);
}

void SetSpill::read(std::size_t i, Feature* to) const {
  in_->read_at(entries_[i].offset * sizeof(Feature),
               {reinterpret_cast<char*>(to), entries_[i].count * sizeof(Feature)});
}

void SetSpill::hold() { memory_.hold(entries_.capacity() * sizeof(Entry) + pending_.capacity() * sizeof(Feature)); }

void SetSpill::write_pending() {
  out_->write({reinterpret_cast<const char*>(pending_.data()), pending_.size() * sizeof(Feature)});
  pending_.clear();
}

SetStore::SetStore(const corpus::Units& units, std::span<const Unit> needed, const Context& context)
    : SetStore(units, needed, memory_for_sets(context), context) {}

SetStore::SetStore(const corpus::Units& units, std::span<const Unit> needed, std::size_t most_bytes,
                   const Context& context)
    : units_(units), sets_(units.units()), most_bytes_(most_bytes), memory_(base::reservation(context)) {
  std::uint64_t features = 0;
  for (const Unit unit : needed) features += units.size[unit];
  if (features * sizeof(Feature) <= most_bytes) {
    arena_.reserve(features);
    hold();
    return;
  }
  spill_.emplace(context);
  places_.resize(units.units());
  hold();
}

void SetStore::hold() {
  memory_.hold(sets_.memory_bytes() + places_.memory_bytes() + arena_.capacity() * sizeof(Feature) +
               loaded_.capacity() * sizeof(Unit));
}

void SetStore::add(Unit unit, std::span<const Feature> set) {
  assert(set.size() == units_.size[unit]);
  if (in_memory()) {
    sets_[unit] = arena_.data() + arena_.size();  // reserved: the arena does not move
    arena_.insert(arena_.end(), set.begin(), set.end());
    return;
  }
  places_[unit] = static_cast<std::uint32_t>(spill_->size());
  spill_->add(0, unit, set);
}

void SetStore::finish() {
  if (!in_memory()) spill_->finish();
}

std::uint64_t SetStore::most_features() const {
  return in_memory() ? ~std::uint64_t{0} : most_bytes_ / sizeof(Feature);
}

void SetStore::load(std::span<const Unit> a, std::span<const Unit> b) {
  if (in_memory()) return;
  std::uint64_t features = 0;
  for (const auto block : {a, b}) {
    for (const Unit unit : block) features += units_.size[unit];
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
      next += units_.size[unit];
    }
  }
  hold();
}

std::span<const Feature> SetStore::fetch(Unit unit, std::vector<Feature>& buffer) const {
  if (sets_[unit] != nullptr) return get(unit);
  buffer.resize(units_.size[unit]);
  spill_->read(places_[unit], buffer.data());
  return buffer;
}

}  // namespace neardup::search
