// What does a page say to its reader?
//
// Tokens only, no tree: time is linear whatever the page contains, memory is bounded by the page. html_elements.cpp has
// the table of names; docs/formats.md tells it to users. In short:
//   dropped      script style noscript iframe noembed noframes (never closed, they hold the rest of the page, as the
//                standard has it); template object applet canvas audio video datalist svg math (never closed: a slip)
//   lines        p div li tr h1 to h6 and all other blocks, br, hr, option
//   tabs         td th
//   spaces       boxes in a line: button select textarea input meter progress, and dropped ones that show something
//   unchanged white space in pre listing xmp plaintext textarea; elsewhere it collapses
// All else, also every name not known, is inline and separates nothing: foo<b>bar</b> is one word. Comments, NUL and
// attributes (alt, title, value) are not text. Whether an element is hidden by style is not looked at.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "text/html_blocks.h"
#include "text/page_facts.h"

namespace neardup::text {

struct Page {
  std::string text;                // valid UTF-8; blocks are lines
  std::string title;               // of the first <title>, spaces collapsed
  std::string canonical;           // href of <link rel=canonical>
  std::string base;                // href of the first <base>
  PageFacts facts;                 // date, author, language, and second choices for title and URL
  std::vector<std::string> links;  // hrefs of <a> and <area> unchanged, references decoded; only when asked for
  // Only when asked for. The text is the blocks one after the other (append_block); a block's element leads to those
  // around it. Elements hold views of the page that was read.
  std::vector<PageBlock> blocks;
  std::vector<PageElement> elements;  // outer ones before inner ones
};

enum class Links { ignore, collect };
enum class Blocks { ignore, collect };

// Reads pages one after the other; buffers are kept between calls. Threads: one reader per thread.
class PageReader {
 public:
  PageReader();
  ~PageReader();
  PageReader(const PageReader&) = delete;
  PageReader& operator=(const PageReader&) = delete;
  // `html` is valid UTF-8. `out` is overwritten.
  void read(std::string_view html, Links, Page& out, Blocks = Blocks::ignore);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace neardup::text
