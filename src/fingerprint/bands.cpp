#include "fingerprint/bands.h"

#include <cassert>
#include <cmath>
#include <string>

#include "base/random.h"
#include "neardup/error.h"

namespace neardup {

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
    case Measure::containment:
    case Measure::contained:
      throw Error(ErrorCode::usage,
                  "`finder=minhash` cannot serve " + to_string(definition.measure) +
                      ": a short document inside a long one agrees with it in few min-wise hashes, however the bands "
                      "are cut (`finder=exact` finds every pair)",
                  "finder");
    case Measure::overlap:
    case Measure::edit:
    case Measure::hamming:
      break;
  }
  throw Error(ErrorCode::usage,
              "`finder=minhash` serves jaccard, dice and cosine, not " + to_string(definition.measure) +
                  " (`finder=exact` serves every measure)",
              "finder");
}

Bands plan_bands(double jaccard, double target_recall) {
  Bands best{.bands = 0, .rows = 0};
  for (std::size_t rows = 1; rows <= kHashBudget; ++rows) {
    const double agree = std::pow(jaccard, static_cast<double>(rows));
    // With agreement certain one band suffices; the small slack keeps rounding from asking for one band too many.
    const double bands = agree >= 1 ? 1 : std::ceil(std::log(1 - target_recall) / std::log1p(-agree) - 1e-9);
    const std::size_t most = rows == 1 ? kMostBands : kHashBudget / rows;
    if (!(bands <= static_cast<double>(most))) break;
    best = {.bands = static_cast<std::size_t>(bands), .rows = rows};
  }
  if (best.bands == 0) {
    throw Error(ErrorCode::usage,
                "the threshold is too low for `finder=minhash`: a recall of " + std::to_string(target_recall) +
                    " would take more than " + std::to_string(kMostBands) + " bands (`finder=exact` has no such limit)",
                "finder");
  }
  return best;
}

Bands choose_bands(const Definition& definition, double target_recall) {
  definition.validate();
  if (!(target_recall > 0 && target_recall < 1))
    throw Error(ErrorCode::usage,
                "a recall of " + std::to_string(target_recall) + ": expected a value between 0 and 1");
  return plan_bands(lowest_jaccard(definition), target_recall);
}

// Stored by finders and shuffled by: never to change.
std::uint64_t Bands::key(std::span<const std::uint32_t> sketch, std::size_t band) const {
  assert(band < bands && sketch.size() >= hashes());
  std::uint64_t key = band;
  for (const std::uint32_t hash : sketch.subspan(band * rows, rows)) key = base::mix64(key + hash + 1);
  return key;
}

void Bands::keys(std::span<const std::uint32_t> sketch, std::vector<std::uint64_t>& out) const {
  if (sketch.size() < hashes()) {
    throw Error(ErrorCode::usage, "a sketch of " + std::to_string(sketch.size()) + " places for " +
                                      std::to_string(bands) + " bands of " + std::to_string(rows) + " rows");
  }
  out.resize(bands);
  for (std::size_t band = 0; band < bands; ++band) out[band] = key(sketch, band);
}

}  // namespace neardup
