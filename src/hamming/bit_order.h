// In which order are the bits of fingerprints, so that discriminating bits are spread over all parts?
//
// Tables are addressed by some of the bits. Where these hardly vary, lists grow long; another order of the bits, the
// same for fingerprints and queries, changes no distance.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>

namespace neardup::hamming {

class BitOrder {
 public:
  BitOrder() = default;  // unchanged
  // The bit that varies most among the sample goes to preference[0], and so on.
  BitOrder(std::span<const std::uint64_t> sample, const std::array<std::uint8_t, 64>& preference);

  [[nodiscard]] bool changes() const { return bytes_ != nullptr; }
  [[nodiscard]] std::uint64_t operator()(std::uint64_t code) const {
    if (bytes_ == nullptr) return code;
    std::uint64_t out = 0;
    for (unsigned byte = 0; byte < 8; ++byte) out |= (*bytes_)[byte][code >> (8 * byte) & 0xFF];
    return out;
  }

 private:
  using Bytes = std::array<std::array<std::uint64_t, 256>, 8>;  // by place and value: where its bits go
  std::shared_ptr<const Bytes> bytes_;
};

}  // namespace neardup::hamming
