// Small things about ASCII text, for names that are compared whatever the locale says.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace neardup::base {

constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

constexpr bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }

// What a hexadecimal digit represents, whatever its case; -1 for any other character.
constexpr int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char small = lower(c);
  return small >= 'a' && small <= 'f' ? small - 'a' + 10 : -1;
}

inline std::string lowered(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), lower);
  return out;
}

// `small` is in small letters.
constexpr bool starts_with_any_case(std::string_view text, std::string_view small) {
  return text.size() >= small.size() &&
         std::equal(small.begin(), small.end(), text.begin(), [](char a, char b) { return a == lower(b); });
}
constexpr bool equals_any_case(std::string_view text, std::string_view small) {
  return text.size() == small.size() && starts_with_any_case(text, small);
}
constexpr bool ends_with_any_case(std::string_view text, std::string_view small) {
  return text.size() >= small.size() && equals_any_case(text.substr(text.size() - small.size()), small);
}

// Without white space at either end.
constexpr std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n\f";
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

}  // namespace neardup::base
