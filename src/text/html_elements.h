// What does an element's name mean for its reader?
//
// The one table of names. Unknown elements are inline.
#pragma once

#include <cstddef>
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

// How an element nests among the open ones (html_open_elements.h).
enum class HtmlNesting : std::uint8_t {
  outside,     // never among them: inline, or without content
  root,        // html, body
  flow,        // div, section, ...
  box,         // button, select, textarea: in a line
  paragraph,   // p
  heading,     // h1 to h6
  list,        // ul, ol, ...
  item,        // li
  terms,       // dl
  term,        // dt, dd
  table,       // table
  table_part,  // thead, tbody, tfoot
  table_row,   // tr, caption
  table_cell,  // td, th
  choice,      // option
};
inline constexpr std::size_t kHtmlNestings = 15;

enum class HtmlRole : std::uint8_t {
  shown,
  line_break,    // br
  dropped,       // with all that is in it, up to its end tag
  foreign,       // the same, and in it other rules hold: svg, math
  preformatted,  // white space is kept unchanged
  title,
  // Without content:
  link,
  base,
  meta,
  time,    // has content, which is shown
  anchor,  // a and area, which may be anywhere
  page,    // html: its attributes are about the page
};

struct HtmlElement {
  std::string_view name;
  HtmlBreak around = HtmlBreak::none;
  HtmlNesting nesting = HtmlNesting::outside;
  HtmlRole role = HtmlRole::shown;
  HtmlMode mode = HtmlMode::data;  // how its content is read
};

// By the name as written in the page, in any case. Takes the same time whatever the name's length.
const HtmlElement& html_element(std::string_view raw_name);

// A number below kHtmlElements for every element of the table.
inline constexpr std::size_t kHtmlElements = 128;
std::size_t html_element_number(const HtmlElement&);

}  // namespace neardup::text
