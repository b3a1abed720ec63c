// Which number does a key have, when keys are numbered as they come?
#pragma once

#include <cassert>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "base/open_table.h"

namespace neardup::base {

inline constexpr std::uint32_t kNoNumber = std::numeric_limits<std::uint32_t>::max();

// Numbers distinct keys from 0. hash(key) is spread over all its bits. Memory: the keys in a vector, and 8 to 16 bytes
// for each. Fewer than 2^32 - 1 keys. Threads: const members may run concurrently.
template <class Key, class Hash = Mixed, class Number = std::uint32_t>
class Numbering {
 public:
  explicit Numbering(Hash hash = {}) : hash_(hash) {}

  // The key's number, and whether it is new.
  std::pair<Number, bool> number(const Key& key) {
    const auto hash_of = [&](std::uint32_t number) { return hash_(keys_[number]); };
    table_.make_room(hash_of);
    const std::uint32_t& slot = look_up(key);
    if (slot != kNoNumber) return {Number{slot}, false};
    const auto added = static_cast<std::uint32_t>(keys_.size());
    assert(added != kNoNumber);
    keys_.push_back(key);
    table_.insert(slot, added);
    return {Number{added}, true};
  }
  // kNoNumber for a key that never came.
  [[nodiscard]] Number find(const Key& key) const { return Number{look_up(key)}; }

  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(keys_.size()); }
  [[nodiscard]] std::span<const Key> keys() const { return keys_; }  // by number
  [[nodiscard]] std::size_t memory_bytes() const { return keys_.capacity() * sizeof(Key) + table_.memory_bytes(); }

 private:
  [[nodiscard]] const std::uint32_t& look_up(const Key& key) const {
    return table_.find(hash_(key), [&](std::uint32_t number) { return keys_[number] == key; });
  }

  Hash hash_;
  std::vector<Key> keys_;
  OpenTable<std::uint32_t, kNoNumber> table_;
};

}  // namespace neardup::base
