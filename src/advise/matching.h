// Which threshold suits the matching of two tables, one record to one?
//
// Pairs are taken best first, each record once. What a record would get if its partner were missing is its best other
// candidate that no better pair takes: such scores are those of accidental matches. They say how many of the pairs
// above a threshold are accidents, and so which threshold promises the highest F1.
#pragma once

#include <cstdint>
#include <vector>

#include "advise/scores.h"
#include "neardup/advise.h"

namespace neardup::advising {

struct MatchCurvePoint {
  double threshold;
  double matched;    // pairs of the one-to-one matching
  double partnered;  // left records with any partner
  double accidents;  // expected among `matched`
  double f1;         // expected
};
struct Matching {
  std::vector<MatchCurvePoint> points;  // thresholds 0.2, 0.25, ... 0.95
  std::size_t best = 0;
};

// `lefts` and `rights`: how many distinct records there are on either side, of which all of the right were compared
// with the probes.
Matching match_one_to_one(const Scores&, std::uint64_t rights);

}  // namespace neardup::advising
