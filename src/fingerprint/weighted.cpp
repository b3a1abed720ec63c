#include "fingerprint/weighted.h"

#include <algorithm>
#include <bit>

#include "fingerprint/gaussian.h"

namespace neardup {

void settle(std::vector<WeightedFeature>& features) {
  std::ranges::sort(features, {}, &WeightedFeature::feature);
  std::size_t kept = 0;
  std::uint64_t total = 0;
  for (const WeightedFeature& f : features) {
    total += f.weight;
    if (kept != 0 && features[kept - 1].feature == f.feature) {
      features[kept - 1].weight += f.weight;
    } else {
      features[kept++] = f;
    }
  }
  features.resize(kept);
  const auto bits = static_cast<unsigned>(std::bit_width(total));
  if (bits <= kWeightBits) return;
  for (WeightedFeature& f : features) f.weight >>= bits - kWeightBits;
}

SimhashSums simhash_sums(std::span<const WeightedFeature> features, Projection projection) {
  SimhashSums sums{};
  for (const WeightedFeature& f : features) {
    const auto weight = static_cast<std::int64_t>(f.weight);
    if (projection == Projection::gaussian) {
      add_gaussian(f.feature, weight, sums);
      continue;
    }
    for (std::size_t bit = 0; bit < 64; ++bit) {
      const std::int64_t negative = static_cast<std::int64_t>(f.feature >> bit & 1) - 1;  // -1 where the bit is not set
      sums[bit] += (weight ^ negative) - negative;
    }
  }
  return sums;
}

}  // namespace neardup
