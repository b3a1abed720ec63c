#include "corpus/units.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <numeric>

#include "base/random.h"
#include "neardup/error.h"

namespace neardup::corpus {

namespace {

// Fingerprints come as they are, and similar ones share their low bits.
std::uint64_t slot(const SetHash& hash) { return base::mix64(hash.low); }

}  // namespace

SetHash hash_bytes(std::span<const char> bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return {hash.low64, hash.high64};
}

SetHash hash_set(std::span<const Feature> set) {
  return hash_bytes({reinterpret_cast<const char*>(set.data()), set.size_bytes()});
}

bool FirstSight::claim(const SetHash& hash) {
  Shard& shard = shards_[hash.high % kShards];
  const std::lock_guard lock(shard.mutex);
  if ((shard.used + 1) * 3 > shard.slots.size() * 2) {
    std::vector<SetHash> old(std::max<std::size_t>(64, shard.slots.size() * 2));
    old.swap(shard.slots);
    shard.used = 0;
    for (const SetHash& moved : old) {
      if (moved != SetHash{}) insert(shard, moved);
    }
  }
  return insert(shard, hash);
}

bool FirstSight::insert(Shard& shard, const SetHash& hash) {
  const std::size_t mask = shard.slots.size() - 1;
  std::size_t at = slot(hash) & mask;
  for (; shard.slots[at] != SetHash{}; at = (at + 1) & mask) {
    if (shard.slots[at] == hash) return false;
  }
  shard.slots[at] = hash;
  ++shard.used;
  return true;
}

std::pair<Unit, bool> UnitNumbering::number(const SetHash& hash) {
  if ((hashes_.size() + 1) * 2 > slots_.size()) grow();
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = slot(hash) & mask;
  for (; slots_[at] != 0; at = (at + 1) & mask) {
    if (hashes_[slots_[at] - 1] == hash) return {Unit{slots_[at] - 1}, false};
  }
  const auto unit = static_cast<std::uint32_t>(hashes_.size());
  hashes_.push_back(hash);
  slots_[at] = unit + 1;
  return {Unit{unit}, true};
}

void UnitNumbering::grow() {
  slots_.assign(std::max<std::size_t>(1024, slots_.size() * 2), 0);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t unit = 0; unit < hashes_.size(); ++unit) {
    std::size_t at = slot(hashes_[unit]) & mask;
    while (slots_[at] != 0) at = (at + 1) & mask;
    slots_[at] = static_cast<std::uint32_t>(unit + 1);
  }
}

std::uint64_t Units::features() const { return std::reduce(size.begin(), size.end(), std::uint64_t{0}); }

void Units::add(RowStatus row_status) {
  unit_of_row.push_back(kNoUnit);
  status.push_back(row_status);
}

void Units::add(Unit unit) {
  unit_of_row.push_back(unit);
  status.push_back(RowStatus::document);
}

void Units::add_unit(Row first, std::uint32_t unit_size) {
  first_row.push_back(first);
  size.push_back(unit_size);
}

void Units::save(base::StateWriter& out) const {
  out.array(unit_of_row.values());
  out.array(status.values());
  out.array(first_row.values());
  out.array(size.values());
  out.array(bits.values());
  out.array(length.values());
}

void Units::load(base::StateReader& in) {
  unit_of_row = PerRow<Unit>(in.array<Unit>());
  status = PerRow<RowStatus>(in.array<RowStatus>());
  first_row = PerUnit<Row>(in.array<Row>());
  size = PerUnit<std::uint32_t>(in.array<std::uint32_t>());
  bits = PerUnit<std::uint64_t>(in.array<std::uint64_t>());
  length = PerUnit<std::uint32_t>(in.array<std::uint32_t>());
  const auto fits = [&](const auto& column) { return column.empty() || column.size() == units(); };
  if (status.size() != rows() || size.size() != units() || !fits(bits) || !fits(length)) in.fail();
  for (const Row row : unit_of_row.numbers()) {
    const bool is_sound = status[row] == RowStatus::document ? index(unit_of_row[row]) < units()
                                                             : status[row] <= RowStatus::set_aside && unit_of_row[row] == kNoUnit;
    if (!is_sound) in.fail();
  }
  for (const Unit unit : first_row.numbers()) {
    const Row row = first_row[unit];
    if (index(row) >= rows() || unit_of_row[row] != unit) in.fail();
  }
}

}  // namespace neardup::corpus
