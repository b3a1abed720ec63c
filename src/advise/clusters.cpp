#include "advise/clusters.h"

#include <algorithm>
#include <map>

#include "cluster/cluster.h"
#include "join/algorithms.h"
#include "neardup/join.h"
#include "search/build_sets.h"
#include "search/found.h"

namespace neardup::advising {
namespace {

std::vector<std::uint32_t> sizes_of(const Sample& sample, cluster::UnionFind& links) {
  std::vector<std::uint32_t> documents(sample.units.size()), sizes;
  for (std::uint32_t unit = 0; unit < sample.units.size(); ++unit)
    documents[links.find(unit)] += sample.units[unit].documents;
  for (const std::uint32_t count : documents) {
    if (count > 0) sizes.push_back(count);
  }
  return sizes;
}

// The units that are joined. Feature sampling can leave nothing of a set, or the same of two: those are linked here.
std::vector<std::uint32_t> distinct_units(const Sample& sample, cluster::UnionFind& links) {
  std::vector<std::uint32_t> out;
  std::map<std::span<const Feature>, std::uint32_t,
           decltype([](auto a, auto b) { return std::ranges::lexicographical_compare(a, b); })>
      first;
  for (std::uint32_t unit = 0; unit < sample.units.size(); ++unit) {
    const std::span<const Feature> set = sample.units[unit].set;
    if (set.empty()) continue;
    if (sample.feature_sampling > 1) {
      const auto [place, is_new] = first.emplace(set, unit);
      if (!is_new) {
        links.unite(place->second, unit);
        continue;
      }
    }
    out.push_back(unit);
  }
  return out;
}

}  // namespace

std::vector<SampleClusters> cluster_sample(const Sample& sample, std::span<const Threshold> thresholds,
                                           const Context& context) {
  std::vector<SampleClusters> out;
  std::uint64_t tokens = 0;
  for (const SampledUnit& unit : sample.units) tokens += unit.set.size();
  Context quiet = context;
  quiet.observer = nullptr;
  Reservation memory = base::reservation(context);
  cluster::UnionFind links(sample.units.size());
  const std::vector<std::uint32_t> units = distinct_units(sample, links);
  const auto get = [&](std::size_t i, std::vector<Feature>&) {
    return search::SetToBuild{.side = 0,
                              .number = units[i],
                              .full_size = static_cast<std::uint32_t>(sample.units[units[i]].set.size()),
                              .features = sample.units[units[i]].set};
  };
  const double begin = cpu_seconds();
  const joins::OrderedSets sets = search::build_sets(
      {.sides = 1, .distinct_tokens = tokens / 2 + 16, .tokens = tokens, .sets = units.size(), .seed = tokens}, get,
      memory, quiet);
  const double building = cpu_seconds() - begin;
  for (const Threshold& threshold : thresholds) {
    const double start = cpu_seconds();
    search::LinkingSink sink(links, nullptr);
    JoinOptions options{.measure = Measure::jaccard, .threshold = threshold};
    options.skip = [&](DocId a, DocId b) {
      return links.same(static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b));
    };
    options.settled = [&](std::span<const DocId> group) { return search::are_connected(links, group); };
    JoinStats stats;
    joins::run_set_join(sets, options, sink, stats, quiet);
    out.push_back({threshold, sizes_of(sample, links), building + cpu_seconds() - start});
  }
  return out;
}

}  // namespace neardup::advising
