#include "text/html_open_elements.h"

#include <algorithm>

namespace neardup::text {

namespace {

using enum HtmlNesting;

bool may_omit_end(HtmlNesting nesting) {
  switch (nesting) {
    case paragraph:
    case item:
    case term:
    case table_part:
    case table_row:
    case table_cell:
    case choice:
      return true;
    default:
      return false;
  }
}

}  // namespace

void OpenElements::start() {
  open_.clear();
  of_name_ = {};
  of_nesting_ = {};
  deeper_ = 0;
  steps_ = 0;
}

// Elements at or outside this place are not closed by a tag of this kind.
OpenElements::Place OpenElements::border_of(HtmlNesting nesting) const {
  const Place cell_or_table = std::max(innermost(table), innermost(table_cell));
  switch (nesting) {
    case table:
      return 0;
    case table_part:
    case table_row:
    case table_cell:
      return innermost(table);
    case item:
      return std::max(cell_or_table, innermost(list));
    case term:
      return std::max(cell_or_table, innermost(terms));
    case paragraph:
    case choice:
      return std::max(cell_or_table, innermost(box));
    default:
      return cell_or_table;
  }
}

void OpenElements::close_from(Place place) {
  for (; open_.size() >= place; ++steps_) {
    const Open& last = open_.back();
    of_name_[html_element_number(*last.element)] = last.outer_of_name;
    of_nesting_[static_cast<std::size_t>(last.element->nesting)] = last.outer_of_nesting;
    open_.pop_back();
  }
}

void OpenElements::close_last(HtmlNesting nesting) {
  if (innermost(nesting) > border_of(nesting)) close_from(innermost(nesting));
}

void OpenElements::close_implied(HtmlNesting started) {
  if (started != root && started != box && started != choice) close_last(paragraph);
  switch (started) {
    case heading:
      if (has(heading) && innermost(heading) == open_.size()) close_from(innermost(heading));
      break;
    case table_part:
      close_last(table_part);
      close_last(table_row);
      close_last(table_cell);
      break;
    case table_row:
      close_last(table_row);
      close_last(table_cell);
      break;
    default:
      if (may_omit_end(started)) close_last(started);
  }
}

void OpenElements::open(const HtmlElement& element, const PageElement& as) {
  Place& of_name = of_name_[html_element_number(element)];
  if (element.nesting == root && of_name != 0) return;
  if (deeper_ == 0) close_implied(element.nesting);
  if (deeper_ > 0 || open_.size() == kMaxDepth) {
    if (!may_omit_end(element.nesting)) ++deeper_;
    return;
  }
  Place& of_nesting = of_nesting_[static_cast<std::size_t>(element.nesting)];
  open_.push_back({.element = &element,
                   .as = as,
                   .listed = kNoPageElement,
                   .outer_of_name = of_name,
                   .outer_of_nesting = of_nesting});
  open_.back().as.tag = element.name;
  of_name = of_nesting = static_cast<Place>(open_.size());
  ++steps_;
}

void OpenElements::close(const HtmlElement& element) {
  const HtmlNesting nesting = element.nesting;
  if (nesting == root) return;
  if (deeper_ > 0) {
    if (!may_omit_end(nesting)) --deeper_;
    return;
  }
  const Place place = nesting == heading ? innermost(heading) : of_name_[html_element_number(element)];
  if (place > border_of(nesting)) close_from(place);
}

std::uint32_t OpenElements::innermost_in(std::vector<PageElement>& elements) {
  std::size_t listed = open_.size();
  while (listed > 0 && open_[listed - 1].listed == kNoPageElement) --listed;
  std::uint32_t parent = listed == 0 ? kNoPageElement : open_[listed - 1].listed;
  for (; listed < open_.size(); ++listed, ++steps_) {
    Open& next = open_[listed];
    next.as.parent = parent;
    next.as.depth = static_cast<std::uint32_t>(listed);
    next.listed = parent = static_cast<std::uint32_t>(elements.size());
    elements.push_back(next.as);
  }
  return parent;
}

}  // namespace neardup::text
