#include "advise/valley.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/random.h"

namespace neardup::advising {
namespace {

constexpr double kLeastDepth = 2, kDeep = 5;
constexpr double kLeastPeak = 5;     // pairs in the bin of the peak of near-duplicates
constexpr double kLeastPlace = 0.5;  // below, documents that only share a quotation become near-duplicates
constexpr int kValleyResamples = 100;

std::vector<double> smoothed(std::span<const double> bins) {
  std::vector<double> out(bins.size());
  for (std::size_t i = 0; i < bins.size(); ++i) {
    const double before = bins[i == 0 ? 0 : i - 1], after = bins[std::min(i + 1, bins.size() - 1)];
    out[i] = (before + 2 * bins[i] + after) / 4;
  }
  return out;
}

double place_of(double bin) { return kLowestScore + kValleyBin * bin; }

}  // namespace

std::size_t valley_bin(double score) {
  const double bin = (score - kLowestScore) / kValleyBin + 1e-6;
  return std::min(kValleyBins - 1, static_cast<std::size_t>(std::max(0.0, bin)));
}

std::optional<Valley> find_valley(std::span<const double> bins) {
  const std::vector<double> smooth = smoothed(bins);
  std::vector<double> left(smooth.size()), right(smooth.size());
  for (std::size_t i = 0; i < smooth.size(); ++i) left[i] = std::max(i == 0 ? 0 : left[i - 1], smooth[i]);
  for (std::size_t i = smooth.size(); i-- > 0;)
    right[i] = std::max(i + 1 == smooth.size() ? 0 : right[i + 1], smooth[i]);
  // Half a pair is added, so that an empty stretch is deep, but not infinitely.
  const auto depth = [&](std::size_t i) { return std::min(left[i], right[i]) / (smooth[i] + 0.5); };
  std::size_t best = 0;
  for (std::size_t i = 1; i < smooth.size(); ++i) best = depth(i) > depth(best) ? i : best;
  if (smooth.empty() || depth(best) < kLeastDepth || right[best] < kLeastPeak) return std::nullopt;
  const double ground = smooth[best] * 1.5 + 0.5;
  std::size_t first = best, last = best;
  while (first > 0 && smooth[first - 1] <= ground) --first;
  while (last + 1 < smooth.size() && smooth[last + 1] <= ground) ++last;
  const auto low = static_cast<double>(first), high = static_cast<double>(last + 1);
  return Valley{
      .place = place_of((low + high) / 2), .low = place_of(low), .high = place_of(high), .depth = depth(best)};
}

namespace {

// By probe: the bins that its pairs fill.
using BinsOfProbes = std::vector<std::vector<std::uint8_t>>;

std::vector<double> histogram(const BinsOfProbes& bins, base::Random* random) {
  std::vector<double> out(kValleyBins);
  for (std::size_t i = 0; i < bins.size(); ++i) {
    const auto& drawn = bins[random == nullptr ? i : random->below(bins.size())];
    for (const std::uint8_t bin : drawn) out[bin] += 1;
  }
  return out;
}

// Multiples of 0.05 are enough for a threshold: what lies between is noise.
Threshold rounded(double place) {
  const auto twentieths = static_cast<unsigned>(std::clamp(std::round(place * 20), 6.0, 19.0));
  return parse_threshold(fmt::format("{}/20", twentieths));
}

}  // namespace

ThresholdAdvice suggest_threshold(const Scores& scores, const Threshold& fallback, std::uint64_t seed) {
  constexpr std::size_t kMostOfOne = 20'000;  // pairs of a probe: more of them say the same
  BinsOfProbes bins(scores.probes.size());
  for (const ScoredPair& pair : scores.pairs) {
    if (bins[pair.probe].size() < kMostOfOne)
      bins[pair.probe].push_back(static_cast<std::uint8_t>(valley_bin(pair.score)));
  }
  ThresholdAdvice advice{.suggested = fallback};
  const std::vector<double> all = histogram(bins, nullptr);
  const std::optional<Valley> valley = find_valley(all);
  if (!valley) {
    const bool has_pairs = std::ranges::any_of(all, [](double count) { return count > 0; });
    advice.reason =
        has_pairs ? "the number of pairs falls steadily with their similarity: no threshold separates them by itself"
                  : "the sample has no similar pairs";
    return advice;
  }
  base::Random random(seed);
  std::vector<double> places;
  for (int i = 0; i < kValleyResamples; ++i) {
    if (const auto again = find_valley(histogram(bins, &random))) places.push_back(again->place);
  }
  std::ranges::sort(places);
  advice.valley = valley->place;
  advice.valley_low = places.empty() ? valley->low : places[places.size() / 40];
  advice.valley_high = places.empty() ? valley->high : places[places.size() - 1 - places.size() / 40];
  const double usual = value_of(fallback);
  const bool usual_fits = usual >= valley->low - 1e-9 && usual <= valley->high + 1e-9;
  const bool is_stable =
      static_cast<int>(places.size()) >= kValleyResamples * 9 / 10 && advice.valley_high - advice.valley_low <= 0.2;
  advice.confidence = valley->depth >= kDeep && is_stable   ? Confidence::high
                      : is_stable || valley->depth >= kDeep ? Confidence::medium
                                                            : Confidence::low;
  // A shallow valley is not worth leaving the usual threshold for.
  if (!usual_fits && advice.confidence != Confidence::low)
    advice.suggested = rounded(std::max(valley->place, kLeastPlace));
  advice.reason =
      fmt::format("few pairs have a similarity of {:.2f} to {:.2f}, {:.0f} times as many are on either side",
                  valley->low, valley->high, std::min(valley->depth, 999.0));
  return advice;
}

}  // namespace neardup::advising
