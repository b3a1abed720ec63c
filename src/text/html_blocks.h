// Which blocks does the text of a page consist of, and which elements enclose them?
//
// A block is the text between two tags that begin or end a block element (td and form controls included), between hr
// or between two br in a row; one br is a line end inside a block. A link ends at </a>, at the next <a> and at the
// border of a cell.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/html_elements.h"
#include "text/html_open_elements.h"
#include "text/html_tokens.h"
#include "text/html_writer.h"

namespace neardup::text {

struct PageBlock {
  std::size_t begin = 0, end = 0;          // in the page's text; never empty
  std::uint32_t element = kNoPageElement;  // the innermost that encloses it
  std::uint32_t links = 0;                 // that have text in it
  std::size_t link_bytes = 0;              // from the first to the last word of each link
  HtmlBreak before = HtmlBreak::none;      // what separates it from the block before it
  bool is_heading = false;                 // h1 to h6 encloses it
  bool in_item = false;                    // li, dt or dd does
  bool in_cell = false;                    // td or th does
  bool is_preformatted = false;
};

// Appends a block of `text` to those in `out`: over all blocks of a page this gives the page's text, over some of them
// the text of a page that has only those.
void append_block(std::string& out, std::string_view text, const PageBlock&);

// Writes the text of a page and notes its blocks. Threads: one per thread. One object reads one page.
class BlockWriter {
 public:
  BlockWriter(std::string& text, std::vector<PageBlock>& blocks, std::vector<PageElement>& elements, OpenElements& open)
      : writer_(text), blocks_(blocks), elements_(elements), open_(open) {}

  void start(std::size_t expected_size);
  void finish();
  void start_tag(const HtmlElement&, const HtmlTokens&);
  void end_tag(const HtmlElement&);
  void text(std::string_view);
  void preformatted(std::string_view);

 private:
  PageBlock& block_at(std::size_t begin, HtmlBreak before);
  void extend(std::size_t begin, PageBlock&);
  void pass_border(const HtmlElement&);
  void end_block();
  void end_link();
  void count_link();

  TextWriter writer_;
  std::vector<PageBlock>& blocks_;
  std::vector<PageElement>& elements_;
  OpenElements& open_;
  bool ended_ = true;  // the last block; the next text begins another
  bool in_link_ = false;
  bool has_link_text_ = false;   // in this block
  std::size_t link_begin_ = 0;   // of that text
  std::size_t line_breaks_ = 0;  // since the last text
};

}  // namespace neardup::text
