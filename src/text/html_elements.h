// What does an element's name mean for its reader?
//
// The one table of names. Unknown elements are inline.
#pragma once

#include <cstdint>
#include <string_view>

#include "text/html_tokens.h"

namespace neardup::text {

// How an element's two tags separate the words around them. Larger ones win.
enum class HtmlBreak : std::uint8_t {
  none,   // inline: foo<b>bar</b> is one word
  space,  // boxes in a line: button, select, ...
  cell,   // td, th
  line,   // blocks, br, hr
};

enum class HtmlRole : std::uint8_t {
  shown,
  dropped,       // with all that is in it, up to its end tag
  foreign,       // the same, and in it other rules hold: svg, math
  preformatted,  // white space stands as it is
  title,
  // Without content:
  link,
  base,
  anchor,  // a and area, which may stand anywhere
};

struct HtmlElement {
  std::string_view name;
  HtmlBreak around = HtmlBreak::none;
  HtmlRole role = HtmlRole::shown;
  HtmlMode mode = HtmlMode::data;  // how its content is read
};

// By the name as it stands in the page, in any case. Takes the same time whatever the name's length.
const HtmlElement& html_element(std::string_view raw_name);

}  // namespace neardup::text
