#include "advise/matching.h"

#include <algorithm>
#include <unordered_map>

namespace neardup::advising {
namespace {

constexpr std::uint32_t kNobody = ~std::uint32_t{0};
struct Match {
  std::uint32_t partner = kNobody;
  float score = 0;
};

}  // namespace

Matching match_one_to_one(const Scores& scores, std::uint64_t rights) {
  std::vector<ScoredPair> pairs = scores.pairs;
  std::ranges::sort(pairs, [](const ScoredPair& a, const ScoredPair& b) {
    return a.score != b.score ? a.score > b.score : a.probe != b.probe ? a.probe < b.probe : a.unit < b.unit;
  });
  std::vector<Match> left(scores.probes.size()), right(rights);
  std::vector<float> matched, accidental, nearest(scores.probes.size());
  for (const ScoredPair& pair : pairs) {
    nearest[pair.probe] = std::max(nearest[pair.probe], pair.score);
    if (left[pair.probe].partner != kNobody || right[pair.unit].partner != kNobody) continue;
    left[pair.probe] = {pair.unit, pair.score};
    right[pair.unit] = {pair.probe, pair.score};
    matched.push_back(pair.score);
  }
  // Seen from the smaller side: it bounds how many matches there can be.
  const bool from_left = scores.probes.size() <= rights;
  std::vector<float> instead(from_left ? scores.probes.size() : rights);
  for (const ScoredPair& pair : pairs) {
    const Match& own = from_left ? left[pair.probe] : right[pair.unit];
    const Match& other = from_left ? right[pair.unit] : left[pair.probe];
    const bool is_match = own.partner == (from_left ? pair.unit : pair.probe);
    float& best = instead[from_left ? pair.probe : pair.unit];
    if (!is_match && other.score < pair.score) best = std::max(best, pair.score);
  }

  Matching out;
  const auto count_from = [](const std::vector<float>& values, double threshold) {
    return static_cast<double>(std::ranges::count_if(values, [&](float v) { return v > 0 && v >= threshold - 1e-6; }));
  };
  const auto records = static_cast<double>(instead.size());
  std::vector<double> chance;
  for (int twentieths = 4; twentieths < 20; ++twentieths) {
    const double threshold = twentieths / 20.0;
    out.points.push_back({threshold, count_from(matched, threshold), count_from(nearest, threshold), 0, 0});
    chance.push_back(records > 0 ? count_from(instead, threshold) / records : 0);
  }
  // Records without a partner are those that can match by accident; how many there are follows from the matches.
  constexpr int kRounds = 30;
  double partners = records / 2;
  for (int round = 0; round < kRounds; ++round) {
    double most = 0;
    for (std::size_t i = 0; i < chance.size(); ++i)
      most = std::max(most, out.points[i].matched - (records - std::min(partners, records)) * chance[i]);
    partners = (partners + most) / 2;
  }
  for (std::size_t i = 0; i < chance.size(); ++i) {
    MatchCurvePoint& point = out.points[i];
    point.accidents = std::min(point.matched, (records - std::min(partners, records)) * chance[i]);
    const double whole = point.matched + partners;
    point.f1 = whole > 0 ? 2 * (point.matched - point.accidents) / whole : 0;
    if (point.f1 >= out.points[out.best].f1) out.best = i;
  }
  return out;
}

}  // namespace neardup::advising
