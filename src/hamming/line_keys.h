// Which lines hold every half that differs from a given one in at most one bit?
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>

#include "hamming/line_table.h"

namespace neardup::hamming {

// The perfect code of 31 bits, 26 of them free: every 31 bits lie within one bit of exactly one codeword. In systematic
// form: the low 26 bits are free, the next five check them; the highest bit of a half is not part of it.
namespace hamming_code {

constexpr unsigned kFree = 26, kBits = 31;
constexpr std::uint32_t kFreeMask = (1u << kFree) - 1;

struct Tables {
  std::array<std::uint8_t, kBits> column{};                  // by bit: its checks
  std::array<std::uint32_t, 32> flip{};                      // by syndrome: the bit that is wrong, as a mask
  std::array<std::array<std::uint8_t, 256>, 4> syndromes{};  // by byte
};
constexpr Tables make_tables() {
  Tables tables;
  unsigned bit = 0;
  for (unsigned checks = 1; checks < 32; ++checks) {
    if (!std::has_single_bit(checks)) tables.column[bit++] = static_cast<std::uint8_t>(checks);
  }
  for (unsigned check = 0; check < 5; ++check) tables.column[kFree + check] = static_cast<std::uint8_t>(1u << check);
  for (bit = 0; bit < kBits; ++bit) {
    tables.flip[tables.column[bit]] = 1u << bit;
    for (unsigned value = 0; value < 256; ++value) {
      if ((value >> (bit % 8) & 1) != 0) tables.syndromes[bit / 8][value] ^= tables.column[bit];
    }
  }
  return tables;
}
inline constexpr Tables kTables = make_tables();

constexpr std::uint32_t syndrome(std::uint32_t half) {
  const auto& of = kTables.syndromes;
  return of[0][half & 0xFF] ^ of[1][half >> 8 & 0xFF] ^ of[2][half >> 16 & 0xFF] ^ of[3][half >> 24];
}

}  // namespace hamming_code

// A line has the halves around one codeword, so that a half's neighbours share few lines: 15 instead of 33 to look at.
class HammingKey {
 public:
  static constexpr unsigned kTablesPerHalf = 1, kMostLines = 16, kMostBits = hamming_code::kFree;

  HammingKey(unsigned /*table_of_half*/, unsigned line_bits);
  [[nodiscard]] LinePlace place(std::uint32_t half) const {
    const std::uint32_t syndrome = hamming_code::syndrome(half);
    const std::uint32_t free = (half ^ hamming_code::kTables.flip[syndrome]) & hamming_code::kFreeMask;
    const std::uint32_t dropped = free & ((1u << dropped_) - 1);
    return {free >> dropped_, syndrome | dropped << 5 | half >> 31 << (5 + dropped_)};
  }
  [[nodiscard]] std::uint32_t half(LinePlace place) const {
    const std::uint32_t free = place.line << dropped_ | (place.residue >> 5 & ((1u << dropped_) - 1));
    const std::uint32_t word = free | hamming_code::syndrome(free) << hamming_code::kFree;
    return word ^ hamming_code::kTables.flip[place.residue & 31] ^ place.residue >> (5 + dropped_) << 31;
  }
  // The lines of all halves that differ in at most one bit. Returns how many.
  unsigned lines(std::uint32_t half, std::uint32_t* out) const {
    const std::uint32_t syndrome = hamming_code::syndrome(half);
    const std::uint32_t line = (half & hamming_code::kFreeMask) >> dropped_;
    const unsigned count = step_counts_[syndrome];
    for (unsigned i = 0; i < count; ++i) out[i] = line ^ steps_[syndrome][i];
    return count;
  }
  [[nodiscard]] bool owns(std::uint32_t /*different*/) const { return true; }

 private:
  unsigned dropped_;
  std::array<std::array<std::uint32_t, kMostLines>, 32> steps_{};  // by syndrome: from a half's own free bits
  std::array<std::uint8_t, 32> step_counts_{};
};

// A line has the halves that agree outside one byte.
class ByteKey {
 public:
  static constexpr unsigned kTablesPerHalf = 4, kMostLines = 1, kMostBits = 24;

  ByteKey(unsigned byte, unsigned line_bits) : shift_(8 * byte), dropped_(24 - line_bits) {}
  [[nodiscard]] LinePlace place(std::uint32_t half) const {
    const std::uint32_t rest = without(half);
    return {rest >> dropped_, (rest & ((1u << dropped_) - 1)) << 8 | (half >> shift_ & 0xFF)};
  }
  [[nodiscard]] std::uint32_t half(LinePlace place) const {
    const std::uint32_t rest = place.line << dropped_ | place.residue >> 8, low = (1u << shift_) - 1;
    return static_cast<std::uint32_t>(std::uint64_t{rest & ~low} << 8) | (place.residue & 0xFF) << shift_ |
           (rest & low);
  }
  unsigned lines(std::uint32_t half, std::uint32_t* out) const {
    *out = without(half) >> dropped_;
    return 1;
  }
  [[nodiscard]] bool owns(std::uint32_t different) const {
    const auto byte = different == 0 ? 0u : static_cast<unsigned>(std::countr_zero(different)) / 8;
    return byte * 8 == shift_;
  }

 private:
  [[nodiscard]] std::uint32_t without(std::uint32_t half) const {
    const std::uint32_t low = (1u << shift_) - 1;
    return (half >> 8 & ~low) | (half & low);
  }

  unsigned shift_, dropped_;
};

}  // namespace neardup::hamming
