// The bytes of .fps files, for their writer and reader.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "neardup/fingerprint.h"

namespace neardup::io::fps {

static_assert(std::endian::native == std::endian::little, "numbers in .fps files are little-endian");
static_assert(sizeof(Volatility) == 64 && std::is_trivially_copyable_v<Volatility>);

inline constexpr std::string_view kEndMagic =
    "\x8A"
    "fpsend\n";
inline constexpr std::uint32_t kVersion = 1;
inline constexpr std::uint32_t kMostHeaderText = 4096;
inline constexpr std::uint32_t kMostBlockRecords = 1u << 20;

struct Opening {
  char magic[8];
  std::uint32_t version, text_bytes;
};
struct BlockHeader {
  std::uint32_t records, reserved;
  std::uint64_t id_bytes;
  std::uint64_t fingerprints_checksum, volatility_checksum, ids_checksum;
  std::uint64_t checksum;  // of what is before it
};
struct Closing {
  std::uint64_t blocks, records, missing;
  std::uint64_t checksum;  // of the index and of what is before it
  char magic[8];
};
static_assert(sizeof(Opening) == 16 && sizeof(BlockHeader) == 48 && sizeof(Closing) == 40);

template <class T>
std::string_view bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}
template <class T>
std::span<char> space_of(std::vector<T>& values) {
  return {reinterpret_cast<char*>(values.data()), values.size() * sizeof(T)};
}
template <class T>
std::string_view bytes_of(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof(T)};
}

// The block's number is part of its checksums: a block in another's place is damage too.
std::uint64_t checksum_of(std::string_view bytes, std::uint64_t block);
// Two pieces as if they stood one after another.
std::uint64_t checksum_of(std::string_view first, std::string_view second, std::uint64_t block);

constexpr std::uint64_t padded(std::uint64_t bytes) { return (bytes + 7) & ~std::uint64_t{7}; }
constexpr std::uint64_t words_for(std::uint64_t bits) { return (bits + 63) / 64; }

}  // namespace neardup::io::fps
