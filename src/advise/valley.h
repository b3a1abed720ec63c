// Where do the scores of near-duplicates end and those of unrelated documents begin?
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "advise/scores.h"
#include "neardup/advise.h"

namespace neardup::advising {

inline constexpr double kValleyBin = 0.02;
inline constexpr std::size_t kValleyBins = 40;  // from kLowestScore to 1

inline double value_of(const Threshold& threshold) {
  return static_cast<double>(threshold.num) / static_cast<double>(threshold.den);
}

// A valley of a histogram: a place that has clearly more on either side.
struct Valley {
  double place;      // the middle of the lowest stretch
  double low, high;  // the stretch
  double depth;      // how many times as much the lower of the two sides has at its peak
};
// `bins` begin at kLowestScore. Nothing when no place is deep enough.
std::optional<Valley> find_valley(std::span<const double> bins);

// The bin of a score of at least kLowestScore.
std::size_t valley_bin(double score);

// What the scores say about a threshold. `fallback` is suggested unless they say something else.
ThresholdAdvice suggest_threshold(const Scores&, const Threshold& fallback, std::uint64_t seed);

}  // namespace neardup::advising
