// Is an element of a page content, or does it only surround the content?
//
// Decided by what its author called it: tag, role, class and id, and whether it is hidden. A hint alone decides
// nothing: main_text.h drops an element only if little of the page's text is in it.
#pragma once

#include <cstdint>
#include <string_view>

#include "text/html_open_elements.h"
#include "text/html_tokens.h"

namespace neardup::text {

enum class PageHint : std::uint8_t {
  none,
  weak,     // often beside the content: figures, forms, share bars, dates, tags
  strong,   // nearly always beside it: navigation, footers, comments, cookie notices, hidden elements
  control,  // never content: buttons, lists of choices, input
};

// By class or id as written in the page. Names are compared word by word: words end where letters end and where a
// capital follows a small letter (shareBar, share-bar and share_bar are the words share, bar and sharebar).
PageHint hint_of_name(std::string_view raw);

// Threads: one per thread.
class PageHints {
 public:
  PageHint of(const PageElement&);
  // Whether the page says that the last element contains the article: article, main, itemprop=articleBody.
  [[nodiscard]] bool is_marked_as_article() const { return is_article_; }

 private:
  PageHint of_attributes(const PageElement&);

  HtmlTokens tokens_;
  bool is_article_ = false;
};

}  // namespace neardup::text
