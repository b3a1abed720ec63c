// How are bytes written to memory without using the cache?
#pragma once

#include <cstddef>
#ifdef __x86_64__
#include <emmintrin.h>
#else
#include <cstring>
#endif

namespace neardup::base {

#ifdef __x86_64__

// Both ends and the length are multiples of 16 bytes; for whole cache lines memory is not read first.
inline void stream(const void* from, void* to, std::size_t bytes) {
  const auto* source = static_cast<const __m128i*>(from);
  auto* target = static_cast<__m128i*>(to);
  for (std::size_t i = 0; i < bytes / sizeof(__m128i); ++i) _mm_stream_si128(target + i, _mm_load_si128(source + i));
}

// Before others may read what was streamed.
inline void finish_streams() { _mm_sfence(); }

#else

// ARM processors notice by themselves when whole lines are written one after the other, and these are ordinary stores.
inline void stream(const void* from, void* to, std::size_t bytes) { std::memcpy(to, from, bytes); }
inline void finish_streams() {}

#endif

}  // namespace neardup::base
