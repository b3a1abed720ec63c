#include "features/ignored_features.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace neardup::features {

IgnoredFeatures::IgnoredFeatures(std::vector<std::uint64_t> keys)
    : keys_(std::move(keys)), table_(std::max<std::size_t>(64, 2 * keys_.size() + 2)) {
  std::ranges::sort(keys_);
  keys_.erase(std::unique(keys_.begin(), keys_.end()), keys_.end());
  bits_.resize(std::bit_ceil(keys_.size() / 4 + 1));  // 16 bits a key
  for (const std::uint64_t key : keys_) {
    const std::uint64_t spread = base::mix64(key);
    bits_[(spread >> 32) & (bits_.size() - 1)] |= std::uint64_t{1} << (spread >> 26 & 63);
    has_zero_ = has_zero_ || key == kFree;
    if (key == kFree) continue;
    table_.make_room([](std::uint64_t slot) { return base::mix64(slot); });
    table_.insert(table_.find(spread, [&](std::uint64_t slot) { return slot == key; }), key);
  }
}

std::size_t IgnoredFeatures::remove_from(std::span<Feature> features, Group group) const {
  const auto rest =
      std::remove_if(features.begin(), features.end(), [&](Feature feature) { return contains(feature, group); });
  return static_cast<std::size_t>(rest - features.begin());
}

}  // namespace neardup::features
