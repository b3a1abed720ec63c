// How are numbers and texts written in the rows and files of an index?
//
// Keys of rows are big-endian, so that their byte order is the order of the numbers. Everything else is little-endian
// or a varint: seven bits per byte, the lowest first, the top bit set in all bytes but the last.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "neardup/error.h"

namespace neardup::indexing {

static_assert(std::endian::native == std::endian::little, "files are mapped as they are");

inline void append_key(std::string& out, std::uint64_t number) {
  const std::uint64_t swapped = __builtin_bswap64(number);
  out.append(reinterpret_cast<const char*>(&swapped), sizeof(swapped));
}
inline std::string key_of(std::uint64_t number) {
  std::string key;
  append_key(key, number);
  return key;
}
inline std::string key_of(std::uint64_t first, std::uint64_t second) {
  std::string key;
  append_key(key, first);
  append_key(key, second);
  return key;
}
// Precondition: at least eight bytes.
inline std::uint64_t number_at(std::string_view key) {
  std::uint64_t swapped = 0;
  std::memcpy(&swapped, key.data(), sizeof(swapped));
  return __builtin_bswap64(swapped);
}

inline void append_fixed(std::string& out, std::uint64_t value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof(value));
}
inline void append_varint(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
  out += static_cast<char>(value);
}
inline void append_text(std::string& out, std::string_view text) {
  append_varint(out, text.size());
  out += text;
}

// Takes a row apart. Every member throws Error{corrupt} when the row is too short or says something impossible.
class RowReader {
 public:
  RowReader(std::string_view row, const char* what) : rest_(row), what_(what) {}

  std::uint64_t fixed() {
    std::uint64_t value = 0;
    std::memcpy(&value, take(sizeof(value)).data(), sizeof(value));
    return value;
  }
  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const auto byte = static_cast<unsigned char>(take(1).front());
      value |= std::uint64_t{byte & 0x7Fu} << shift;
      if (byte < 0x80) return value;
    }
    fail();
  }
  std::string_view text() { return take(varint()); }
  std::string_view take(std::uint64_t bytes) {
    if (bytes > rest_.size()) fail();
    const std::string_view taken = rest_.substr(0, bytes);
    rest_.remove_prefix(bytes);
    return taken;
  }
  [[nodiscard]] std::string_view rest() const { return rest_; }
  [[nodiscard]] bool at_end() const { return rest_.empty(); }
  void finish() const {
    if (!rest_.empty()) fail();
  }
  [[noreturn]] void fail() const {
    throw Error(ErrorCode::corrupt, std::string("the index is damaged: a row of ") + what_ + " cannot be read");
  }

 private:
  std::string_view rest_;
  const char* what_;
};

}  // namespace neardup::indexing
