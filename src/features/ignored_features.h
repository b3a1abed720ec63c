// Which features do not count, in which documents?
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/open_table.h"
#include "base/random.h"
#include "base/state.h"
#include "neardup/features.h"

namespace neardup::features {

// The group of a document: the hash of the value within which features are counted; 0 where all are counted together.
using Group = std::uint64_t;

// What represents a feature within a group. Collisions are as unlikely as those of features.
inline std::uint64_t key_in_group(Feature feature, Group group) {
  return group == 0 ? feature : base::mix64(feature ^ base::mix64(group));
}

// A set of features, some of them only within groups.
//
// Most features of a document are in no such set, so a table of bits that fits the caches is asked first. Memory: 16 to
// 34 bytes per feature. Threads: const members may run concurrently.
class IgnoredFeatures {
 public:
  IgnoredFeatures() : bits_(1) {}
  explicit IgnoredFeatures(std::vector<std::uint64_t> keys);

  [[nodiscard]] std::size_t size() const { return keys_.size(); }
  [[nodiscard]] std::size_t memory_bytes() const {
    return bits_.capacity() * 8 + table_.memory_bytes() + keys_.capacity() * 8;
  }
  // Whether a feature does not count in documents of this group.
  [[nodiscard]] bool contains(Feature feature, Group group) const {
    return has(feature) || (group != 0 && has(key_in_group(feature, group)));
  }
  void append_to(std::vector<std::uint64_t>& keys) const { keys.insert(keys.end(), keys_.begin(), keys_.end()); }
  // Removes them from a list, whose order stays.
  void remove_from(std::vector<Feature>& features, Group group) const {
    std::erase_if(features, [&](Feature feature) { return contains(feature, group); });
  }
  // The same in place; returns how many are left.
  [[nodiscard]] std::size_t remove_from(std::span<Feature> features, Group group) const;

  void save(base::StateWriter& out) const { out.array(keys_); }
  void load(base::StateReader& in) { *this = IgnoredFeatures(in.array<std::uint64_t>()); }

 private:
  static constexpr std::uint64_t kFree = 0;  // zero itself is remembered apart
  [[nodiscard]] bool has(std::uint64_t key) const {
    const std::uint64_t spread = base::mix64(key);
    if ((bits_[(spread >> 32) & (bits_.size() - 1)] >> (spread >> 26 & 63) & 1) == 0) return false;
    return key == kFree ? has_zero_ : table_.find(spread, [&](std::uint64_t slot) { return slot == key; }) == key;
  }

  std::vector<std::uint64_t> keys_;  // ascending, each once
  std::vector<std::uint64_t> bits_;
  base::OpenTable<std::uint64_t, kFree> table_;
  bool has_zero_ = false;
};

}  // namespace neardup::features
