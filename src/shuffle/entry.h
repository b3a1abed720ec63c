// What does an entry look like in its words?
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "neardup/shuffle.h"

namespace neardup::shuffle {

// Of a key that is split, entries of one chunk meet those of another; without a split everybody meets.
enum class Chunk : unsigned { none = 0, lower = 1, upper = 2 };

// key, unit, size << 32 | flags << 24 | place, previous key, signature
class Entry {
 public:
  static constexpr std::uint64_t kFarthest = (std::uint64_t{1} << 24) - 1;
  static constexpr std::uint64_t kLargest = (std::uint64_t{1} << 32) - 1;

  explicit Entry(const std::uint64_t* words) : words_(words) {}
  [[nodiscard]] std::uint64_t key() const { return words_[0]; }
  [[nodiscard]] UnitId unit() const { return words_[1]; }
  [[nodiscard]] std::uint64_t size() const { return words_[2] >> 32; }
  // Stands too far back to be told: then it is at least this.
  [[nodiscard]] std::uint64_t place() const { return words_[2] & kFarthest; }
  [[nodiscard]] unsigned side() const { return static_cast<unsigned>(words_[2] >> 24) & 1; }
  [[nodiscard]] Chunk chunk() const { return static_cast<Chunk>(static_cast<unsigned>(words_[2] >> 25) & 3); }
  [[nodiscard]] std::uint64_t previous() const { return words_[3]; }
  [[nodiscard]] const std::uint64_t* signature() const { return words_ + 4; }

  static std::uint64_t facts(std::uint64_t size, unsigned side, Chunk chunk, std::uint64_t place) {
    return std::min(size, kLargest) << 32 | std::uint64_t{static_cast<unsigned>(chunk) << 1 | side} << 24 |
           std::min(place, kFarthest);
  }

 private:
  const std::uint64_t* words_;
};

// Each feature flips one bit, so that two sets fail to share at least as many features as their signatures differ in.
inline void flip(std::span<std::uint64_t> signature, Feature feature) {
  signature[(feature >> 6) % signature.size()] ^= std::uint64_t{1} << (feature & 63);
}

}  // namespace neardup::shuffle
