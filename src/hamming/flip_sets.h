// Which bits of a query are flipped together, the likeliest first?
//
// The volatility ordered set heap (VOSH) of Sood & Loguinov 2011, sections 5.2 and 6.1. Bits are numbered by rank, 0
// being the one likeliest to flip, and a set of them is a mask of ranks. One tree for each size of set: its root is the
// set of the lowest ranks, and a child has one bit of its parent moved to the next rank, so it is never likelier. A
// heap over the trees then yields the sets of all sizes in descending order of probability.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace neardup::hamming {

// ln((1 - p) / p) in units of 2^-16: what flipping a bit costs. Costs of the bits of a set add up, in integers, to the
// probability of the set by equation (1), up to a factor that is the same for all sets.
using FlipCost = std::int32_t;
inline constexpr double kCostUnit = 65536;

// The two children of Algorithm 2, as masks of ranks; 0 where there is none. Its line 9 reads S_R for both S_L, and its
// loop ends at a gap of exactly 2 too: as printed it repeats some sets and misses others.
//
// The bit of the highest rank moves up, if there is a rank left.
constexpr std::uint64_t left_child(std::uint64_t set, unsigned bits) {
  const std::uint64_t last = std::uint64_t{1} << (63 - __builtin_clzll(set));
  return last >> (bits - 1) != 0 ? 0 : set + last;
}
// The first gap seen from the high end: if one rank is free in it, the bit below moves there.
constexpr std::uint64_t right_child(std::uint64_t set) {
  const unsigned clear = static_cast<unsigned>(__builtin_clzll(set));
  const std::uint64_t shifted = ~(set << clear);  // ones of the run at the high end are zeros here
  if (shifted == 0) return 0;
  const unsigned run = static_cast<unsigned>(__builtin_clzll(shifted));
  const unsigned gap_at = 64 - clear - run;  // ranks below this one follow the run
  if (gap_at < 2) return 0;
  const std::uint64_t below = std::uint64_t{1} << (gap_at - 2);
  return (set & below) != 0 ? set + below : 0;
}

// Yields sets of 1 to `most_bits` bits, each once, in descending order of probability. k sets take time in the order of
// k log k. Memory is kept from query to query. Threads: one object per thread.
class FlipSets {
 public:
  // costs[i] is that of the bit that represents 1 << i in the masks that next() gives. At most 64 bits.
  void start(std::span<const FlipCost> costs, unsigned most_bits);

  struct Flips {
    std::uint64_t mask;  // 0: there are no more
    FlipCost cost;
  };
  Flips next();

 private:
  struct Node {
    FlipCost cost;
    std::uint64_t ranks;
  };
  void push(FlipCost cost, std::uint64_t ranks);

  unsigned bits_ = 0;
  std::uint64_t places_[64] = {};  // by rank: the bit's place, as a mask
  FlipCost costs_[64] = {};        // by rank
  std::vector<Node> heap_;
};

}  // namespace neardup::hamming
