// Is this text valid UTF-8, and if not, what stands for the broken parts?
#pragma once

#include <string>
#include <string_view>

#include "base/utf8.h"

namespace neardup::io {

inline constexpr std::string_view kUtf8Mark = "\xEF\xBB\xBF";  // byte-order mark

bool is_valid_utf8(std::string_view);

using base::append_repaired_utf8;

// Sets `out` to `text`, repaired when necessary; true when it was.
bool assign_valid_utf8(std::string& out, std::string_view text);

}  // namespace neardup::io
