// Which block elements enclose the place that a reader of a page has reached?
//
// There is no tree, only a stack of open elements (those whose nesting is not `outside`), kept by a few rules of the
// standard:
//   start tags  A block closes an open p. An li closes the li of its list, dt and dd the one before, an option the one
//               before, a heading the heading it is directly in; table parts, rows and cells close their
//               predecessors in the same table. A second html or body is ignored.
//   end tags    Close the innermost open element of their name (of any level for headings) and everything in it, unless
//               a border lies between: ordinary elements do not reach out of a table or cell, table parts not out of
//               their table, li not out of its list, dt and dd not out of their dl, p not out of a box. What closes
//               nothing is ignored, and so are </body> and </html>, which often come too early.
// Mis-nested elements therefore end with the outer one: <div><form></div></form> leaves nothing open.
//
// Every element knows where the next outer one of its name and of its kind is, so no tag searches the stack. Each
// element is pushed and popped once: time is linear in the tags. Elements deeper than kMaxDepth are only counted; what
// is in them belongs to the deepest known one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "text/html_elements.h"

namespace neardup::text {

inline constexpr std::uint32_t kNoPageElement = 0xffffffff;

// A block element with text in it. Views are of the page, except for the tag.
struct PageElement {
  std::string_view tag{};        // in lower case
  std::string_view classes{};    // the value as written, references not decoded
  std::string_view id{};         // the same
  std::string_view start_tag{};  // as written: HtmlTokens reads its other attributes from it
  std::uint32_t parent = kNoPageElement;
  std::uint32_t depth = 0;  // how many elements enclose it
};

// Threads: one per thread.
class OpenElements {
 public:
  static constexpr std::size_t kMaxDepth = 400;

  void start();  // on another page
  // Precondition: nesting is not `outside`. Of `as`, tag, parent and depth are filled in here.
  void open(const HtmlElement&, const PageElement& as);
  void close(const HtmlElement&);

  [[nodiscard]] bool has(HtmlNesting nesting) const { return innermost(nesting) != 0; }
  // The innermost open element in `elements`; adds it and those around it when they are not there yet. The same list
  // must be given for the whole page.
  std::uint32_t innermost_in(std::vector<PageElement>& elements);

  // Elements pushed, popped and listed since start().
  [[nodiscard]] std::size_t steps() const { return steps_; }

 private:
  using Place = std::uint16_t;  // in the stack, from 1; 0: nowhere

  struct Open {
    const HtmlElement* element;
    PageElement as;
    std::uint32_t listed;  // where in the list; kNoPageElement: not yet
    Place outer_of_name, outer_of_nesting;
  };

  [[nodiscard]] Place innermost(HtmlNesting nesting) const { return of_nesting_[static_cast<std::size_t>(nesting)]; }
  [[nodiscard]] Place border_of(HtmlNesting) const;
  void close_implied(HtmlNesting started);
  void close_last(HtmlNesting);
  void close_from(Place);

  std::vector<Open> open_;
  std::array<Place, kHtmlElements> of_name_{};
  std::array<Place, kHtmlNestings> of_nesting_{};
  std::size_t deeper_ = 0;  // open elements below kMaxDepth, without those that may end without a tag
  std::size_t steps_ = 0;
};

}  // namespace neardup::text
