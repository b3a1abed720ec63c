// How do two partitions of the same documents agree? From their contingency table, never from pairs one by one.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "neardup/evaluate.h"

namespace neardup::evaluation {

// The number of two of n.
constexpr std::uint64_t pairs_of(std::uint64_t n) { return n < 2 ? 0 : n % 2 == 0 ? n / 2 * (n - 1) : (n - 1) / 2 * n; }

// Documents that are in the same group of both partitions.
struct Cell {
  std::uint32_t truth, found;  // groups
  std::uint64_t documents;
  std::uint32_t first;  // the first of the documents
};

// Groups are numbered from 0; every document has one of each kind. Linear but for one sort.
struct Contingency {
  Contingency(std::span<const std::uint32_t> truth, std::span<const std::uint32_t> found);

  std::vector<Cell> cells;                // ordered by (truth, found)
  std::vector<std::uint64_t> true_sizes;  // by group
  std::vector<std::uint64_t> found_sizes;
  std::uint64_t documents = 0;

  [[nodiscard]] std::uint64_t true_pairs() const;
  [[nodiscard]] std::uint64_t found_pairs() const;
  [[nodiscard]] std::uint64_t common_pairs() const;
};

PartitionScores score_partitions(const Contingency&);

// What a block of the bootstrap contributes to precision and recall.
struct PairCounts {
  std::uint64_t common = 0, found = 0, truth = 0;
};
double ratio(std::uint64_t part, std::uint64_t whole);  // 1 for nothing of nothing
double f1_of(const PairCounts&);

struct PairEstimates {
  Estimate precision, recall, f1;
};
// The percentile bootstrap over blocks. Where nothing is wrong in m blocks the lower bound is 1 - 3 / m; where nothing
// is right the upper one is 3 / m.
PairEstimates estimate_pairs(std::span<const PairCounts> blocks, std::uint64_t seed, const Context&);

}  // namespace neardup::evaluation
