#include "advise/scores.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <mutex>
#include <numeric>
#include <utility>

#include "base/parallel.h"
#include "base/random.h"

namespace neardup::advising {
namespace {

constexpr std::uint32_t kAbsent = ~std::uint32_t{0};
constexpr std::uint64_t kCommonAtLeast = 10;  // units

// The features of all probes, and which probes have each.
class ProbeTable {
 public:
  ProbeTable(std::span<const SampledUnit> units, std::span<const std::uint32_t> probes) {
    std::vector<std::pair<Feature, std::uint32_t>> entries;
    for (std::uint32_t probe = 0; probe < probes.size(); ++probe)
      for (const Feature feature : units[probes[probe]].set) entries.emplace_back(feature, probe);
    std::ranges::sort(entries);
    slots_.assign(std::bit_ceil(entries.size() * 2 + 2), kAbsent);
    shift_ = 64 - static_cast<unsigned>(std::countr_zero(slots_.size()));
    for (const auto& [feature, probe] : entries) {
      if (features_.empty() || features_.back() != feature) {
        features_.push_back(feature);
        begins_.push_back(static_cast<std::uint32_t>(probes_.size()));
        std::size_t slot = place_of(feature);
        while (slots_[slot] != kAbsent) slot = (slot + 1) & (slots_.size() - 1);
        slots_[slot] = static_cast<std::uint32_t>(features_.size() - 1);
      }
      probes_.push_back(probe);
    }
    begins_.push_back(static_cast<std::uint32_t>(probes_.size()));
  }
  [[nodiscard]] std::uint32_t find(Feature feature) const {
    for (std::size_t slot = place_of(feature);; slot = (slot + 1) & (slots_.size() - 1)) {
      const std::uint32_t number = slots_[slot];
      if (number == kAbsent || features_[number] == feature) return number;
    }
  }
  [[nodiscard]] std::size_t size() const { return features_.size(); }
  [[nodiscard]] std::span<const std::uint32_t> probes(std::uint32_t number) const {
    return std::span(probes_).subspan(begins_[number], begins_[number + 1] - begins_[number]);
  }

 private:
  [[nodiscard]] std::size_t place_of(Feature feature) const {
    return static_cast<std::size_t>(base::mix64(feature) >> shift_);
  }
  std::vector<std::uint32_t> slots_;
  unsigned shift_ = 0;
  std::vector<Feature> features_;
  std::vector<std::uint32_t> begins_, probes_;
};

std::vector<bool> common_features(const ProbeTable& table, std::span<const SampledUnit> right, double share,
                                  const Context& context) {
  std::vector<std::uint32_t> counts(table.size());
  base::parallel_for(context, right.size(), [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      for (const Feature feature : right[i].set) {
        const std::uint32_t number = table.find(feature);
        if (number != kAbsent) std::atomic_ref(counts[number]).fetch_add(1, std::memory_order_relaxed);
      }
    }
  });
  const std::uint64_t least =
      std::max<std::uint64_t>(kCommonAtLeast, static_cast<std::uint64_t>(share * static_cast<double>(right.size())));
  std::vector<bool> common(table.size());
  for (std::size_t i = 0; i < counts.size(); ++i) common[i] = counts[i] >= least;
  return common;
}

// What one thread counts for one set after another.
class Counter {
 public:
  // `common_of_probe`: how many common features each probe has.
  Counter(const ProbeTable& table, const std::vector<bool>& common, std::span<const std::uint32_t> common_of_probe,
          std::span<const SampledUnit> left, std::span<const std::uint32_t> probes, bool is_self, FarPairs far)
      : table_(table),
        common_(common),
        common_of_probe_(common_of_probe),
        left_(left),
        probes_(probes),
        is_self_(is_self),
        far_(far),
        shared_(probes.size()),
        shared_common_(probes.size()) {}

  void compare(const SampledUnit& unit, std::uint32_t number, Scores& out) {
    touched_.clear();
    std::uint32_t common_here = 0;
    for (const Feature feature : unit.set) {
      const std::uint32_t found = table_.find(feature);
      if (found == kAbsent) continue;
      const std::uint32_t is_common = common_[found] ? 1 : 0;
      common_here += is_common;
      const auto probes = table_.probes(found);
      out.increments += probes.size();
      for (const std::uint32_t probe : probes) {
        if (shared_[probe]++ == 0) touched_.push_back(probe);
        shared_common_[probe] += is_common;
      }
    }
    for (const std::uint32_t probe : touched_) {
      if (!(is_self_ && probes_[probe] == number)) file(unit, number, probe, common_here, out);
    }
    // Those that share nothing can still be close by their simhashes.
    for (std::uint32_t probe = 0; far_ == FarPairs::counted && probe < probes_.size(); ++probe) {
      const auto distance = static_cast<unsigned>(std::popcount(left_[probes_[probe]].simhash ^ unit.simhash));
      if (distance <= kMostDistance && shared_[probe] == 0) ++out.low_by_distance[distance];
    }
    for (const std::uint32_t probe : touched_) shared_[probe] = shared_common_[probe] = 0;
  }

