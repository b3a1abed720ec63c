#include "report/page/threshold_curve.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "cluster/cluster.h"

namespace neardup::report {
namespace {

// In thousandths, so that thresholds are the doubles of plain decimals, as scores of the same value are.
std::vector<double> ratio_steps(const Threshold& from) {
  constexpr std::uint64_t kParts = 1000, kMostParts = 200;
  const std::uint64_t first = from.num * kParts / from.den + 1;
  std::uint64_t width = 1;
  for (const std::uint64_t wider : {2, 5, 10})
    if ((kParts - std::min(kParts, first)) / width > kMostParts) width = wider;
  std::vector<double> out{static_cast<double>(from.num) / static_cast<double>(from.den)};
  for (std::uint64_t part = (first + width - 1) / width * width; part <= kParts; part += width)
    out.push_back(static_cast<double>(part) / static_cast<double>(kParts));
  return out;
}

std::vector<double> distance_steps(const Threshold& from) {
  const std::uint64_t most = from.num / from.den;
  const std::uint64_t width = most / (ThresholdCurve::kMostSteps - 2) + 1;
  std::vector<double> out;
  for (std::uint64_t at = most; at > 0; at -= std::min(at, width)) out.push_back(static_cast<double>(at));
  out.push_back(0);
  return out;
}

std::vector<double> overlap_steps(const Threshold& from) {
  std::vector<double> out;
  for (std::uint64_t at = from.num / from.den; out.size() < ThresholdCurve::kMostSteps;
       at = std::max(at + 1, at * 11 / 10))
    out.push_back(static_cast<double>(at));
  return out;
}

std::vector<double> steps_of(Measure measure, const Threshold& from) {
  if (is_distance(measure)) return distance_steps(from);
  return measure == Measure::overlap ? overlap_steps(from) : ratio_steps(from);
}

}  // namespace

ThresholdCurve::ThresholdCurve(Measure measure, const Threshold& from, std::size_t rows, bool counts_clusters,
                               Reservation memory, std::size_t edges_at_once)
    : is_distance_(is_distance(measure)),
      thresholds_(steps_of(measure, from)),
      pairs_(thresholds_.size()),
      rows_(rows),
      counts_clusters_(counts_clusters),
      memory_(std::move(memory)),
      edges_at_once_(edges_at_once),
      next_reduction_(edges_at_once) {}

std::size_t ThresholdCurve::step_of(double score) const {
  const auto met = is_distance_ ? std::ranges::upper_bound(thresholds_, score, std::greater<>())
                                : std::ranges::upper_bound(thresholds_, score);
  const auto count = static_cast<std::size_t>(met - thresholds_.begin());
  return count == 0 ? 0 : count - 1;
}

void ThresholdCurve::add(const Pair& pair) {
  const std::size_t step = step_of(pair.score);
  ++pairs_[step];
  if (!counts_clusters_) return;
  edges_.push_back({static_cast<std::uint32_t>(pair.left), static_cast<std::uint32_t>(pair.right),
                    static_cast<std::uint16_t>(step)});
  if (edges_.size() >= next_reduction_) reduce();
}

// Keeps a maximum spanning forest: strictest edges first, only those that connect something.
void ThresholdCurve::reduce() {
  if (!memory_.try_resize(rows_ * sizeof(std::uint32_t) + 2 * edges_.size() * sizeof(Edge))) {
    counts_clusters_ = false;
    edges_ = {};
    return;
  }
  std::ranges::stable_sort(edges_, std::greater<>(), &Edge::step);
  cluster::UnionFind links(rows_);
  std::erase_if(edges_, [&](const Edge& edge) { return !links.unite(edge.left, edge.right); });
  next_reduction_ = std::max(edges_at_once_, 2 * edges_.size());
}

std::vector<ThresholdStep> ThresholdCurve::finish() {
  if (counts_clusters_) reduce();
  if (counts_clusters_ && !memory_.try_resize(2 * rows_ * sizeof(std::uint32_t) + edges_.size() * sizeof(Edge)))
    counts_clusters_ = false;
  std::vector<ThresholdStep> out(thresholds_.size());
  cluster::UnionFind links(counts_clusters_ ? rows_ : 0);
  std::vector<std::uint32_t> members(counts_clusters_ ? rows_ : 0, 1);  // by root
  ThresholdStep now;
  auto edge = edges_.begin();
  for (std::size_t step = out.size(); step-- > 0;) {
    now.threshold = thresholds_[step];
    now.pairs += pairs_[step];
    for (; counts_clusters_ && edge != edges_.end() && edge->step == step; ++edge) {
      const std::uint32_t left = links.find(edge->left), right = links.find(edge->right);
      const int alone = (members[left] == 1 ? 1 : 0) + (members[right] == 1 ? 1 : 0);
      const std::uint32_t together = members[left] + members[right];
      links.unite(left, right);
      members[links.find(left)] = together;
      ++now.removed;
      now.clusters += static_cast<std::uint64_t>(alone) - 1;  // two alone: one more; two clusters: one less
      now.largest = std::max<std::uint64_t>(now.largest, together);
    }
    out[step] = now;
  }
  return out;
}

}  // namespace neardup::report
