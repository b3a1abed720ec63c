// Is an element of a page content, or does it only surround the content?
//
// Decided by what its author called it: tag, role, class and id, and whether it is hidden. A hint is no verdict:
// main_text.h drops an element only if little of the page's text is in it.
#pragma once

#include <algorithm>
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
struct NameHint {
  PageHint hint = PageHint::none;
  bool is_body = false;  // a name for the body of an article: article-body, entry-content, ...
};
NameHint hint_of_name(std::string_view raw);

// How sure a page is that an element is what it is about.
enum class PageClaim : std::uint8_t {
  none,
  article,  // article, main, role=main
  body,     // itemprop=articleBody, or its name
};

// Threads: one per thread.
class PageHints {
 public:
  PageHint of(const PageElement&);
  // What the page claims about the element that was asked about last.
  [[nodiscard]] PageClaim claim() const { return claim_; }

 private:
  PageHint of_attributes(const PageElement&);
  PageHint of_names(const PageElement&);
  void raise(PageClaim claim) { claim_ = std::max(claim_, claim); }

  HtmlTokens tokens_;
  PageClaim claim_ = PageClaim::none;
};

}  // namespace neardup::text
