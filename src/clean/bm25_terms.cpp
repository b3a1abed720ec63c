#include "clean/bm25_terms.h"

#include <algorithm>
#include <bit>

namespace neardup::clean {

TermTable::TermTable(const QueryTerms& queries) {
  for (const auto& query : queries) features_.insert(features_.end(), query.begin(), query.end());
  std::sort(features_.begin(), features_.end());
  features_.erase(std::unique(features_.begin(), features_.end()), features_.end());
  features_.shrink_to_fit();

  const auto bits_of = [&](std::size_t each) {
    return static_cast<unsigned>(std::bit_width(std::max<std::size_t>(64, features_.size() * each) - 1));
  };
  const unsigned slot_bits = bits_of(2), filter_bits = bits_of(16);
  slot_shift_ = 64 - slot_bits;
  filter_shift_ = 64 - filter_bits;
  slot_mask_ = (std::size_t{1} << slot_bits) - 1;
  slots_.resize(slot_mask_ + 1);
  filter_.resize((std::size_t{1} << filter_bits) / 64);
  for (std::uint32_t term = 0; term < size(); ++term) {
    const std::uint64_t spread_feature = spread(features_[term]);
    const std::uint64_t place = spread_feature >> filter_shift_;
    filter_[place >> 6] |= std::uint64_t{1} << (place & 63);
    std::size_t slot = spread_feature >> slot_shift_;
    while (slots_[slot].term != kNone) slot = (slot + 1) & slot_mask_;
    slots_[slot] = {features_[term], term};
  }
}

std::uint32_t TermTable::number(Feature feature) const {
  return static_cast<std::uint32_t>(std::lower_bound(features_.begin(), features_.end(), feature) - features_.begin());
}

}  // namespace neardup::clean
