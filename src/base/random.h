// Which pseudo-random numbers are the same on every machine?
#pragma once

#include <cstdint>

namespace neardup::base {

// A bijective mix of 64 bits (the finaliser of splitmix64): equal inputs, equal outputs, everywhere.
constexpr std::uint64_t mix64(std::uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9u;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

// splitmix64. Small, seedable, good enough for sampling and for test data.
class Random {
 public:
  explicit constexpr Random(std::uint64_t seed) : state_(seed) {}
  constexpr std::uint64_t next() { return mix64(state_ += 0x9e3779b97f4a7c15u); }
  // Uniform below `bound` (at least 1); the bias of less than bound / 2^64 does not matter here.
  constexpr std::uint64_t below(std::uint64_t bound) {
    return static_cast<std::uint64_t>((static_cast<unsigned __int128>(next()) * bound) >> 64);
  }

 private:
  std::uint64_t state_;
};

}  // namespace neardup::base
