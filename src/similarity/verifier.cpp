#include "similarity/verifier.h"

#include <algorithm>
#include <bit>
#include <cassert>

#include "simd/dispatch.h"

namespace neardup::similarity {

Verifier::Verifier(const Definition& definition)
    : measure_(definition.measure), threshold_(definition.threshold), kernels_(&simd::kernels()) {
  definition.validate();
}

std::optional<double> Verifier::verify(std::span<const Feature> a, std::span<const Feature> b) const {
  return with_measure(measure_, [&]<class M>() -> std::optional<double> {
    const Size need = M::min_overlap(a.size(), b.size(), threshold_);
    if (need > std::min(a.size(), b.size())) return std::nullopt;
    const std::size_t overlap = kernels_->overlap(a.data(), a.size(), b.data(), b.size(), need);
    if (overlap == SIZE_MAX || overlap < need) return std::nullopt;
    return M::score(overlap, a.size(), b.size());
  });
}

std::optional<double> Verifier::verify(std::uint64_t a, std::uint64_t b) const {
  assert(measure_ == Measure::hamming);
  const auto distance = static_cast<unsigned>(std::popcount(a ^ b));
  if (distance > threshold_.num) return std::nullopt;
  return distance;
}

std::optional<double> Verifier::identity_score(Size set_size) const {
  if (set_size == 0) return std::nullopt;
  if (is_distance(measure_)) return 0.0;
  if (!sizes_can_match(set_size, set_size)) return std::nullopt;
  return with_measure(measure_, [&]<class M>() { return M::score(set_size, set_size, set_size); });
}

bool Verifier::sizes_can_match(Size x, Size y) const { return min_overlap(x, y) <= std::min(x, y); }

Size Verifier::min_overlap(Size x, Size y) const {
  return with_measure(measure_, [&]<class M>() { return M::min_overlap(x, y, threshold_); });
}

Size Verifier::min_overlap_any(Size x) const {
  return with_measure(measure_, [&]<class M>() { return M::min_overlap_any(x, threshold_); });
}

Size Verifier::min_size(Size x) const {
  return with_measure(measure_, [&]<class M>() { return M::min_size(x, threshold_); });
}

Size Verifier::max_size(Size x) const {
  return with_measure(measure_, [&]<class M>() { return M::max_size(x, threshold_); });
}

}  // namespace neardup::similarity
