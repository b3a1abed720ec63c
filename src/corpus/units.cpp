#include "corpus/units.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <cassert>

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
  shard.seen.make_room(SpreadSetHash{});
  const SetHash& slot = shard.seen.find(SpreadSetHash{}(hash), [&](const SetHash& seen) { return seen == hash; });
  if (slot == hash && hash != SetHash{}) return false;
  shard.seen.insert(slot, hash);
  return true;
}

void UnitTable::save(base::StateWriter& out) const {
  out.array(unit_of_row);
  out.array(first_row);
  out.array(set_size);
  out.array(bits);
  out.array(length);
}

void UnitTable::load(base::StateReader& in) {
  unit_of_row = in.array<Unit>();
  first_row = in.array<Row>();
  set_size = in.array<std::uint32_t>();
  bits = in.array<std::uint64_t>();
  length = in.array<std::uint32_t>();
  const auto is_known = [&](Unit unit) { return unit < units() || unit >= kLeftOut; };
  const auto is_row = [&](Row row) { return row < rows(); };
  const auto fits = [&](const auto& column) { return column.empty() || column.size() == units(); };
  if (set_size.size() != units() || !fits(bits) || !fits(length) || !std::ranges::all_of(unit_of_row, is_known) ||
      !std::ranges::all_of(first_row, is_row)) {
    in.fail();
  }
}

void RepeatedIds::add(std::uint64_t name_hash) {
  if (name_hash == 0 && hashes_.empty()) {
    ++first_row_;
  } else {
    hashes_.push_back(name_hash);
  }
}

void RepeatedIds::finish() {
  std::vector<Row> order;
  {
    // Most collections repeat no id: sorting the bare hashes tells, in half the memory.
    std::vector<std::uint64_t> sorted = hashes_;
    std::sort(sorted.begin(), sorted.end());
    const auto first_key = std::upper_bound(sorted.begin(), sorted.end(), 0u);
    if (std::adjacent_find(first_key, sorted.end()) == sorted.end()) {
      std::vector<std::uint64_t>().swap(hashes_);
      return;
    }
  }
  for (Row row = 0; row < hashes_.size(); ++row) {
    if (hashes_[row] != 0) order.push_back(row);
  }
  std::stable_sort(order.begin(), order.end(), [&](Row a, Row b) { return hashes_[a] < hashes_[b]; });
  for (std::size_t i = 1, start = 0; i < order.size(); ++i) {
    if (hashes_[order[i]] != hashes_[order[start]]) start = i;
    if (i > start) repeats_.push_back({first_row_ + order[i], static_cast<std::uint32_t>(i - start + 1)});
  }
  std::sort(repeats_.begin(), repeats_.end());
  std::vector<std::uint64_t>().swap(hashes_);
}

std::uint32_t RepeatedIds::occurrence(Row row) const {
  const auto at = std::lower_bound(repeats_.begin(), repeats_.end(), Repeat{row, 0});
  return at != repeats_.end() && at->row == row ? at->occurrence : 1;
}

void RepeatedIds::save(base::StateWriter& out) const { out.array(repeats_); }
void RepeatedIds::load(base::StateReader& in) { repeats_ = in.array<Repeat>(); }

void Names::add(Row row, std::string_view name) {
  if (row / 64 >= has_.size()) {
    has_.resize(row / 64 + std::size_t{1});
    before_.resize(has_.size(), ends_.size());
  }
  has_[row / 64] |= std::uint64_t{1} << row % 64;
  text_ += name;
  ends_.push_back(text_.size());
}

std::string_view Names::operator[](Row row) const {
  assert(has(row));
  const std::uint64_t earlier_here = has_[row / 64] & ((std::uint64_t{1} << row % 64) - 1);
  const std::size_t place = before_[row / 64] + static_cast<std::size_t>(std::popcount(earlier_here));
  const std::uint64_t begin = place == 0 ? 0 : ends_[place - 1];
  return std::string_view(text_).substr(begin, ends_[place] - begin);
}

void Names::save(base::StateWriter& out) const {
  out.array(has_);
  out.array(ends_);
  out.text(text_);
}

void Names::load(base::StateReader& in) {
  has_ = in.array<std::uint64_t>();
  ends_ = in.array<std::uint64_t>();
  text_ = in.text();
  before_.clear();
  std::uint64_t names = 0;
  for (const std::uint64_t word : has_) {
    before_.push_back(names);
    names += static_cast<std::uint64_t>(std::popcount(word));
  }
  const std::uint64_t end = ends_.empty() ? 0 : ends_.back();
  if (names != ends_.size() || end != text_.size() || !std::ranges::is_sorted(ends_)) in.fail();
}

}  // namespace neardup::corpus
