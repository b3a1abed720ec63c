#include "hamming/bit_order.h"

#include <algorithm>
#include <numeric>

namespace neardup::hamming {

BitOrder::BitOrder(std::span<const std::uint64_t> sample, const std::array<std::uint8_t, 64>& preference) {
  std::array<std::size_t, 64> set{};
  for (const std::uint64_t code : sample) {
    for (unsigned bit = 0; bit < 64; ++bit) set[bit] += code >> bit & 1;
  }
  std::array<std::uint8_t, 64> varying;
  std::iota(varying.begin(), varying.end(), std::uint8_t{0});
  const auto minority = [&](std::uint8_t bit) { return std::min(set[bit], sample.size() - set[bit]); };
  std::stable_sort(varying.begin(), varying.end(),
                   [&](std::uint8_t a, std::uint8_t b) { return minority(a) > minority(b); });

  auto bytes = std::make_shared<Bytes>();
  for (unsigned rank = 0; rank < 64; ++rank) {
    const unsigned from = varying[rank];
    for (unsigned value = 0; value < 256; ++value) {
      if ((value >> (from % 8) & 1) != 0) (*bytes)[from / 8][value] |= std::uint64_t{1} << preference[rank];
    }
  }
  bytes_ = std::move(bytes);
}

}  // namespace neardup::hamming
