// Which 64-bit number represents a word, a code point, a token, a run of them?
//
// These numbers end up in indexes and in other programs' files: docs/algorithms/text.md states them to the last bit,
// tests pin them, and they never change.
#pragma once

#include <cstdint>

#include "base/random.h"
#include "neardup/features.h"

namespace neardup::features {

// 2^64 divided by the golden ratio; spreads neighbouring integers.
inline constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15;

// A run e_0 .. e_(n-1) is the polynomial with these coefficients at kBase, modulo 2^64. kBase is 3 modulo 8: odd, so
// that no element loses bits, and kBase - 1 is twice an odd number, so that swapping two neighbours loses only one.
inline constexpr std::uint64_t kBase = 0x5851F42D4C957F2B;

// What the k-th repeat of a feature adds, k times.
inline constexpr std::uint64_t kRepeat = 0xD1342543DE82EF95;

constexpr std::uint64_t mix(std::uint64_t x) { return base::mix64(x); }

// The element hash of a code point and the feature of a token. A bijection: two tokens never collide.
constexpr std::uint64_t integer_hash(std::uint64_t x, std::uint64_t seed) { return mix(mix(seed + kGolden) ^ x); }

// The k-th repeat of a feature, counted from 1.
constexpr Feature repeat_feature(Feature f, std::uint64_t k) { return mix(f + k * kRepeat); }

}  // namespace neardup::features
