#include "text/html_references.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <vector>

#include "base/ascii.h"
#include "base/utf8.h"

namespace neardup::text {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_alphanumeric(char c) {
  const char lower = static_cast<char>(c | 0x20);
  return is_digit(c) || (lower >= 'a' && lower <= 'z');
}

struct Named {
  std::string_view name;
  bool needs_semicolon = true;
  std::uint8_t size = 0;
  char utf8[8];
};

struct Names {
  std::vector<Named> sorted;
  std::size_t first[129] = {};  // where the names begin that start with a character
};

Names parsed_names() {
  Names names;
  for (std::string_view rest = kHtmlReferences; !rest.empty();) {
    const std::string_view entry = rest.substr(0, rest.find(' '));
    rest.remove_prefix(entry.size() + 1);
    Named named{};
    const std::size_t equals = entry.find('=');
    named.name = entry.substr(0, equals);
    if (named.name.back() == '!') {
      named.name.remove_suffix(1);
      named.needs_semicolon = false;
    }
    for (std::size_t at = equals; at < entry.size();) {
      std::uint32_t point = 0;
      const char* const end = std::from_chars(&entry[at] + 1, entry.data() + entry.size(), point, 16).ptr;
      named.size = static_cast<std::uint8_t>(named.size + base::encode(point, named.utf8 + named.size));
      at = static_cast<std::size_t>(end - entry.data());
    }
    names.sorted.push_back(named);
  }
  std::size_t at = 0;
  for (std::size_t c = 0; c <= 128; ++c) {
    while (at < names.sorted.size() && static_cast<unsigned char>(names.sorted[at].name[0]) < c) ++at;
    names.first[c] = at;
  }
  return names;
}

// What the numbers of the C1 controls mean: windows-1252, by ancient mistake.
constexpr char16_t kC1[32] = {0x20AC, 0x81,   0x201A, 0x192,  0x201E, 0x2026, 0x2020, 0x2021, 0x2C6,  0x2030, 0x160,
                              0x2039, 0x152,  0x8D,   0x17D,  0x8F,   0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
                              0x2013, 0x2014, 0x2DC,  0x2122, 0x161,  0x203A, 0x153,  0x9D,   0x17E,  0x178};

Reference numeric(std::string_view text) {
  constexpr char32_t kTooLarge = 0x110000;
  const bool is_hex = text.size() > 2 && (text[2] | 0x20) == 'x';
  const std::size_t begin = is_hex ? 3 : 2;
  std::size_t at = begin;
  char32_t point = 0;
  for (; at < text.size(); ++at) {
    const int digit = base::hex_value(text[at]), radix = is_hex ? 16 : 10;
    if (digit < 0 || digit >= radix) break;
    point = std::min<char32_t>(point * static_cast<char32_t>(radix) + static_cast<char32_t>(digit), kTooLarge);
  }
  if (at == begin) return {};
  if (at < text.size() && text[at] == ';') ++at;
  if (point == 0 || point >= kTooLarge || (point & 0xFFFFF800) == 0xD800) point = base::kReplacement;
  if (point >= 0x80 && point < 0xA0) point = kC1[point - 0x80];
  Reference reference{.length = at};
  reference.size = base::encode(point, reference.utf8);
  return reference;
}

// The longest name that the text starts with; one with a semicolon is longer than the same without.
Reference named(std::string_view text, ReferenceIn where) {
  static const Names names = parsed_names();
  const auto initial = static_cast<unsigned char>(text[1]);
  if (initial >= 128) return {};
  auto low = names.sorted.begin() + static_cast<std::ptrdiff_t>(names.first[initial]);
  auto high = names.sorted.begin() + static_cast<std::ptrdiff_t>(names.first[initial + 1]);
  const Named* best = nullptr;
  std::size_t length = 0;
  for (std::size_t k = 1; low != high; ++k) {  // the first k characters agree
    const char next = k + 1 < text.size() ? text[k + 1] : '\0';
    if (low->name.size() == k) {
      const bool is_closed = next == ';';
      if (is_closed || !low->needs_semicolon) {
        best = &*low;
        length = 1 + k + (is_closed ? 1 : 0);
      }
      ++low;
    }
    if (!is_alphanumeric(next)) break;
    const auto at = [k](const Named& entry) { return entry.name[k]; };
    low = std::partition_point(low, high, [&](const Named& entry) { return at(entry) < next; });
    high = std::partition_point(low, high, [&](const Named& entry) { return at(entry) == next; });
  }
  if (best == nullptr) return {};
  // In addresses like `?a=1&copy=2` a copyright sign is not meant.
  if (where == ReferenceIn::attribute && text[length - 1] != ';' && length < text.size() &&
      (text[length] == '=' || is_alphanumeric(text[length]))) {
    return {};
  }
  Reference reference{.length = length, .size = best->size};
  std::memcpy(reference.utf8, best->utf8, sizeof reference.utf8);
  return reference;
}

}  // namespace

Reference read_reference(std::string_view text, ReferenceIn where) {
  if (text.size() < 2) return {};
  if (text[1] == '#') return numeric(text);
  return is_alphanumeric(text[1]) ? named(text, where) : Reference{};
}

}  // namespace neardup::text
