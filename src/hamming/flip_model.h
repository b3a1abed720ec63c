// How likely is a bit to flip, given its volatility, and where should a search stop?
//
// Levels are those of Volatility. A bit's chance comes from the weights of the collection at large (the model of Sood &
// Loguinov 2011, section 5.1) or from pairs that are known to be alike. The same pairs say how far a search must go to
// find a given share of them: adding up probabilities does not, since they are not those of sets that flip at most
// `distance` bits of the whole fingerprint.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "hamming/flip_sets.h"
#include "neardup/hamming.h"

namespace neardup::hamming {

inline constexpr std::size_t kLevels = 256;

// By level. Chances fall as the level rises, and lie strictly between 0 and 1/2.
struct FlipChances {
  std::array<double, kLevels> chance{};
  std::array<FlipCost, kLevels> cost{};
  // The odds p / (1 - p), their square and cube in 15 bits after the point, 21 bits each: the sums over 64 bits of a
  // fingerprint are additions of whole words.
  std::array<std::uint64_t, kLevels> powers{};
};

// Chances as given, made to fall and brought into range.
FlipChances flip_chances(std::array<double, kLevels> chance);

// P(Y > c), where Y is the difference of a weight between two queries taken at random: Figure 1(b). With fewer than two
// queries Y is taken to be normal.
FlipChances sampled_chances(const HammingQueries&);

// A query and a fingerprint that is like it.
struct AlikePair {
  std::uint64_t query;
  std::uint64_t differing;  // bits
  std::uint64_t rows;       // how many rows have the fingerprint
};

// The flips seen in pairs that are not equal, each query counting once. Levels seen seldom are taken together with
// their neighbours. Pairs are sorted by query.
FlipChances calibrated_chances(std::span<const AlikePair> pairs, std::span<const Volatility> volatility);

// Pairs are sorted by query. needs[i] says how far a search must go for pair i. The least limit such that `target` of
// the pairs that are not equal (of the queries, when their first match is wanted) need no more, plus one standard error
// to be on the safe side.
std::int64_t limit_for(std::span<const AlikePair> pairs, std::span<const std::int64_t> needs, MatchKind matches,
                       double target);

}  // namespace neardup::hamming
