#include "search/cohesion.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "base/parallel.h"
#include "base/random.h"
#include "base/system.h"
#include "cluster/bridges.h"
#include "search/decide.h"

namespace neardup::search {
namespace {

constexpr std::uint32_t kNoCluster = 0xffffffff;
constexpr std::uint64_t kMostCompared = 64;  // pairs of a cluster that are compared here

std::uint64_t pairs_of(std::uint64_t members) { return members * (members - 1) / 2; }

// Of two scores.
double weaker(Measure measure, double a, double b) { return is_distance(measure) ? std::max(a, b) : std::min(a, b); }
double strongest(Measure measure) { return is_distance(measure) ? 0 : std::numeric_limits<double>::infinity(); }

class CohesionCounts {
 public:
  CohesionCounts(const CohesionRequest& request, const Context& context)
      : request_(request),
        context_(context),
        memory_(base::reservation(context)),
        cluster_of_(request.units.units(), kNoCluster),
        copies_(request.units.units()),
        number_(request.units.units(), kNoCluster),
        out_(request.clusters.size()),
        pairs_(request.clusters.size()) {
    memory_.hold(bytes());
    assign_units();
  }

  std::vector<ClusterCohesion> measure() {
    count_pairs();
    if (request_.found.sets != nullptr) compare_the_rest();
    for (std::size_t c = 0; c < out_.size(); ++c) {
      if (out_[c].documents < 2) {
        out_[c].weakest = std::numeric_limits<double>::quiet_NaN();
      } else if (!out_[c].is_sampled) {
        out_[c].share = static_cast<double>(pairs_[c]) / static_cast<double>(pairs_of(out_[c].documents));
      }
    }
    return std::move(out_);
  }

 private:
  [[nodiscard]] std::size_t bytes() const {
    return request_.units.units() * 3 * sizeof(std::uint32_t) + out_.size() * sizeof(ClusterCohesion) +
           numbered_.size() * (sizeof(std::uint32_t) + cluster::BridgeSearch::kBytesPerNode);
  }
  [[nodiscard]] Unit unit_of_member(Clusters::Member row) const { return request_.units.unit_of_row[Row{row}]; }

  // Documents that were removed because of their key were not.
  [[nodiscard]] bool is_compared(Clusters::Member row) const { return request_.units.has_unit(Row{row}); }

  // Copies agree with each other.
  void assign_units() {
    constexpr std::uint64_t kLeast = 4;  // distinct documents on both sides of a bridge
    for (std::uint32_t c = 0; c < out_.size(); ++c) {
      ClusterCohesion& cohesion = out_[c];
      cohesion.weakest = strongest(request_.measure);
      for (const Clusters::Member row : request_.clusters[c]) {
        if (!is_compared(row)) continue;
        ++cohesion.documents;
        const Unit unit = unit_of_member(row);
        cluster_of_[unit] = c;
        if (copies_[unit]++ == 0) {
          ++cohesion.distinct;
          continue;
        }
        pairs_[c] += copies_[unit] - 1;
        cohesion.weakest =
            weaker(request_.measure, cohesion.weakest, request_.scorer.copy_score(unit).value_or(cohesion.weakest));
      }
    }
    for (const Unit unit : all<Unit>(request_.units.units())) {
      if (cluster_of_[unit] == kNoCluster || out_[cluster_of_[unit]].distinct < kLeast) continue;
      number_[unit] = static_cast<std::uint32_t>(numbered_.size());
      numbered_.push_back(unit);
    }
    memory_.hold(bytes());
  }

  void count_pairs() {
    cluster::BridgeSearch search(numbered_.size());
    for_each_distinct_pair(*request_.found.pairs, request_.measure, [&](const Pair& pair) {
      const Unit left = unit_of(pair.left), right = unit_of(pair.right);
      const std::uint32_t c = cluster_of_[left];
      if (c == kNoCluster || cluster_of_[right] != c) return;
      pairs_[c] += std::uint64_t{copies_[left]} * copies_[right];
      out_[c].weakest = weaker(request_.measure, out_[c].weakest, pair.score);
      if (number_[left] != kNoCluster) search.add({.a = number_[left], .b = number_[right], .strength = 0});
    });
    for (const cluster::Link& bridge : search.inner_bridges()) ++out_[cluster_of_[numbered_[bridge.a]]].bridges;
  }

  void compare_the_rest() {
    base::parallel_for(context_, out_.size(), [&](std::size_t first, std::size_t last) {
      for (std::size_t c = first; c < last; ++c) {
        if (pairs_[c] == pairs_of(out_[c].documents)) continue;
        if (pairs_of(out_[c].distinct) <= kMostCompared) {
          compare_all(c);
        } else {
          compare_some(c);
        }
      }
    });
  }

  void compare_all(std::size_t c) {
    std::vector<Unit> units;
    std::uint64_t agree = 0;
    for (const Clusters::Member row : request_.clusters[c]) {
      if (!is_compared(row)) continue;
      const Unit unit = unit_of_member(row);
      const auto at = std::ranges::lower_bound(units, unit);
      if (at == units.end() || *at != unit) units.insert(at, unit);
    }
    for (std::size_t i = 0; i < units.size(); ++i) {
      agree += pairs_of(copies_[units[i]]);
      for (std::size_t j = 0; j < i; ++j) {
        const std::optional<double> score = request_.scorer.score_anywhere(units[j], units[i]);
        if (!score) continue;
        agree += std::uint64_t{copies_[units[i]]} * copies_[units[j]];
        out_[c].weakest = weaker(request_.measure, out_[c].weakest, *score);
      }
    }
    pairs_[c] = agree;
  }

  // Two members at random, again and again. The seed is the cluster's own, so that threads do not matter.
  void compare_some(std::size_t c) {
    std::vector<Clusters::Member> members(request_.clusters[c].begin(), request_.clusters[c].end());
    std::erase_if(members, [&](Clusters::Member row) { return !is_compared(row); });
    base::Random random(request_.seed ^ base::mix64(members.front() + 1));
    std::uint64_t agree = 0;
    for (std::uint64_t i = 0; i < kMostCompared; ++i) {
      const std::uint64_t a = random.below(members.size()), b = random.below(members.size() - 1);
      const Unit left = unit_of_member(members[a]), right = unit_of_member(members[b < a ? b : b + 1]);
      const std::optional<double> score =
          left == right ? request_.scorer.copy_score(left) : request_.scorer.score_anywhere(left, right);
      if (!score) continue;
      ++agree;
      out_[c].weakest = weaker(request_.measure, out_[c].weakest, *score);
    }
    out_[c].share = static_cast<double>(agree) / static_cast<double>(kMostCompared);
    out_[c].is_sampled = true;
  }

  const CohesionRequest& request_;
  const Context& context_;
  Reservation memory_;
  PerUnit<std::uint32_t> cluster_of_, copies_, number_;
  std::vector<ClusterCohesion> out_;
  std::vector<std::uint64_t> pairs_;  // that meet the definition, by cluster
  std::vector<Unit> numbered_;        // of clusters that may have bridges
};

}  // namespace

std::vector<ClusterCohesion> measure_cohesion(const CohesionRequest& request, const Context& context) {
  return CohesionCounts(request, context).measure();
}

}  // namespace neardup::search
