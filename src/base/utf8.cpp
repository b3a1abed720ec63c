#include "base/utf8.h"

#include <simdjson.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace neardup::base {

// The ranges are those of Unicode's table 3-7.
Utf8Step utf8_step(std::string_view text) {
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = at(0);
  if (lead < 0x80) return {1, true};
  std::size_t more = 0;
  unsigned char low = 0x80, high = 0xBF;  // of the second byte
  if (lead >= 0xC2 && lead <= 0xDF) {
    more = 1;
  } else if (lead >= 0xE0 && lead <= 0xEF) {
    more = 2;
    if (lead == 0xE0) low = 0xA0;
    if (lead == 0xED) high = 0x9F;
  } else if (lead >= 0xF0 && lead <= 0xF4) {
    more = 3;
    if (lead == 0xF0) low = 0x90;
    if (lead == 0xF4) high = 0x8F;
  } else {
    return {1, false};
  }
  for (std::size_t i = 1; i <= more; ++i) {
    if (i >= text.size() || at(i) < low || at(i) > high) return {i, false};
    low = 0x80;
    high = 0xBF;
  }
  return {more + 1, true};
}

std::string_view repaired_utf8(std::string_view text, std::string& buffer) {
  if (is_valid_utf8(text)) return text;
  buffer.clear();
  append_repaired_utf8(buffer, text);
  return buffer;
}

std::size_t code_points(std::string_view utf8) {
  return static_cast<std::size_t>(
      std::count_if(utf8.begin(), utf8.end(), [](char byte) { return !is_continuation(byte); }));
}

bool is_valid_utf8(std::string_view text) { return simdjson::validate_utf8(text.data(), text.size()); }

void append_repaired_utf8(std::string& out, std::string_view text) {
  std::size_t good = 0;  // start of the valid run not yet copied
  for (std::size_t i = 0; i < text.size();) {
    const Utf8Step s = utf8_step(text.substr(i));
    if (!s.valid) {
      out.append(text, good, i - good);
      out += kReplacementUtf8;
      good = i + s.size;
    }
    i += s.size;
  }
  out.append(text, good);
}

bool assign_valid_utf8(std::string& out, std::string_view text) {
  if (is_valid_utf8(text)) {
    out.assign(text);
    return false;
  }
  out.clear();
  append_repaired_utf8(out, text);
  return true;
}

}  // namespace neardup::base
