#include "hamming/short_list.h"

#include <algorithm>

#include "simd/dispatch.h"

namespace neardup::hamming {

const std::vector<std::pair<std::uint32_t, std::uint32_t>>& ShortList::near(std::vector<std::uint64_t>& bits,
                                                                            unsigned distance) {
  constexpr std::size_t kPadding = 7;  // what the kernel reads past the end
  pairs_.clear();
  const auto size = static_cast<std::uint32_t>(bits.size());
  if (size < 2) return pairs_;
  bits.resize(size + kPadding);
  hits_.resize(std::max<std::size_t>(size, 8) * 2);
  const neardup_pair_rule rule{.mask = ~std::uint64_t{0},
                               .half = ~std::uint64_t{0},
                               .most = distance,
                               .half_least = 0,
                               .half_most = 64,
                               .rest_least = 0};
  neardup_pair_place place{0, 0};
  while (place.group < 1) {
    const std::size_t count =
        simd::kernels().near_pairs(bits.data(), &size, 1, &rule, &place, hits_.data(), hits_.size());
    for (std::size_t i = 0; i < count; ++i) pairs_.emplace_back(hits_[i].scan, hits_[i].posting);
  }
  bits.resize(size);
  std::sort(pairs_.begin(), pairs_.end());
  return pairs_;
}

}  // namespace neardup::hamming
