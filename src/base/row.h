// The two numberings of a collection.
#pragma once

#include <cstdint>

namespace neardup {

// A record's place in its collection, counted from 0. 32 bits: a larger collection is refused.
using Row = std::uint32_t;
// A distinct feature set (for hamming: a distinct fingerprint), numbered in the order of its first document.
using Unit = std::uint32_t;

}  // namespace neardup
