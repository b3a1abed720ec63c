#include "advise/costs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/memory_plan.h"
#include "base/system.h"
#include "corpus/bottom_sample.h"

namespace neardup::advising {
namespace {

constexpr double kStart = 0.02;  // seconds, of the program itself
constexpr double kMega = 1e6;

// A collection of the size of the whole.
struct Whole {
  double reading, joining, documents, units, features;
};

Whole scaled(const MeasuredWork& work) {
  const double growth = 1 / std::max(work.share, 1e-9);
  // Part of a join grows with the number of documents, part of it with the number of pairs.
  return {.reading = work.reading_cpu * growth,
          .joining = work.joining_cpu * work.feature_sampling * std::pow(growth, 1.2),
          .documents = work.documents * growth,
          .units = work.units * growth,
          .features = work.features * growth};
}

double wall(double cpu, const Context& context) {
  constexpr double kSerial = 0.15;  // cutting, merging, clusters
  return cpu * (kSerial + (1 - kSerial) / base::threads(context));
}

FinderCost exact(const Whole& whole, const Context& context) {
  FinderCost cost{.finder = "exact", .recall = 1};
  cost.cpu_seconds = kStart + 0.7 * whole.reading + 0.2 * whole.joining;
  cost.memory_bytes = 22 * kMega + 9 * whole.features + 100 * whole.documents;
  cost.remark = "finds every pair";
  const auto limit = static_cast<double>(base::memory_bytes(context));
  if (cost.memory_bytes > limit) {
    cost.memory_bytes = limit;
    cost.remark = "finds every pair; works in parts, because memory is short";
  }
  return cost;
}

// What measuring recall adds: a sample of the sets is indexed and compared with everything.
struct RecallCost {
  double cpu, memory;
};
RecallCost recall_cost(const Whole& whole, const Context& context) {
  const auto most = static_cast<double>(base::plan_memory(context).recall_sample);
  const double mean = whole.features / std::max(1.0, whole.units);
  const bool is_whole = whole.units <= static_cast<double>(corpus::kMeasuredWhole);
  const double sets = std::min(whole.units, static_cast<double>(corpus::kMeasuredWhole));
  const double features = std::min(sets * mean, most / corpus::BottomSample::kBytesPerFeature);
  // Seconds and bytes per feature of the sample, measured: a sample of everything is joined once with itself.
  return is_whole ? RecallCost{.cpu = 110e-9 * features, .memory = 40 * features}
                  : RecallCost{.cpu = 350e-9 * features, .memory = 55 * features};
}

FinderCost sketched(const char* name, const Whole& whole, double sketch_bytes, const Context& context) {
  const RecallCost recall = recall_cost(whole, context);
  FinderCost cost{.finder = name};
  cost.cpu_seconds = kStart + 0.7 * whole.reading + recall.cpu + 1e-6 * whole.units;
  cost.memory_bytes =
      std::min(static_cast<double>(base::memory_bytes(context)),
               22 * kMega + sketch_bytes * whole.units + 100 * whole.documents + 8 * whole.features + recall.memory);
  return cost;
}

}  // namespace

std::vector<FinderCost> forecast_costs(const MeasuredWork& work, const Definition& definition, const Context& context) {
  const Whole whole = scaled(work);
  std::vector<FinderCost> out{exact(whole, context)};
  constexpr double kMinhashBytes = 60;
  FinderCost minhash = sketched("minhash", whole, kMinhashBytes, context);
  minhash.recall = 0.97;
  minhash.remark = "finds at least 97% of the pairs at the threshold, more above it; includes measuring its recall";
  out.push_back(minhash);
  FinderCost simhash = sketched("simhash", whole, 8, context);
  simhash.recall = work.simhash_recall;
  simhash.remark = fmt::format("recall at distance {}; the time is that of distance 3, larger ones take longer",
                               work.simhash_distance);
  out.push_back(simhash);
  for (FinderCost& cost : out) cost.seconds = wall(cost.cpu_seconds, context);
  // An exact answer is worth waiting for, unless the wait is long and minhash ends it.
  constexpr double kLong = 1800, kMuchFaster = 4;
  const bool is_slow = out[0].seconds > kLong && out[0].seconds > kMuchFaster * out[1].seconds;
  out[is_slow && definition.measure == Measure::jaccard ? 1 : 0].suits = true;
  return out;
}

}  // namespace neardup::advising
