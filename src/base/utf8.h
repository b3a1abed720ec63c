// Where does a character of UTF-8 end, and is it one at all?
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace neardup::base {

inline constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

struct Utf8Step {
  std::size_t size;  // bytes of the character, or of the maximal invalid part (Unicode, section 3.9)
  bool valid;
};

// Looks at the character that starts at text[0]. Precondition: `text` is not empty.
Utf8Step utf8_step(std::string_view text);

// Appends `text` with every maximal invalid part as one U+FFFD.
void append_repaired_utf8(std::string& out, std::string_view text);

// `text` itself when it is valid; otherwise what append_repaired_utf8() makes of it, in `buffer`.
std::string_view repaired_utf8(std::string_view text, std::string& buffer);

// How many characters start in it.
std::size_t code_points(std::string_view utf8);

}  // namespace neardup::base
