#include "join/edit_hash_lists.h"

namespace neardup::joins {

HashLists::HashLists(std::span<const std::uint64_t> entries) {
  const auto hash_at = [&](std::size_t i) { return static_cast<std::uint32_t>(entries[i] >> 32); };
  std::size_t keys = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) keys += i == 0 || hash_at(i) != hash_at(i - 1);
  keys_.reserve(keys + 1);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (i == 0 || hash_at(i) != hash_at(i - 1)) keys_.push_back({hash_at(i), static_cast<std::uint32_t>(i)});
  }
  keys_.push_back({0, static_cast<std::uint32_t>(entries.size())});

  const auto bits = std::clamp(static_cast<unsigned>(std::bit_width(keys)), 1u, 31u);
  shift_ = 32 - bits;
  directory_.assign((std::size_t{1} << bits) + 1, 0);
  for (std::size_t k = 0; k < keys; ++k) ++directory_[(keys_[k].hash >> shift_) + 1];
  for (std::size_t i = 1; i < directory_.size(); ++i) directory_[i] += directory_[i - 1];
}

double HashLists::equal_pairs() const {
  double pairs = 0;
  for (std::size_t k = 0; k + 1 < keys_.size(); ++k) {
    const double size = keys_[k + 1].begin - keys_[k].begin;
    pairs += size * size;
  }
  return pairs;
}

}  // namespace neardup::joins
