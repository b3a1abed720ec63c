#include "search/band_plan.h"

#include <cmath>
#include <string>

#include "neardup/error.h"

namespace neardup::search {

double lowest_jaccard(const Definition& definition) {
  const double t = static_cast<double>(definition.threshold.num) / static_cast<double>(definition.threshold.den);
  switch (definition.measure) {
    case Measure::jaccard:
      return t;
    case Measure::dice:
      return t / (2 - t);
    case Measure::cosine:
      // The extreme case is a set inside another: o = |y|, cosine = sqrt(|y| / |x|), jaccard = |y| / |x|.
      return t * t;
    case Measure::overlap:
    case Measure::edit:
    case Measure::hamming:
      break;
  }
  throw Error(ErrorCode::usage, "--finder minhash serves jaccard, dice and cosine, not " +
                                    to_string(definition.measure) + " (--finder exact serves every measure)");
}

BandPlan plan_bands(double jaccard, double target_recall) {
  BandPlan best{.bands = 0, .rows = 0};
  for (std::size_t rows = 1; rows <= kHashBudget; ++rows) {
    const double agree = std::pow(jaccard, static_cast<double>(rows));
    // With agreement certain one band suffices; the small slack keeps rounding from asking for one band too many.
    const double bands = agree >= 1 ? 1 : std::ceil(std::log(1 - target_recall) / std::log1p(-agree) - 1e-9);
    const std::size_t most = rows == 1 ? kMostBands : kHashBudget / rows;
    if (!(bands <= static_cast<double>(most))) break;
    best = {.bands = static_cast<std::size_t>(bands), .rows = rows};
  }
  if (best.bands == 0) {
    throw Error(ErrorCode::usage, "the threshold is too low for --finder minhash: a recall of " +
                                      std::to_string(target_recall) + " would take more than " +
                                      std::to_string(kMostBands) + " bands (--finder exact has no such limit)");
  }
  return best;
}

}  // namespace neardup::search
