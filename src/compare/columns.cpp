#include <unicode/uchar.h>

#include "base/ascii.h"
#include "base/utf8.h"
#include "neardup/compare.h"

namespace neardup {

std::size_t display_columns(std::string_view utf8) {
  std::size_t columns = 0;
  for (const char *at = utf8.data(), *end = at + utf8.size(); at != end;) {
    const bool ascii = base::is_ascii(*at);
    const auto c = static_cast<UChar32>(base::decode(at, end));
    if (ascii) {
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

}  // namespace neardup
