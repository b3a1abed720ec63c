// How does every kind of index run over its queries: in pieces, on all threads, and until the sink has enough?
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "base/pair_output.h"
#include "neardup/hamming.h"

namespace neardup::hamming {

// What a piece of the work found and did. One a thread and piece.
class Found {
 public:
  explicit Found(base::PairOutput& output) : output_(output), pairs_(output) {}
  void add(std::uint64_t query, std::uint64_t row, unsigned distance) { pairs_.add(query, row, distance); }
  // The pairs of a row with others of the same collection.
  void add(std::uint32_t row, std::span<const std::uint32_t> others, unsigned distance) {
    while (!others.empty()) {
      const auto some = others.first(std::min(others.size(), base::PairBatch::kBatch));
      Pair* out = pairs_.add_some(some.size()).data();
      for (const std::uint32_t other : some) {
        *out++ = {.left = std::min(row, other), .right = std::max(row, other), .score = double(distance)};
      }
      others = others.subspan(some.size());
    }
  }
  [[nodiscard]] bool enough() const { return output_.enough(); }
  void finish() { pairs_.finish(); }

  std::uint64_t probes = 0, compared = 0, largest_probe_count = 0;

 private:
  base::PairOutput& output_;
  base::PairBatch pairs_;
};

// Runs body(first, last, found) over pieces of [0, queries) and gathers what they did: queries, matches, probes,
// compared, largest_probe_count and search_seconds. Pieces have at least `least_piece` queries, for those that work in
// groups.
SearchStats run_search(std::uint64_t queries, PairSink&, const Context&, std::size_t least_piece,
                       const std::function<void(std::size_t first, std::size_t last, Found&)>& body);

// Throws Error{usage} when the distance is beyond the width.
void check_distance(unsigned distance, unsigned width);

}  // namespace neardup::hamming