 private:
  void file(const SampledUnit& unit, std::uint32_t number, std::uint32_t probe, std::uint32_t common_here,
            Scores& out) const {
    const SampledUnit& other = left_[probes_[probe]];
    const auto jaccard = [](double shared, double x, double y) {
      return x + y > shared ? shared / (x + y - shared) : 0;
    };
    const double score =
        jaccard(shared_[probe], static_cast<double>(unit.set.size()), static_cast<double>(other.set.size()));
    const auto distance = static_cast<unsigned>(std::popcount(other.simhash ^ unit.simhash));
    if (score < kLowestScore) {
      if (distance <= kMostDistance) ++out.low_by_distance[distance];
      return;
    }
    const double bare =
        jaccard(shared_[probe] - shared_common_[probe], static_cast<double>(unit.set.size()) - common_here,
                static_cast<double>(other.set.size()) - common_of_probe_[probe]);
    out.pairs.push_back(
        {probe, number, static_cast<float>(score), static_cast<float>(bare), static_cast<std::uint8_t>(distance)});
  }

  const ProbeTable& table_;
  const std::vector<bool>& common_;
  std::span<const std::uint32_t> common_of_probe_;
  std::span<const SampledUnit> left_;
  std::span<const std::uint32_t> probes_;
  bool is_self_;
  FarPairs far_;
  std::vector<std::uint32_t> shared_, shared_common_, touched_;
};

}  // namespace

Scores score_probes(std::span<const SampledUnit> left, std::span<const std::uint32_t> probes,
                    std::span<const SampledUnit> right, FarPairs far, const Context& context) {
  Scores out;
  out.probes.assign(probes.begin(), probes.end());
  out.targets = right.size();
  if (probes.empty() || right.empty()) return out;
  const ProbeTable table(left, probes);
  const std::vector<bool> common = common_features(table, right, out.common_share, context);
  std::vector<std::uint32_t> common_of_probe(probes.size());
  for (std::size_t probe = 0; probe < probes.size(); ++probe) {
    for (const Feature feature : left[probes[probe]].set) common_of_probe[probe] += common[table.find(feature)] ? 1 : 0;
  }
  std::mutex merging;
  base::parallel_for(context, right.size(), [&](std::size_t first, std::size_t last) {
    Counter counter(table, common, common_of_probe, left, probes, left.data() == right.data(), far);
    Scores part;
    for (std::size_t i = first; i < last; ++i) counter.compare(right[i], static_cast<std::uint32_t>(i), part);
    const std::lock_guard lock(merging);
    out.pairs.insert(out.pairs.end(), part.pairs.begin(), part.pairs.end());
    out.increments += part.increments;
    for (unsigned d = 0; d <= kMostDistance; ++d) out.low_by_distance[d] += part.low_by_distance[d];
  });
  std::ranges::sort(out.pairs, [](const ScoredPair& a, const ScoredPair& b) {
    return a.unit != b.unit ? a.unit < b.unit : a.probe < b.probe;
  });
  return out;
}

Scores score_some(std::span<const SampledUnit> left, std::span<const SampledUnit> right, std::uint64_t seed,
                  std::size_t most_probes, FarPairs far, const Context& context) {
  constexpr std::size_t kPilot = 64;
  constexpr double kMostIncrements = 1.5e9, kMostPairs = 12e6, kMostFeatures = 4e6, kMostDistances = 4e8;
  std::vector<std::uint32_t> order(left.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::sort(order, {}, [&](std::uint32_t unit) {
    return std::pair(base::mix64(seed ^ base::mix64(unit + std::uint64_t{1})), unit);
  });
  const std::size_t most = std::min(most_probes, left.size());
  const auto first = [&](std::size_t count) { return std::span(order).first(std::min(count, left.size())); };
  if (most <= kPilot) return score_probes(left, first(most), right, far, context);
  Scores pilot = score_probes(left, first(kPilot), right, far, context);
  double features = 1;
  for (const std::uint32_t unit : pilot.probes) features += static_cast<double>(left[unit].set.size());
  const double growth = std::min(
      {kMostIncrements / (static_cast<double>(pilot.increments) + 1),
       kMostPairs / (static_cast<double>(pilot.pairs.size()) + 1), kMostFeatures / features,
       far == FarPairs::ignored ? kMostIncrements : kMostDistances / (kPilot * static_cast<double>(right.size()) + 1)});
  const auto count = static_cast<std::size_t>(std::min(static_cast<double>(most), growth * kPilot));
  if (count <= kPilot) return pilot;
  return score_probes(left, first(count), right, far, context);
}

}  // namespace neardup::advising
