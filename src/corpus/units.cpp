#include "corpus/units.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <numeric>

#include "neardup/error.h"

namespace neardup::corpus {

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
  const std::size_t before = shard.seen.memory_bytes();
  shard.seen.make_room(SpreadSetHash{});
  if (shard.seen.memory_bytes() != before) bytes_ += shard.seen.memory_bytes() - before;
  const SetHash& slot = shard.seen.find(SpreadSetHash{}(hash), [&](const SetHash& seen) { return seen == hash; });
  if (slot == hash && hash != SetHash{}) return false;
  shard.seen.insert(slot, hash);
  return true;
}

std::uint64_t Units::features() const { return std::reduce(size.begin(), size.end(), std::uint64_t{0}); }

std::uint64_t Units::whole_features() const {
  return whole_size.empty() ? features() : std::reduce(whole_size.begin(), whole_size.end(), std::uint64_t{0});
}

std::size_t Units::memory_bytes() const {
  return unit_of_row.memory_bytes() + status.memory_bytes() + first_row.memory_bytes() + size.memory_bytes() +
         bits.memory_bytes() + length.memory_bytes() + whole_size.memory_bytes() + group.memory_bytes() +
         salt.memory_bytes() + twin.memory_bytes();
}

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
  out.array(whole_size.values());
  out.array(group.values());
  out.array(salt.values());
  out.array(twin.values());
}

void Units::load(base::StateReader& in) {
  unit_of_row = PerRow<Unit>(in.array<Unit>());
  status = PerRow<RowStatus>(in.array<RowStatus>());
  first_row = PerUnit<Row>(in.array<Row>());
  size = PerUnit<std::uint32_t>(in.array<std::uint32_t>());
  bits = PerUnit<std::uint64_t>(in.array<std::uint64_t>());
  length = PerUnit<std::uint32_t>(in.array<std::uint32_t>());
  whole_size = PerUnit<std::uint32_t>(in.array<std::uint32_t>());
  group = PerUnit<std::uint64_t>(in.array<std::uint64_t>());
  salt = PerUnit<std::uint64_t>(in.array<std::uint64_t>());
  twin = PerUnit<std::uint64_t>(in.array<std::uint64_t>());
  const auto fits = [&](const auto& column) { return column.empty() || column.size() == units(); };
  if (status.size() != rows() || size.size() != units() || !fits(bits) || !fits(length) || !fits(whole_size) ||
      !fits(group) || !fits(salt) || !fits(twin)) {
    in.fail();
  }
  // Units are numbered as their first documents come.
  std::uint32_t met = 0;
  for (const Row row : unit_of_row.numbers()) {
    const Unit unit = unit_of_row[row];
    if (status[row] != RowStatus::document) {
      if (status[row] > RowStatus::set_aside || unit != kNoUnit) in.fail();
    } else if (index(unit) == met && met < units()) {
      const std::uint32_t whole = whole_size.empty() ? size[unit] : whole_size[unit];
      if (first_row[unit] != row || whole == 0 || whole < size[unit]) in.fail();
      ++met;
    } else if (index(unit) >= met) {
      in.fail();
    }
  }
  if (met != units()) in.fail();
}

}  // namespace neardup::corpus
