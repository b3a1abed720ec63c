#include <algorithm>
#include <cassert>
#include <cstdint>

#include "features/hashing.h"
#include "neardup/sketch.h"
#include "simd/dispatch.h"

namespace neardup {
namespace {

constexpr std::size_t kVector = 16;  // what the kernels' sizes are multiples of

}  // namespace

MinHasher::MinHasher(std::size_t size, std::uint64_t seed) : size_(size) {
  const std::size_t padded = (size + kVector - 1) / kVector * kVector;
  multipliers_.reserve(padded);
  std::uint64_t state = seed;
  while (multipliers_.size() < padded) {
    const auto multiplier = static_cast<std::uint32_t>(features::mix(state += features::kGolden) >> 32) | 1;
    if (std::find(multipliers_.begin(), multipliers_.end(), multiplier) == multipliers_.end()) {
      multipliers_.push_back(multiplier);
    }
  }
}

void MinHasher::sketch(std::span<const Feature> set, std::span<std::uint32_t> out) const {
  assert(!set.empty() && out.size() >= size_);
  const auto& minhash = simd::kernels().minhash;
  const std::size_t whole = size_ / kVector * kVector;
  if (whole != 0) minhash(set.data(), set.size(), multipliers_.data(), whole, out.data());
  if (whole != size_) {
    std::uint32_t rest[kVector];
    minhash(set.data(), set.size(), multipliers_.data() + whole, kVector, rest);
    std::copy_n(rest, size_ - whole, out.data() + whole);
  }
}

}  // namespace neardup
