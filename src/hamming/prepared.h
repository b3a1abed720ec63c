// Which fingerprints are there, in an order of bits that suits tables?
#pragma once

#include <cstdint>
#include <span>

#include "hamming/bit_order.h"
#include "hamming/distinct.h"
#include "neardup/context.h"

namespace neardup::hamming {

// Every fingerprint of a collection once. Bits stay where they are unless a sample shows that lists would get long.
struct Prepared {
  Distinct distinct;
  BitOrder order;
};
// `room` as for find_distinct.
Prepared prepare(std::span<const std::uint64_t> bits, base::ZeroedArray<std::byte>& room, Context&);

}  // namespace neardup::hamming
