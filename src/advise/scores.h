// How similar are some documents to all others?
//
// The chosen sets are put into one table by feature; every other set is looked up in it once, and shared features are
// counted. So all scores above zero are exact (up to feature sampling), whatever the threshold. The cost is one look-up
// per feature and one increment per shared feature.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "advise/sample.h"
#include "neardup/context.h"

namespace neardup::advising {

inline constexpr double kLowestScore = 0.2;    // lower ones are counted, not kept
inline constexpr unsigned kMostDistance = 24;  // of simhashes

struct ScoredPair {
  std::uint32_t probe;  // place among the probes
  std::uint32_t unit;
  float score;            // Jaccard
  float bare_score;       // the same without features that many documents have
  std::uint8_t distance;  // of the simhashes
};

struct Scores {
  std::vector<std::uint32_t> probes;  // units
  std::uint64_t targets = 0;          // units that each was compared with, itself included
  std::vector<ScoredPair> pairs;      // with a score of at least kLowestScore, by (unit, probe)
  std::array<std::uint64_t, kMostDistance + 1> low_by_distance{};  // pairs with lower scores, by distance
  std::uint64_t increments = 0;                                    // shared features that were counted
  double common_share = 0.05;  // a feature of more than this share of the units is common
};

// Compares `probes`, places in `left`, with all of `right`; a unit is not compared with itself where both are the same.
// Distances of pairs that share nothing are counted only on demand: every probe then meets every unit.
enum class FarPairs : bool { ignored, counted };
Scores score_probes(std::span<const SampledUnit> left, std::span<const std::uint32_t> probes,
                    std::span<const SampledUnit> right, FarPairs, const Context&);

// As many probes, chosen by the seed, as cost a bounded time; all units where they are few.
Scores score_some(std::span<const SampledUnit> left, std::span<const SampledUnit> right, std::uint64_t seed,
                  std::size_t most_probes, FarPairs, const Context&);

}  // namespace neardup::advising
