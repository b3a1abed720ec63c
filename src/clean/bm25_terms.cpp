#include "clean/bm25_terms.h"

#include <algorithm>
#include <bit>

namespace neardup::clean {

TermTable::TermTable(const QueryTerms& queries) {
  std::vector<Feature> features;
  for (const auto& query : queries) features.insert(features.end(), query.begin(), query.end());
  std::sort(features.begin(), features.end());
  features.erase(std::unique(features.begin(), features.end()), features.end());

  const auto filter_bits = static_cast<unsigned>(std::bit_width(std::max<std::size_t>(64, features.size() * 16) - 1));
  filter_shift_ = 64 - filter_bits;
  filter_.resize((std::size_t{1} << filter_bits) / 64);
  for (const Feature feature : features) {
    terms_.number(feature);
    const std::uint64_t place = spread(feature) >> filter_shift_;
    filter_[place >> 6] |= std::uint64_t{1} << (place & 63);
  }
}

}  // namespace neardup::clean
