#include "columns.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <bit>

namespace neardup::cli {

namespace {

// Takes the first code point off a text that is valid UTF-8 and not empty.
UChar32 take_code_point(std::string_view& utf8) {
  const auto lead = static_cast<unsigned char>(utf8.front());
  const int size = std::max(1, std::countl_one(lead));
  UChar32 point = size == 1 ? lead : lead & (0x7F >> size);
  for (const char next : utf8.substr(1, static_cast<std::size_t>(size - 1))) point = point << 6 | (next & 0x3F);
  utf8.remove_prefix(std::min(utf8.size(), static_cast<std::size_t>(size)));
  return point;
}

}  // namespace

std::size_t display_columns(std::string_view utf8) {
  std::size_t columns = 0;
  while (!utf8.empty()) {
    const UChar32 c = take_code_point(utf8);
    if (c < 0x80) {
      ++columns;
      continue;
    }
    const int category = u_charType(c);
    const bool none = category == U_NON_SPACING_MARK || category == U_ENCLOSING_MARK || category == U_FORMAT_CHAR;
    const int width = u_getIntPropertyValue(c, UCHAR_EAST_ASIAN_WIDTH);
    columns += none ? 0 : width == U_EA_WIDE || width == U_EA_FULLWIDTH ? 2 : 1;
  }
  return columns;
}

}  // namespace neardup::cli
