#include "hamming/line_keys.h"

#include <algorithm>

namespace neardup::hamming {

HammingKey::HammingKey(unsigned, unsigned line_bits) : dropped_(hamming_code::kFree - line_bits) {
  const auto& flip = hamming_code::kTables.flip;
  for (std::uint32_t syndrome = 0; syndrome < 32; ++syndrome) {
    const auto add = [&](std::uint32_t flips) {
      const std::uint32_t step = (flips & hamming_code::kFreeMask) >> dropped_;
      auto& steps = steps_[syndrome];
      const auto end = steps.begin() + step_counts_[syndrome];
      if (std::find(steps.begin(), end, step) != end) return;
      *end = step;
      ++step_counts_[syndrome];
    };
    // Codewords within two bits: what is one bit away from the half is one bit away from one of them. A codeword has
    // all its neighbours around itself.
    add(flip[syndrome]);
    for (std::uint32_t one = 1; one < 32 && syndrome != 0; ++one) {
      const std::uint32_t two = one ^ syndrome;
      if (one < two) add(flip[one] | flip[two]);
    }
  }
}

}  // namespace neardup::hamming
