// Where does a character of UTF-8 end, is it one at all, and how do bytes become code points and back?
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace neardup::base {

inline constexpr char32_t kReplacement = 0xFFFD;
inline constexpr std::string_view kReplacementUtf8 = "\xEF\xBF\xBD";
inline constexpr std::string_view kUtf8Mark = "\xEF\xBB\xBF";  // byte-order mark

struct Utf8Step {
  std::size_t size;  // bytes of the character, or of the maximal invalid part (Unicode, section 3.9)
  bool valid;
};

// Looks at the character that starts at text[0]. Precondition: `text` is not empty.
Utf8Step utf8_step(std::string_view text);

// A byte within a character, behind its first.
constexpr bool is_continuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

// How many characters start in it.
std::size_t code_points(std::string_view utf8);

// The beginning of a text: at most this many bytes, and the last character whole.
constexpr std::string_view cut_to_code_point(std::string_view text, std::size_t bytes) {
  std::size_t end = std::min(text.size(), bytes);
  while (end > 0 && end < text.size() && is_continuation(text[end])) --end;
  return text.substr(0, end);
}

bool is_valid_utf8(std::string_view);

// Appends `text` with every maximal invalid part as one U+FFFD.
void append_repaired_utf8(std::string& out, std::string_view text);

// `text` itself when it is valid; otherwise what append_repaired_utf8() makes of it, in `buffer`.
std::string_view repaired_utf8(std::string_view text, std::string& buffer);

// Sets `out` to `text`, repaired when necessary; true when it was.
bool assign_valid_utf8(std::string& out, std::string_view text);

// Decodes the code point at `at` (before `end`) and moves past it. A byte that starts nothing valid is one U+FFFD.
inline char32_t decode(const char*& at, const char* end) {
  const auto byte = [&](int k) { return static_cast<std::uint32_t>(static_cast<unsigned char>(at[k])); };
  const auto follows = [&](int k) { return (byte(k) & 0xC0) == 0x80; };
  const std::uint32_t lead = byte(0);
  if (lead < 0x80) return at += 1, lead;
  const auto left = end - at;
  if (lead < 0xE0) {
    if (lead >= 0xC2 && left >= 2 && follows(1)) {
      const char32_t c = (lead & 0x1F) << 6 | (byte(1) & 0x3F);
      return at += 2, c;
    }
  } else if (lead < 0xF0) {
    if (left >= 3 && follows(1) && follows(2)) {
      const char32_t c = (lead & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F);
      if (c >= 0x800 && (c & 0xFFFFF800) != 0xD800) return at += 3, c;
    }
  } else if (left >= 4 && follows(1) && follows(2) && follows(3)) {
    const char32_t c = (lead & 0x0F) << 18 | (byte(1) & 0x3F) << 12 | (byte(2) & 0x3F) << 6 | (byte(3) & 0x3F);
    if (c >= 0x10000 && c <= 0x10FFFF) return at += 4, c;
  }
  return at += 1, kReplacement;
}

// Writes a code point and returns how many bytes it took, at most 4.
inline unsigned encode(char32_t c, char* out) {
  const auto tail = [c](int shift) { return static_cast<char>(0x80 | (c >> shift & 0x3F)); };
  if (c < 0x80) return out[0] = static_cast<char>(c), 1;
  if (c < 0x800) return out[0] = static_cast<char>(0xC0 | c >> 6), out[1] = tail(0), 2;
  if (c < 0x10000) return out[0] = static_cast<char>(0xE0 | c >> 12), out[1] = tail(6), out[2] = tail(0), 3;
  return out[0] = static_cast<char>(0xF0 | c >> 18), out[1] = tail(12), out[2] = tail(6), out[3] = tail(0), 4;
}

}  // namespace neardup::base
