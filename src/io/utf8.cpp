#include "io/utf8.h"

#include <simdjson.h>

#include <cstddef>

#include "base/utf8.h"

namespace neardup::io {

bool is_valid_utf8(std::string_view text) { return simdjson::validate_utf8(text.data(), text.size()); }

void append_repaired_utf8(std::string& out, std::string_view text) {
  std::size_t good = 0;  // start of the valid run not yet copied
  for (std::size_t i = 0; i < text.size();) {
    const base::Utf8Step s = base::utf8_step(text.substr(i));
    if (!s.valid) {
      out.append(text, good, i - good);
      out += base::kReplacement;
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

}  // namespace neardup::io
