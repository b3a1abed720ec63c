#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>

#include "neardup/error.h"
#include "neardup/similarity.h"
#include "simd/dispatch.h"
#include "similarity/edit_distance.h"
#include "similarity/measures.h"

namespace neardup {
namespace {

using similarity::Size;
using similarity::with_measure;

[[noreturn]] void throw_wrong_kind(Measure measure, const char* given) {
  throw Error(ErrorCode::usage, to_string(measure) + " does not compare " + given);
}

void check_kind(bool fits, Measure measure, const char* given) {
  if (!fits) throw_wrong_kind(measure, given);
}

}  // namespace

Verifier::Verifier(const Definition& definition)
    : measure_(definition.measure),
      compares_sets_(compares_sets(definition.measure)),
      threshold_(definition.threshold),
      kernels_(&simd::kernels()) {
  definition.validate();
}

std::optional<double> Verifier::verify(std::span<const Feature> a, std::span<const Feature> b) const {
  check_kind(compares_sets_, measure_, "sets");
  return with_measure(measure_, [&]<class M>() -> std::optional<double> {
    const Size need = M::min_overlap(a.size(), b.size(), threshold_);
    if (need > std::min(a.size(), b.size())) return std::nullopt;
    const std::size_t overlap = kernels_->overlap(a.data(), a.size(), b.data(), b.size(), need);
    if (overlap == SIZE_MAX || overlap < need) return std::nullopt;
    return M::score(overlap, a.size(), b.size());
  });
}

std::optional<double> Verifier::verify(std::string_view a, std::string_view b) const {
  check_kind(measure_ == Measure::edit, measure_, "strings");
  if (a.empty() || b.empty()) return std::nullopt;
  const auto most = static_cast<std::uint32_t>(std::min<std::uint64_t>(threshold_.num, UINT32_MAX));
  return similarity::edit_distance_within(a, b, most);
}

std::optional<double> Verifier::verify(std::uint64_t a, std::uint64_t b) const {
  const double distance = score(a, b);
  if (distance > static_cast<double>(threshold_.num)) return std::nullopt;
  return distance;
}

double Verifier::score(std::span<const Feature> a, std::span<const Feature> b) const {
  check_kind(compares_sets_, measure_, "sets");
  if (a.empty() || b.empty()) return 0;
  const std::size_t overlap = kernels_->overlap(a.data(), a.size(), b.data(), b.size(), 0);
  return with_measure(measure_, [&]<class M>() { return M::score(overlap, a.size(), b.size()); });
}

// All bounds before the last one cost a third of what it costs.
double Verifier::score(std::string_view a, std::string_view b) const {
  check_kind(measure_ == Measure::edit, measure_, "strings");
  for (std::uint64_t most = 64;; most *= 4) {
    const auto bound = static_cast<std::uint32_t>(std::min<std::uint64_t>(most, UINT32_MAX));
    if (const auto distance = similarity::edit_distance_within(a, b, bound)) return *distance;
  }
}

double Verifier::score(std::uint64_t a, std::uint64_t b) const {
  check_kind(measure_ == Measure::hamming, measure_, "codes");
  return std::popcount(a ^ b);
}

std::optional<double> Verifier::identity_score(std::uint64_t set_size) const {
  if (set_size == 0) return std::nullopt;
  if (!compares_sets_) return 0.0;
  if (!sizes_can_match(set_size, set_size)) return std::nullopt;
  return with_measure(measure_, [&]<class M>() { return M::score(set_size, set_size, set_size); });
}

bool Verifier::sizes_can_match(std::uint64_t x, std::uint64_t y) const { return min_overlap(x, y) <= std::min(x, y); }

std::uint64_t Verifier::min_overlap(std::uint64_t x, std::uint64_t y) const {
  check_kind(compares_sets_, measure_, "sets");
  return with_measure(measure_, [&]<class M>() { return M::min_overlap(x, y, threshold_); });
}

std::uint64_t Verifier::min_overlap_any(std::uint64_t x) const {
  check_kind(compares_sets_, measure_, "sets");
  return with_measure(measure_, [&]<class M>() { return M::min_overlap_any(x, threshold_); });
}

std::uint64_t Verifier::min_size(std::uint64_t x) const {
  check_kind(compares_sets_, measure_, "sets");
  return with_measure(measure_, [&]<class M>() { return M::min_size(x, threshold_); });
}

std::uint64_t Verifier::max_size(std::uint64_t x) const {
  check_kind(compares_sets_, measure_, "sets");
  return with_measure(measure_, [&]<class M>() { return M::max_size(x, threshold_); });
}

std::uint64_t Verifier::prefix_size(std::uint64_t x) const {
  const std::uint64_t least = min_overlap_any(x);
  return least > x ? 0 : x - least + 1;
}

}  // namespace neardup
