#include "io/utf8.h"

#include <simdjson.h>

namespace neardup::io {

bool is_valid_utf8(std::string_view text) { return simdjson::validate_utf8(text.data(), text.size()); }

bool assign_valid_utf8(std::string& out, std::string_view text) {
  if (is_valid_utf8(text)) {
    out.assign(text);
    return false;
  }
  out.clear();
  append_repaired_utf8(out, text);
  return true;
}

}  // namespace neardup::io
