#include "dedup/loose_clusters.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <unordered_set>
#include <utility>

#include "base/counted.h"
#include "base/tsv.h"
#include "neardup/similarity.h"

namespace neardup::dedup {
namespace {

constexpr std::size_t kLooks = 5, kMembersCompared = 16;
constexpr std::uint64_t kLeastDistinct = 3;  // two are in one cluster because they meet the threshold
constexpr double kLooseBelow = 0.5;
constexpr std::size_t kLongString = 4096;  // bytes; the distance of longer strings takes long to compute

double pairs_below(const ClusterCohesion& cohesion) {
  const auto n = static_cast<double>(cohesion.documents);
  return (1 - cohesion.share) * n * (n - 1) / 2;
}

// The score of two members whatever the threshold, and whether they meet it.
class MemberScores {
 public:
  MemberScores(const Definition& definition, const corpus::Units& units)
      : definition_(definition), units_(units), verifier_(definition) {}

  struct Scored {
    bool meets;
    std::optional<double> score;
  };
  [[nodiscard]] Scored operator()(Row a, const report::ShownDocument& left, Row b,
                                  const report::ShownDocument& right) const {
    if (definition_.measure == Measure::hamming) {
      const Unit x = units_.unit_of_row[a], y = units_.unit_of_row[b];
      const bool fits = units_.length.empty() || definition_.lengths_agree(units_.length[x], units_.length[y]);
      return {fits && verifier_.verify(units_.bits[x], units_.bits[y]),
              verifier_.score(units_.bits[x], units_.bits[y])};
    }
    if (definition_.measure != Measure::edit)
      return {verifier_.verify(left.set, right.set).has_value(), verifier_.score(left.set, right.set)};
    Scored scored{verifier_.verify(left.string, right.string).has_value(), std::nullopt};
    if (std::max(left.string.size(), right.string.size()) <= kLongString)
      scored.score = verifier_.score(left.string, right.string);
    return scored;
  }

