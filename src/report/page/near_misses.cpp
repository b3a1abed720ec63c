#include "report/page/near_misses.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/random.h"
#include "neardup/similarity.h"

namespace neardup::report {
namespace {

constexpr double kLowest = 0.3;  // below, a pair would represent too many others
constexpr double kBelow = 0.2;

double as_double(const Threshold& threshold) {
  return static_cast<double>(threshold.num) / static_cast<double>(threshold.den);
}

}  // namespace

void NearMisses::save(base::StateWriter& out) const {
  out.value(from);
  out.value(documents);
  out.array(pairs);
}

void NearMisses::load(base::StateReader& in, std::size_t units) {
  from = in.value<double>();
  documents = in.value<std::uint64_t>();
  pairs = in.array<NearMiss>();
  for (const NearMiss& miss : pairs) {
    const bool is_right = index(miss.left) < units && index(miss.right) < units && miss.score >= 0 && miss.score <= 1 &&
                          miss.weight >= 1 && std::isfinite(miss.weight);
    if (!is_right) in.fail();
  }
}

PairEstimate estimate_pairs(std::span<const NearMiss> misses, double at_least) {
  std::map<std::uint64_t, double> groups;
  PairEstimate out;
  double seen = 0;
  for (const NearMiss& miss : misses) {
    if (miss.score < at_least) continue;
    out.value += miss.weight;
    groups[miss.group] += miss.weight;
    ++seen;
  }
  double variance = 0;
  for (const auto& [group, weight] : groups) variance += weight * weight;
  const double spread = 1.96 * std::sqrt(variance);
  out.low = std::max(seen, out.value - spread);
  out.high = out.value + spread;
  return out;
}

bool NearMissColumn::applies(const Definition& definition) {
  const Measure measure = definition.measure;
  const bool is_ratio = measure == Measure::jaccard || measure == Measure::dice || measure == Measure::cosine;
  return is_ratio && definition.features.minwise == 0 && as_double(definition.threshold) > kLowest;
}

NearMissColumn::NearMissColumn(const Definition& definition, std::uint64_t seed, Reservation memory,
                               const NearMissLimits& limits)
    : definition_(definition), seed_(seed), limits_(limits), memory_(std::move(memory)) {}

// Features of texts are hashes already, and a multiplication gives them another order; those of `sets` inputs are not.
std::uint64_t NearMissColumn::lot(std::span<const Feature> set) const {
  std::uint64_t smallest = ~std::uint64_t{0};
  if (definition_.features.kind == FeatureKind::tokens) {
    for (const Feature feature : set) smallest = std::min(smallest, base::mix64(feature ^ seed_));
  } else {
    const std::uint64_t factor = base::mix64(seed_) | 1;
    for (const Feature feature : set) smallest = std::min(smallest, feature * factor);
  }
  return base::mix64(smallest);
}

void NearMissColumn::look(const corpus::CensusRecord& record, const std::vector<std::string>&, DrawnRows& out) {
  if (record.set.empty() || record.set.size() > limits_.features) return;
  if (lot(record.set) < limit_.load(std::memory_order_relaxed))
    out.emplace_back(record.row, std::vector<Feature>(record.set.begin(), record.set.end()));
}

void NearMissColumn::take_part(DrawnRows& rows, const corpus::FiledBatch& batch) {
  for (auto& [row, set] : rows) {
    const corpus::FiledRow& filed = batch.rows[index(row) - index(batch.rows.front().row)];
    const std::uint64_t own = lot(set);
    if (!filed.is_new || own >= limit_.load(std::memory_order_relaxed)) continue;
    ++documents_;
    features_ += set.size();
    groups_[own].push_back({filed.unit, std::move(set)});
    shrink();
  }
  memory_.hold(features_ * sizeof(Feature) + documents_ * sizeof(Drawn));
}

void NearMissColumn::shrink() {
  while (!groups_.empty() && (documents_ > limits_.documents || features_ > limits_.features)) {
    const auto last = std::prev(groups_.end());
    limit_.store(last->first, std::memory_order_relaxed);
    documents_ -= last->second.size();
    for (const Drawn& drawn : last->second) features_ -= drawn.set.size();
    groups_.erase(last);
  }
}

void NearMissColumn::compare(const std::vector<Drawn>& group, std::uint64_t number, double share, double from,
                             NearMisses& out) const {
  const Verifier verifier(definition_);
  Definition by_jaccard = definition_;
  by_jaccard.measure = Measure::jaccard;
  const Verifier jaccard(by_jaccard);
  const std::size_t count = std::min(group.size(), limits_.compared);
  const auto pairs_of = [](double n) { return n * (n - 1) / 2; };
  const double copies = pairs_of(static_cast<double>(group.size())) / pairs_of(static_cast<double>(count));
  const auto at = [&](std::size_t place) -> const Drawn& { return group[place * group.size() / count]; };
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = i + 1; j < count; ++j) {
      const double score = verifier.score(at(i).set, at(j).set);
      if (score < from || verifier.verify(at(i).set, at(j).set)) continue;
      const double chance = share * jaccard.score(at(i).set, at(j).set);
      out.pairs.push_back({at(i).unit, at(j).unit, score, std::max(1.0, copies / chance), number});
    }
  }
}

NearMisses NearMissColumn::find() const {
  NearMisses out;
  out.from = std::max(kLowest, std::round(1000 * (as_double(definition_.threshold) - kBelow)) / 1000);
  out.documents = documents_;
  const double share = std::ldexp(static_cast<double>(limit_.load()), -64);
  std::uint64_t number = 0;
  for (const auto& [group_lot, group] : groups_)
    if (group.size() > 1) compare(group, number++, share, out.from, out);
  std::ranges::stable_sort(out.pairs, [](const NearMiss& a, const NearMiss& b) { return a.score > b.score; });
  if (out.pairs.size() > limits_.pairs) {
    out.pairs.resize(limits_.pairs);
    out.from = out.pairs.back().score;
  }
  return out;
}

}  // namespace neardup::report
