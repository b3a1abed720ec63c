// What is read of a page: all of its text, or the main text?
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "text/html_text.h"
#include "text/main_text.h"

namespace neardup::text {

enum class PageText : std::uint8_t { all, main };

// Threads: one per thread; buffers are kept between pages.
class PageTextReader {
 public:
  // As PageReader::read, but `out.text` is the text that is wanted. Returns false when the main text is wanted and
  // nothing qualified: then it is all of the text.
  bool read(std::string_view html, PageText wanted, Links links, Page& out) {
    reader_.read(html, links, out, wanted == PageText::main ? Blocks::collect : Blocks::ignore);
    if (wanted == PageText::all) return true;
    const MainTextFound found = main_.extract(out, text_);
    std::swap(out.text, text_);
    out.blocks.clear();  // they are not those of this text
    out.elements.clear();
    return found != MainTextFound::whole_page;
  }

 private:
  PageReader reader_;
  MainText main_;
  std::string text_;
};

// Whether a text contains a tag of HTML: one of an element that html_elements.cpp knows.
bool has_html_tag(std::string_view text);

}  // namespace neardup::text