 private:
  const Definition& definition_;
  const corpus::Units& units_;
  Verifier verifier_;
};

}  // namespace

LooseClusters::LooseClusters(const Outcome& outcome) : outcome_(outcome), units_(outcome.reading.corpus.units) {
  report_.is_everything = outcome.search.cohesion.size() == outcome.clusters.size();
  if (report_.is_everything) {
    choose_worst();
  } else {
    choose_largest();
  }
  for (Look& look : looks_) choose_members(look);
}

void LooseClusters::choose_worst() {
  report_.bridged = 0;
  for (std::size_t c = 0; c < outcome_.clusters.size(); ++c) {
    const ClusterCohesion& cohesion = outcome_.search.cohesion[c];
    if (cohesion.distinct < kLeastDistinct) continue;
    ++report_.examined;
    *report_.bridged += cohesion.bridges > 0 ? 1 : 0;
    if (cohesion.share >= kLooseBelow) continue;
    ++report_.loose;
    looks_.push_back({c, cohesion, {}});
    std::ranges::stable_sort(looks_, std::greater(), [](const Look& look) { return pairs_below(look.cohesion); });
    if (looks_.size() > kLooks) looks_.pop_back();
  }
}

// Copies in a cluster do not make it larger. Without all pairs a cluster is as large as its documents say, at first.
void LooseClusters::choose_largest() {
  std::vector<std::size_t> largest;
  for (std::size_t c = 0; c < outcome_.clusters.size(); ++c) {
    if (outcome_.clusters[c].size() < kLeastDistinct) continue;
    if (largest.size() == kLooks && outcome_.clusters[c].size() <= outcome_.clusters[largest.back()].size()) continue;
    largest.push_back(c);
    std::ranges::stable_sort(largest, std::greater(), [&](std::size_t each) { return outcome_.clusters[each].size(); });
    if (largest.size() > kLooks) largest.pop_back();
  }
  for (const std::size_t c : largest) {
    const std::uint64_t distinct = distinct_in(c);
    if (distinct < kLeastDistinct) continue;
    ++report_.examined;
    looks_.push_back({c, {.documents = outcome_.clusters[c].size(), .distinct = distinct, .is_sampled = true}, {}});
  }
}

// By units: every unit has one first row, but that may not be the first member when rows were set aside.
std::uint64_t LooseClusters::distinct_in(std::size_t cluster) const {
  std::unordered_set<std::uint32_t> seen;
  for (const Clusters::Member row : outcome_.clusters[cluster])
    if (units_.has_unit(Row{row})) seen.insert(index(units_.unit_of_row[Row{row}]));
  return seen.size();
}

void LooseClusters::choose_members(Look& look) const {
  std::vector<Row> distinct;
  std::unordered_set<std::uint32_t> seen;
  for (const Clusters::Member row : outcome_.clusters[look.cluster])
    if (units_.has_unit(Row{row}) && seen.insert(index(units_.unit_of_row[Row{row}])).second)
      distinct.push_back(Row{row});
  const std::size_t count = std::min(kMembersCompared, distinct.size());
  for (std::size_t i = 0; i < count; ++i) look.members.push_back(distinct[i * distinct.size() / count]);
}

Row LooseClusters::kept_of(const Look& look) const {
  return row_of(outcome_.clusters.representative(outcome_.clusters[look.cluster].front()));
}

std::vector<Row> LooseClusters::wanted() const {
  std::vector<Row> rows;
  for (const Look& look : looks_) {
    rows.push_back(kept_of(look));
    if (!outcome_.plan.is_given) rows.insert(rows.end(), look.members.begin(), look.members.end());
  }
  return rows;
}

void LooseClusters::compare(const Look& look, const std::map<Row, report::ShownDocument>& shown,
                            LooseCluster& out) const {
  const Definition& definition = outcome_.plan.definition;
  const MemberScores scores(definition, units_);
  std::uint64_t pairs = 0, meet = 0;
  bool all_scored = true;
  for (std::size_t i = 0; i < look.members.size(); ++i) {
    for (std::size_t j = i + 1; j < look.members.size(); ++j) {
      const Row a = look.members[i], b = look.members[j];
      const auto [meets, score] = scores(a, shown.at(a), b, shown.at(b));
      ++pairs;
      meet += meets ? 1 : 0;
      all_scored &= score.has_value();
      if (!score) continue;
      const bool is_lower =
          !out.lowest || (is_distance(definition.measure) ? *score > *out.lowest : *score < *out.lowest);
      if (is_lower) out.lowest = score;
    }
  }
  if (!all_scored) out.lowest.reset();
  out.compared = look.members.size();
  if (!report_.is_everything) out.cohesion.share = static_cast<double>(meet) / static_cast<double>(pairs);
}

CohesionReport LooseClusters::judge(const std::map<Row, report::ShownDocument>& shown) const {
  CohesionReport report = report_;
  for (const Look& look : looks_) {
    LooseCluster cluster{.name = shown.at(kept_of(look)).name, .cohesion = look.cohesion};
    if (!outcome_.plan.is_given) compare(look, shown, cluster);
    if (cluster.cohesion.share >= kLooseBelow) continue;
    if (!report.is_everything) ++report.loose;
    report.worst.push_back(std::move(cluster));
  }
  std::ranges::stable_sort(report.worst, std::greater(),
                           [](const LooseCluster& cluster) { return pairs_below(cluster.cohesion); });
  return report;
}

std::optional<std::string> loose_warning(const CohesionReport& report, const Plan& plan) {
  constexpr std::uint64_t kWorthAWarning = 10;  // distinct documents
  const auto worst = std::ranges::find_if(
      report.worst, [&](const LooseCluster& cluster) { return cluster.cohesion.distinct >= kWorthAWarning; });
  if (worst == report.worst.end()) return std::nullopt;
  const ClusterCohesion& cohesion = worst->cohesion;
  std::string message = base::counted(report.loose, "loose cluster", "loose clusters");
  if (!report.is_everything) message += fmt::format(" among the {} largest", report.examined);
  message += fmt::format(
      ": fewer than half of the pairs of members meet the threshold. The worst, \"{}\", has {}; {}{:.0f}% of their "
      "pairs meet it",
      worst->name, base::counted(cohesion.documents, "document", "documents"), cohesion.is_sampled ? "about " : "",
      100 * cohesion.share);
  if (worst->lowest) {
    message += fmt::format("; the {} score of {} compared members is {}",
                           is_distance(plan.definition.measure) ? "highest" : "lowest", worst->compared,
                           format_score(plan.definition.measure, *worst->lowest));
  }
  if (cohesion.bridges > 0) message += fmt::format("; it has {}", base::counted(cohesion.bridges, "bridge", "bridges"));
  message += ". If that is not what you want: ";
  const ClusterKind kind = plan.options.cluster_kind();
  if (kind == ClusterKind::components && (cohesion.bridges > 0 || !report.is_everything))
    message += "`clusters=core` (cuts clusters at bridges), ";
  if (kind == ClusterKind::components || kind == ClusterKind::core)
    return message + "`clusters=star` (removes only documents that are similar to the kept one)";
  return message + "`clusters=complete` (all members are similar to each other)";
}

void write_cohesion(const Outcome& outcome, const corpus::RowTexts& names, io::ByteSink& out) {
  out.write("cluster\tdocuments\tdistinct\tshare\tweakest\tbridges\tsampled\n");
  for (std::size_t c = 0; c < outcome.search.cohesion.size(); ++c) {
    const ClusterCohesion& cohesion = outcome.search.cohesion[c];
    const Row kept = row_of(outcome.clusters.representative(outcome.clusters[c].front()));
    out.write(fmt::format("{}\t{}\t{}\t{:.6f}\t{}\t{}\t{}\n", base::escape_tsv(names[kept]), cohesion.documents,
                          cohesion.distinct, cohesion.share, outcome.search.format.or_null(cohesion.weakest),
                          cohesion.bridges, cohesion.is_sampled ? 1 : 0));
  }
}

}  // namespace neardup::dedup
