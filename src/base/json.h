// How is text written inside JSON?
#pragma once

#include <string>
#include <string_view>

namespace neardup::base {

// Appends `text` as a JSON string with its quotes. Only what JSON demands is escaped; what is not valid UTF-8 (a path
// may be anything) becomes U+FFFD.
void append_json_string(std::string& out, std::string_view text);

}  // namespace neardup::base
