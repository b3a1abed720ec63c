#include "text/html_blocks.h"

#include <algorithm>
#include <utility>

namespace neardup::text {

namespace {

bool is_link(const HtmlElement& element) { return element.role == HtmlRole::anchor && element.name == "a"; }

std::string_view raw_value(const HtmlTokens& tokens, std::string_view lower_name) {
  for (const HtmlAttribute& attribute : tokens.attributes()) {
    if (equal_html_names(attribute.name, lower_name)) return attribute.value;
  }
  return {};
}

bool has_attribute(const HtmlTokens& tokens, std::string_view lower_name) {
  return std::ranges::any_of(tokens.attributes(),
                             [&](const HtmlAttribute& each) { return equal_html_names(each.name, lower_name); });
}

// From its name on; tokens have read it, and nothing after it.
std::string_view tag_as_written(const HtmlTokens& tokens) {
  const char* const begin = tokens.raw().data() - 1;
  return {begin, static_cast<std::size_t>(tokens.rest().data() - begin)};
}

}  // namespace

void append_block(std::string& out, std::string_view text, const PageBlock& block) {
  if (takes_separator(out, block.before)) out += separator_of(block.before);
  out += text.substr(block.begin, block.end - block.begin);
}

void BlockWriter::start(std::size_t expected_size) {
  writer_.start(expected_size);
  open_.start();
}

void BlockWriter::start_tag(const HtmlElement& element, const HtmlTokens& tokens) {
  pass_border(element);
  if (is_link(element)) {
    end_link();
    in_link_ = has_attribute(tokens, "href");
  }
  if (element.nesting == HtmlNesting::outside) return;
  open_.open(
      element,
      {.classes = raw_value(tokens, "class"), .id = raw_value(tokens, "id"), .start_tag = tag_as_written(tokens)});
}

void BlockWriter::end_tag(const HtmlElement& element) {
  pass_border(element);
  if (is_link(element)) end_link();
  if (element.nesting != HtmlNesting::outside) open_.close(element);
}

void BlockWriter::pass_border(const HtmlElement& element) {
  writer_.separate(element.around);
  if (element.role == HtmlRole::line_break) {
    if (++line_breaks_ > 1) end_block();
  } else if (element.nesting != HtmlNesting::outside || element.around == HtmlBreak::line) {
    end_block();
  }
  if (element.nesting == HtmlNesting::table_cell) end_link();
}

void BlockWriter::text(std::string_view text) {
  const HtmlBreak before = writer_.wanted();
  const std::size_t size = writer_.written().size();
  writer_.write(text);
  const std::string_view written = writer_.written();
  if (written.size() == size) return;
  const std::size_t begin = size + (is_html_space(written[size]) ? 1 : 0);  // collapsed text begins with a word
  extend(begin, ended_ ? block_at(begin, before) : blocks_.back());
}

void BlockWriter::preformatted(std::string_view text) {
  if (text.empty()) return;
  const HtmlBreak before = writer_.wanted();
  const std::string_view written = writer_.written();
  const std::size_t begin = written.size() + (takes_separator(written, before) ? 1 : 0);
  writer_.write_preformatted(text);
  PageBlock& block = ended_ ? block_at(begin, before) : blocks_.back();
  block.is_preformatted = true;
  extend(begin, block);
}

PageBlock& BlockWriter::block_at(std::size_t begin, HtmlBreak before) {
  ended_ = false;
  return blocks_.emplace_back(PageBlock{.begin = begin,
                                        .element = open_.innermost_in(elements_),
                                        .before = before,
                                        .is_heading = open_.has(HtmlNesting::heading),
                                        .in_item = open_.has(HtmlNesting::item) || open_.has(HtmlNesting::term),
                                        .in_cell = open_.has(HtmlNesting::table_cell)});
}

void BlockWriter::extend(std::size_t begin, PageBlock& block) {
  block.end = writer_.written().size();
  line_breaks_ = 0;
  if (!in_link_ || has_link_text_) return;
  has_link_text_ = true;
  link_begin_ = begin;
  ++block.links;
}

void BlockWriter::count_link() {
  if (std::exchange(has_link_text_, false)) blocks_.back().link_bytes += blocks_.back().end - link_begin_;
}

void BlockWriter::end_link() {
  count_link();
  in_link_ = false;
}

void BlockWriter::end_block() {
  count_link();
  ended_ = true;
}

// Trailing white space goes, and with it preformatted blocks that are nothing else.
void BlockWriter::finish() {
  end_block();
  writer_.finish();
  const std::size_t size = writer_.written().size();
  while (!blocks_.empty() && blocks_.back().begin >= size) blocks_.pop_back();
  if (blocks_.empty()) return;
  PageBlock& last = blocks_.back();
  last.end = std::min(last.end, size);
  last.link_bytes = std::min(last.link_bytes, last.end - last.begin);
}

}  // namespace neardup::text
