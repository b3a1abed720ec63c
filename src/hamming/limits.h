// Does an index fit what it may take?
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string_view>

#include "neardup/error.h"

namespace neardup::hamming {

// Row numbers take 32 bits.
inline void check_rows(std::uint64_t rows) {
  if (rows > UINT32_MAX) {
    throw Error(
        ErrorCode::limit,
        fmt::format("{} fingerprints are too many for one index (at most {}); search them in parts", rows, UINT32_MAX));
  }
}

// `allowed` 0: anything goes.
inline void check_memory(std::string_view kind, std::uint64_t needed, std::uint64_t allowed) {
  if (allowed != 0 && needed > allowed) {
    throw Error(ErrorCode::limit,
                fmt::format("{} needs at least {} bytes here, and `memory` allows {}", kind, needed, allowed),
                "memory");
  }
}

}  // namespace neardup::hamming
