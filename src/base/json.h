// How is text written inside JSON?
#pragma once

#include <string>
#include <string_view>

namespace neardup::base {

// Appends `text`, which is valid UTF-8, as a JSON string with its quotes. Only what JSON demands is escaped.
void append_json_string(std::string& out, std::string_view text);

}  // namespace neardup::base
