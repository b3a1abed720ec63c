#include <array>
#include <cassert>
#include <numeric>
#include <utility>

#include "base/choices.h"
#include "cluster/cluster.h"

namespace neardup {

namespace {

constexpr std::array kKinds{
    Choice<ClusterKind>{"components", ClusterKind::components,
                        "documents connected by similar pairs, directly or through others"},
    Choice<ClusterKind>{"star", ClusterKind::star, "every member is near the kept one"},
    Choice<ClusterKind>{"complete", ClusterKind::complete, "all members are near each other"},
    Choice<ClusterKind>{"core", ClusterKind::core,
                        "components, cut where a single pair connects two groups of two or more"},
};

}  // namespace

ClusterKind parse_cluster_kind(std::string_view text) {
  return base::parse_choice<ClusterKind>("clusters", text, kKinds);
}
std::string to_string(ClusterKind kind) { return base::choice_name<ClusterKind>(kind, kKinds); }
std::span<const Choice<ClusterKind>> cluster_choices() { return kKinds; }

namespace cluster {
namespace {

std::vector<std::uint32_t> each_leads_itself(std::size_t units) {
  std::vector<std::uint32_t> leader(units);
  std::iota(leader.begin(), leader.end(), 0u);
  return leader;
}

// Places units one after another, each given its earlier neighbours.
class CompletePlacer {
 public:
  explicit CompletePlacer(std::size_t units) : leader_(each_leads_itself(units)), size_(units, 1), near_(units, 0) {}

  void add(RankedPair pair) {
    assert(pair.before < pair.after && pair.after < leader_.size());
    if (pair.after != unit_) {
      place();
      unit_ = pair.after;
    } else if (pair.before == last_neighbour_) {
      return;
    }
    last_neighbour_ = pair.before;
    const std::uint32_t cluster = leader_[pair.before];
    if (!pair.follows && cluster == pair.before) return;  // one neighbour too few to join
    if (near_[cluster]++ == 0) touched_.push_back(cluster);
  }

  std::vector<std::uint32_t> finish() {
    place();
    return std::move(leader_);
  }

 private:
  void place() {
    std::uint32_t best = unit_;  // leads itself unless an earlier cluster is near as a whole
    for (const std::uint32_t cluster : touched_) {
      if (near_[cluster] == size_[cluster] && cluster < best) best = cluster;
      near_[cluster] = 0;
    }
    if (best != unit_) {
      leader_[unit_] = best;
      ++size_[best];
    }
    touched_.clear();
  }

  std::vector<std::uint32_t> leader_;
  std::vector<std::uint32_t> size_;     // members of the cluster that a unit leads, so far
  std::vector<std::uint32_t> near_;     // how many of them are neighbours of `unit_`
  std::vector<std::uint32_t> touched_;  // clusters whose near_ is not 0
  std::uint32_t unit_ = 0;              // whose neighbours are arriving; 0 has no earlier ones
  std::uint32_t last_neighbour_ = 0;
};

}  // namespace

// A unit is taken as soon as another leads it. When pairs with `before` arrive its turn has come: it is a centre if it
// still leads itself. The turn of `after` has not come, so leading itself means not taken.
std::vector<std::uint32_t> star(std::size_t units, const PairStream& by_before) {
  auto leader = each_leads_itself(units);
  by_before([&](RankedPair pair) {
    assert(pair.before < pair.after && pair.after < units);
    if (leader[pair.before] == pair.before && leader[pair.after] == pair.after) leader[pair.after] = pair.before;
  });
  return leader;
}

std::vector<std::uint32_t> complete(std::size_t units, const PairStream& by_after) {
  CompletePlacer placer{units};
  by_after([&](RankedPair pair) { placer.add(pair); });
  return placer.finish();
}

}  // namespace cluster
}  // namespace neardup
