#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>

#include "base/guard.h"
#include "evaluate/documents.h"
#include "evaluate/mistakes.h"
#include "evaluate/partition.h"
#include "neardup/error.h"

namespace neardup {
namespace evaluation {
namespace {

// Documents that are joined pair by pair, with a count of the pairs that are in one cluster, and of those that are
// true. The smaller cluster is merged into the larger, so that a document moves O(log n) times.
class GrowingClusters {
 public:
  explicit GrowingClusters(const Compared& compared) : compared_(compared), cluster_of_(compared.is_in.size()) {
    clusters_.resize(compared.is_in.size());
    for (std::uint32_t document = 0; document < clusters_.size(); ++document) {
      cluster_of_[document] = document;
      clusters_[document].all = {document};
      if (!compared.is_in[document]) continue;
      clusters_[document].evaluated = 1;
      if (has_labels()) clusters_[document].by_label[compared.truth.group[document]] = 1;
    }
    if (has_labels()) return;
    true_partners_.resize(clusters_.size());
    false_partners_.resize(clusters_.size());
    for (const ScoredPair& scored : compared.truth.pairs) connect(true_partners_, scored.pair);
    for (const DocumentPair& pair : compared.truth.different) connect(false_partners_, pair);
  }

  void join(const DocumentPair& pair) {
    std::uint32_t from = cluster_of_[pair.first], to = cluster_of_[pair.second];
    if (from == to) return;
    if (clusters_[from].all.size() > clusters_[to].all.size()) std::swap(from, to);
    count_between(clusters_[from], to);
    Members& into = clusters_[to];
    Members gone = std::exchange(clusters_[from], Members());
    for (const std::uint32_t document : gone.all) cluster_of_[document] = to;
    into.all.insert(into.all.end(), gone.all.begin(), gone.all.end());
    into.evaluated += gone.evaluated;
    for (const auto& [label, count] : gone.by_label) into.by_label[label] += count;
  }

  [[nodiscard]] std::uint64_t found() const { return found_; }
  [[nodiscard]] std::uint64_t common() const { return common_; }

 private:
  struct Members {
    std::vector<std::uint32_t> all;
    std::uint64_t evaluated = 0;
    std::unordered_map<std::uint32_t, std::uint64_t> by_label;  // where the truth has clusters
  };
  using Partners = std::vector<std::vector<std::uint32_t>>;

  [[nodiscard]] bool has_labels() const { return compared_.truth.kind == Grouping::Kind::clusters; }
  static void connect(Partners& partners, const DocumentPair& pair) {
    partners[pair.first].push_back(pair.second);
    partners[pair.second].push_back(pair.first);
  }
  [[nodiscard]] std::uint64_t partners_in(const Partners& partners, const Members& of, std::uint32_t cluster) const {
    std::uint64_t count = 0;
    for (const std::uint32_t document : of.all)
      for (const std::uint32_t partner : partners[document]) count += cluster_of_[partner] == cluster ? 1 : 0;
    return count;
  }

  void count_between(const Members& smaller, std::uint32_t to) {
    const Members& larger = clusters_[to];
    if (has_labels()) {
      const bool fewer = smaller.by_label.size() < larger.by_label.size();
      const auto &few = fewer ? smaller.by_label : larger.by_label, &many = fewer ? larger.by_label : smaller.by_label;
      for (const auto& [label, count] : few)
        if (const auto at = many.find(label); at != many.end()) common_ += count * at->second;
      found_ += smaller.evaluated * larger.evaluated;
      return;
    }
    const std::uint64_t true_ones = partners_in(true_partners_, smaller, to);
    common_ += true_ones;
    found_ += compared_.truth.judges_only_listed() ? true_ones + partners_in(false_partners_, smaller, to)
                                                   : smaller.evaluated * larger.evaluated;
  }

  const Compared& compared_;
  std::vector<std::uint32_t> cluster_of_;
  std::vector<Members> clusters_;
  Partners true_partners_, false_partners_;  // where the truth has pairs
  std::uint64_t found_ = 0, common_ = 0;
};

// About a hundred of them, at even distances between the strongest and the weakest score.
std::vector<SweepPoint> thinned(const std::vector<SweepPoint>& all) {
  constexpr std::size_t kMost = 100;
  if (all.size() <= kMost) return all;
  std::vector<SweepPoint> out;
  const double first = all.front().threshold, last = all.back().threshold;
  std::size_t at = 0;
  for (std::size_t i = 0; i <= kMost; ++i) {
    const double threshold = first + (last - first) * static_cast<double>(i) / kMost;
    while (at + 1 < all.size() && std::abs(all[at + 1].threshold - first) <= std::abs(threshold - first)) ++at;
    if (out.empty() || out.back().threshold != all[at].threshold) out.push_back(all[at]);
  }
  return out;
}

Sweep sweep(const Grouping& scored, const Grouping& truth, const Context& context) {
  if (scored.kind != Grouping::Kind::pairs || scored.pairs.empty() ||
      std::ranges::any_of(scored.pairs, [](const auto& pair) { return !pair.score || std::isnan(*pair.score); }))
    throw Error(ErrorCode::usage, "`sweep` needs a result that is a list of pairs with scores", "sweep");
  const NameNumbers names(truth, scored);
  const NumberedGrouping true_side(truth, names), found_side(scored, names);
  const Compared compared(true_side, found_side, names);
  const std::uint64_t true_pairs =
      true_side.kind == Grouping::Kind::clusters ? compared.table.true_pairs() : true_side.pairs.size();
  std::vector<ScoredPair> order = found_side.pairs;
  std::ranges::stable_sort(order, [](const ScoredPair& a, const ScoredPair& b) { return *a.strength > *b.strength; });
  GrowingClusters clusters(compared);
  Sweep out{.scores_are_distances = scored.scores_are_distances};
  std::vector<SweepPoint> all;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i % 4096 == 0) base::check_stop(context);
    clusters.join(order[i].pair);
    if (i + 1 < order.size() && order[i + 1].strength == order[i].strength) continue;
    all.push_back({.threshold = scored.scores_are_distances ? -*order[i].strength : *order[i].strength,
                   .found_pairs = clusters.found(),
                   .common_pairs = clusters.common(),
                   .true_pairs = true_pairs});
    if (all.size() == 1 || all.back().f1() > out.best.f1()) out.best = all.back();
  }
  out.points = thinned(all);
  return out;
}

}  // namespace
}  // namespace evaluation

double SweepPoint::precision() const { return evaluation::ratio(common_pairs, found_pairs); }
double SweepPoint::recall() const { return evaluation::ratio(common_pairs, true_pairs); }
double SweepPoint::f1() const { return evaluation::ratio(2 * common_pairs, found_pairs + true_pairs); }

Sweep sweep_thresholds(const Grouping& scored_pairs, const Grouping& truth, const Context& given) {
  return base::guarded(given, [&](const Context& context) { return evaluation::sweep(scored_pairs, truth, context); });
}

}  // namespace neardup
