// How strictly is a query cleaned up, given its place in the log and what it finds?
#pragma once

#include <cstddef>
#include <cstdint>

#include "neardup/clean.h"

namespace neardup::clean {

// Threads: const members may run concurrently.
class Policy {
 public:
  explicit Policy(const CleanPolicy& rules) : rules_(rules) {}

  // Whether the other functions look at `matches`, the number of results a query has before anything is removed. It
  // costs a walk through all of them.
  [[nodiscard]] bool needs_matches() const {
    return rules_.depth.has_shares() || !rules_.k_by_results.empty() || rules_.min_results > 0;
  }
  // How many results are looked at. Ranks count from 1.
  [[nodiscard]] std::size_t depth(std::uint64_t rank, std::uint64_t matches) const;
  // The largest distance of near-duplicates.
  [[nodiscard]] unsigned k(std::uint64_t rank, std::uint64_t matches) const;
  [[nodiscard]] bool leaves_alone(std::uint64_t matches) const { return matches < rules_.min_results; }
  [[nodiscard]] unsigned largest_k() const { return static_cast<unsigned>(rules_.k.largest()); }

 private:
  const CleanPolicy& rules_;
};

}  // namespace neardup::clean
