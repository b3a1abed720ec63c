// Is this a file that no text can be read from?
#pragma once

#include <string>
#include <string_view>

namespace neardup::io {

// What kind of file begins like this ("a PDF file"); empty when none of those that are known. Such files are never
// text, whatever their name says.
std::string_view known_binary(std::string_view first_bytes);

// Whether there are NUL bytes among these, which do not come from UTF-16 or UTF-32 text without a byte-order mark.
bool has_stray_nul(std::string_view first_bytes);

}  // namespace neardup::io
