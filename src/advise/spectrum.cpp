#include "advise/spectrum.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "base/random.h"

namespace neardup::advising {
namespace {

constexpr std::uint32_t kLarge = 64;  // clusters of which so much is seen are known well enough by dividing
constexpr int kRounds = 200, kResamples = 60;

struct SizeCount {
  std::uint32_t size;
  double clusters;
};
struct Totals {
  double clusters = 0, removed = 0;
};

double log_binomial(double n, double k, double share) {
  return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) + k * std::log(share) +
         (n - k) * std::log1p(-share);
}

// The true sizes that are considered: dense where they are small.
std::vector<double> size_grid(double share) {
  std::vector<double> grid;
  for (double n = 1; n <= 2 * kLarge / share; n = std::max(n + 1, std::round(n * 1.12))) grid.push_back(n);
  return grid;
}

class Deconvolution {
 public:
  Deconvolution(std::span<const SizeCount> seen, double share) : share_(share), grid_(size_grid(share)) {
    for (const SizeCount& count : seen) {
      if (count.size >= kLarge) continue;
      auto& row = chance_.emplace_back();
      for (const double n : grid_) row.push_back(n < count.size ? 0 : std::exp(log_binomial(n, count.size, share)));
    }
    for (const double n : grid_) shown_.push_back(1 - std::pow(1 - share, n));
  }

  // `counts` belong to the sizes that were given.
  [[nodiscard]] Totals totals(std::span<const SizeCount> seen) const {
    Totals out;
    std::vector<double> counts;
    double all = 0;
    for (const SizeCount& count : seen) {
      if (count.size >= kLarge) {
        out.clusters += count.clusters;
        out.removed += count.clusters * (count.size / share_ - 1);
      } else {
        counts.push_back(count.clusters);
        all += count.clusters;
      }
    }
    std::vector<double> amount(grid_.size(), all / static_cast<double>(grid_.size())), gain(grid_.size());
    for (int round = 0; round < kRounds && all > 0; ++round) {
      std::ranges::fill(gain, 0);
      for (std::size_t k = 0; k < counts.size(); ++k) {
        double expected = 0;
        for (std::size_t n = 0; n < grid_.size(); ++n) expected += amount[n] * chance_[k][n];
        if (expected <= 0) continue;
        for (std::size_t n = 0; n < grid_.size(); ++n) gain[n] += counts[k] * chance_[k][n] / expected;
      }
      for (std::size_t n = 0; n < grid_.size(); ++n) amount[n] *= gain[n] / shown_[n];
    }
    for (std::size_t n = 0; n < grid_.size(); ++n) {
      if (grid_[n] < 2) continue;
      out.clusters += amount[n];
      out.removed += amount[n] * (grid_[n] - 1);
    }
    return out;
  }

 private:
  double share_;
  std::vector<double> grid_;
  std::vector<std::vector<double>> chance_;  // by size seen, then true size
  std::vector<double> shown_;                // the chance that anything is seen of a cluster
};

// Poisson by inversion, or its normal limit; the same on every machine up to the last digits of exp and sqrt.
double poisson(double mean, base::Random& random) {
  const auto uniform = [&] { return (static_cast<double>(random.next() >> 11) + 0.5) * 0x1p-53; };
  if (mean > 50) {
    const double normal = std::sqrt(-2 * std::log(uniform())) * std::cos(6.283185307179586 * uniform());
    return std::max(0.0, std::round(mean + std::sqrt(mean) * normal));
  }
  double limit = std::exp(-mean), product = uniform(), count = 0;
  for (; product > limit; product *= uniform()) ++count;
  return count;
}

Estimate interval(double value, std::vector<double>& values) {
  std::ranges::sort(values);
  const std::size_t skipped = values.size() / 40;
  return {value, std::min(value, values[skipped]), std::max(value, values[values.size() - 1 - skipped])};
}

}  // namespace

ClusterEstimate estimate_clusters(std::span<const std::uint32_t> sizes, double share, std::uint64_t seed) {
  std::map<std::uint32_t, double> by_size;
  for (const std::uint32_t size : sizes) by_size[size] += 1;
  std::vector<SizeCount> seen;
  Totals direct;
  for (const auto& [size, clusters] : by_size) {
    seen.push_back({size, clusters});
    direct.clusters += size >= 2 ? clusters : 0;
    direct.removed += clusters * (size - 1.0);
  }
  if (share >= 1) {
    return {.clusters = {direct.clusters, direct.clusters, direct.clusters},
            .removed = {direct.removed, direct.removed, direct.removed}};
  }
  const Deconvolution deconvolution(seen, share);
  const Totals best = deconvolution.totals(seen);
  base::Random random(seed);
  std::vector<double> clusters, removed;
  for (int i = 0; i < kResamples; ++i) {
    std::vector<SizeCount> drawn = seen;
    for (SizeCount& count : drawn) count.clusters = poisson(count.clusters, random);
    const Totals totals = deconvolution.totals(drawn);
    clusters.push_back(totals.clusters);
    removed.push_back(totals.removed);
  }
  ClusterEstimate out{.clusters = interval(best.clusters, clusters), .removed = interval(best.removed, removed)};
  // Nothing seen does not mean that nothing is there: with 95% confidence fewer than 3 pairs would have shown.
  out.clusters.high = std::max(out.clusters.high, 3 / (share * share));
  out.removed.high = std::max(out.removed.high, 3 / (share * share));
  return out;
}

}  // namespace neardup::advising
