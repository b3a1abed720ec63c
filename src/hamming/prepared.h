// Which fingerprints are there, in an order of bits that suits tables?
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hamming/bit_order.h"
#include "hamming/distinct.h"
#include "neardup/context.h"

namespace neardup::hamming {

// Fingerprints with their bits where they were, unless a sample shows that lists would get long.
class OrderedBits {
 public:
  OrderedBits(std::span<const std::uint64_t> bits, const Context&);
  [[nodiscard]] std::span<const std::uint64_t> bits() const { return order_.changes() ? moved_ : bits_; }
  [[nodiscard]] const BitOrder& order() const { return order_; }

 private:
  std::span<const std::uint64_t> bits_;
  BitOrder order_;
  std::vector<std::uint64_t> moved_;
};

// Every fingerprint of a collection once.
struct Prepared {
  Distinct distinct;
  BitOrder order;
};
Prepared prepare(std::span<const std::uint64_t> bits, const Context&);

}  // namespace neardup::hamming
