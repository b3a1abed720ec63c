// Which fingerprints of a short list are close to each other?
//
// Every pair is compared, eight at a time where the machine can: up to a few thousand fingerprints that costs less than
// any structure does. Longer lists are for hamming_self_join().
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "simd/kernels.h"

namespace neardup::hamming {

// Buffers are kept between calls. One per thread.
class ShortList {
 public:
  static constexpr std::size_t kMost = 4096;  // fingerprints
  // The places (lower, higher) of all pairs at most `distance` bits apart, in order; valid until the next call. Reads
  // past the end of `bits`, which therefore grows and shrinks back. Precondition: at most kMost fingerprints.
  const std::vector<std::pair<std::uint32_t, std::uint32_t>>& near(std::vector<std::uint64_t>& bits, unsigned distance);

 private:
  std::vector<neardup_hit> hits_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs_;
};

}  // namespace neardup::hamming
