// How are bytes written to memory without using the cache?
#pragma once

#include <emmintrin.h>

#include <cstddef>

namespace neardup::base {

// Both ends and the length are multiples of 16 bytes; for whole cache lines memory is not read first.
inline void stream(const void* from, void* to, std::size_t bytes) {
  const auto* source = static_cast<const __m128i*>(from);
  auto* target = static_cast<__m128i*>(to);
  for (std::size_t i = 0; i < bytes / sizeof(__m128i); ++i) _mm_stream_si128(target + i, _mm_load_si128(source + i));
}

// Before others may read what was streamed.
inline void finish_streams() { _mm_sfence(); }

}  // namespace neardup::base
