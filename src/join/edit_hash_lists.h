// Where in a sorted array are the entries with a given hash?
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace neardup::joins {

// Entries are hash << 32 | anything, ascending, fewer than 2^32. What belongs to them is kept by the caller in arrays
// of the same order. Memory: eight bytes for each different hash, and a directory of four to eight bytes for each.
class HashLists {
 public:
  HashLists() = default;
  explicit HashLists(std::span<const std::uint64_t> entries);

  struct Range {
    std::size_t begin = 0, end = 0;
  };
  [[nodiscard]] Range find(std::uint32_t hash) const {
    for (std::uint32_t k = directory_[hash >> shift_], end = directory_[(hash >> shift_) + 1]; k < end; ++k) {
      if (keys_[k].hash == hash) return {keys_[k].begin, keys_[k + 1].begin};
    }
    return {};
  }
  [[nodiscard]] std::uint64_t bytes() const {
    return directory_.size() * sizeof(std::uint32_t) + keys_.size() * sizeof(Key);
  }
  // How many pairs of entries have the same hash, each entry with itself included.
  [[nodiscard]] double equal_pairs() const;

 private:
  struct Key {
    std::uint32_t hash, begin;
  };
  std::vector<std::uint32_t> directory_ = std::vector<std::uint32_t>(3);  // by a hash's first bits: its first key
  std::vector<Key> keys_;                                                 // by hash; one more ends the last list
  unsigned shift_ = 31;
};

}  // namespace neardup::joins
