// How many pairs, clusters and removed documents would a stricter threshold leave?
//
// Pairs below the run's threshold were not recorded, so that only stricter ones can be answered, and those exactly. The
// counts of documents and clusters are for connected components: a maximum spanning forest of the pairs has the same
// components at every threshold, and needs no more edges than there are documents. Pairs that the forest does not need
// are dropped while they come, so memory does not grow with the pairs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "neardup/definition.h"
#include "neardup/memory.h"
#include "neardup/pair.h"

namespace neardup::report {

struct ThresholdStep {
  double threshold = 0;
  std::uint64_t pairs = 0;
  std::uint64_t removed = 0, clusters = 0, largest = 0;  // 0 where clusters are not counted
};

// Threads: one call at a time.
class ThresholdCurve {
 public:
  static constexpr std::size_t kMostSteps = 256;
  static constexpr std::size_t kEdgesAtOnce = std::size_t{1} << 20;

  // Rows of pairs are below `rows`. `counts_clusters`: clusters are connected components. `memory` limits them: where
  // it does not suffice, only pairs are counted.
  ThresholdCurve(Measure, const Threshold&, std::size_t rows, bool counts_clusters, Reservation memory,
                 std::size_t edges_at_once = kEdgesAtOnce);

  void add(const Pair&);

  // The strictest of thresholds() that a recorded score meets.
  [[nodiscard]] std::size_t step_of(double score) const;
  // From the run's own one on, each stricter than the one before.
  [[nodiscard]] const std::vector<double>& thresholds() const { return thresholds_; }

  // One for each threshold. To be called once.
  [[nodiscard]] std::vector<ThresholdStep> finish();
  [[nodiscard]] bool counts_clusters() const { return counts_clusters_; }

 private:
  struct Edge {
    std::uint32_t left, right;
    std::uint16_t step;
  };
  void reduce();

  bool is_distance_;
  std::vector<double> thresholds_;
  std::vector<std::uint64_t> pairs_;  // by the strictest step that they meet
  std::size_t rows_;
  bool counts_clusters_;
  Reservation memory_;
  std::size_t edges_at_once_, next_reduction_;
  std::vector<Edge> edges_;
};

}  // namespace neardup::report
