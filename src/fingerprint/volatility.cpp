#include <algorithm>
#include <bit>
#include <cstdint>

#include "fingerprint/weighted.h"
#include "neardup/sketch.h"

namespace neardup {
namespace {

using Wide = unsigned __int128;

std::uint64_t squares_by_sorting(std::span<const Feature> occurrences, std::vector<Feature>& scratch) {
  scratch.assign(occurrences.begin(), occurrences.end());
  std::sort(scratch.begin(), scratch.end());
  std::uint64_t squares = 0, run = 0;
  for (std::size_t i = 0; i < scratch.size(); ++i) {
    run = i > 0 && scratch[i] == scratch[i - 1] ? run + 1 : 1;
    squares += 2 * run - 1;
  }
  return squares;
}

// The sum over distinct features of the square of how often they occur. A table half empty finds repeats in about one
// step each; features made to collide in it are sorted instead.
std::uint64_t sum_of_squares(std::span<const Feature> occurrences, std::vector<Feature>& scratch) {
  if (std::is_sorted(occurrences.begin(), occurrences.end(), std::less_equal<>())) return occurrences.size();
  constexpr std::size_t kFitsTheCache = 1u << 14;
  if (occurrences.size() > kFitsTheCache) return squares_by_sorting(occurrences, scratch);
  const std::size_t places = std::bit_ceil(2 * occurrences.size());
  if (scratch.size() < 2 * places) scratch.resize(2 * places);
  Feature* const counts = scratch.data();
  Feature* const keys = counts + places;
  std::fill_n(counts, places, 0);
  std::uint64_t squares = 0;
  std::size_t steps_left = 8 * occurrences.size() + 64;
  for (const Feature f : occurrences) {
    std::size_t at = f & (places - 1);
    for (; counts[at] != 0 && keys[at] != f; at = (at + 1) & (places - 1)) {
      if (--steps_left == 0) return squares_by_sorting(occurrences, scratch);
    }
    keys[at] = f;
    squares += 2 * counts[at]++ + 1;
  }
  return squares;
}

// `squares`: of the features' weights, summed. Neither product below exceeds 128 bits: weighted.h bounds weights for
// it.
Volatility levels(const SimhashSums& sums, Wide squares, Projection projection) {
  Volatility result;
  const auto unit = static_cast<std::uint64_t>(projection == Projection::gaussian ? kGaussianUnit : 1);
  const Wide squared_norm = squares * (unit * unit);
  for (std::size_t bit = 0; bit < sums.size(); ++bit) {
    const auto sum = static_cast<std::uint64_t>(sums[bit] < 0 ? -sums[bit] : sums[bit]);
    const Wide squared_sum = Wide{sum} * sum * 4096;
    // The largest level with level^2 norm^2 <= (64 sum)^2.
    unsigned level = 0;
    for (unsigned step = 128; step != 0; step /= 2) {
      const unsigned higher = level + step;
      if (squared_norm * (higher * higher) <= squared_sum) level = higher;
    }
    result.level[bit] = static_cast<std::uint8_t>(level);
  }
  return result;
}

}  // namespace

Volatility volatility(const SimhashSums& sums, std::span<const Feature> occurrences, Projection projection,
                      std::vector<Feature>& scratch) {
  if (occurrences.empty()) return {};
  return levels(sums, sum_of_squares(occurrences, scratch), projection);
}

Volatility volatility(const SimhashSums& sums, std::span<const WeightedFeature> features, Projection projection) {
  Wide squares = 0;
  for (const WeightedFeature& f : features) squares += Wide{f.weight} * f.weight;
  return squares == 0 ? Volatility{} : levels(sums, squares, projection);
}

}  // namespace neardup
