// Which character does `&amp;` or `&#8211;` represent?
#pragma once

#include <cstddef>
#include <string_view>

namespace neardup::text {

// Every name the web knows, sorted by bytes, as `name=HEX[,HEX] `; `name!` may also be without its semicolon.
extern const char* const kHtmlReferences;

enum class ReferenceIn { text, attribute };

struct Reference {
  std::size_t length = 0;  // bytes of the reference, the `&` included; 0: it is just an ampersand
  std::size_t size = 0;    // bytes of what it represents
  char utf8[8] = {};
};

// Reads the reference at the front of `text`, which starts with `&`. Looks at as many bytes as the longest name has, or
// at all the digits there are.
Reference read_reference(std::string_view text, ReferenceIn);

}  // namespace neardup::text
