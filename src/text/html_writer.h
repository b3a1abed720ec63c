// How do the texts of a page become one?
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "text/html_elements.h"
#include "text/html_tokens.h"

namespace neardup::text {

// Precondition: not HtmlBreak::none.
inline char separator_of(HtmlBreak wanted) {
  return wanted == HtmlBreak::line ? '\n' : wanted == HtmlBreak::cell ? '\t' : ' ';
}

// Whether a separator is written after this text: not at the beginning, and not after a line end that is already.
inline bool takes_separator(std::string_view before, HtmlBreak wanted) {
  return wanted != HtmlBreak::none && !before.empty() && before.back() != '\n';
}

// Text in the making: white space collapses, and of several separators in a row the strongest is written, once
// something follows it.
class TextWriter {
 public:
  explicit TextWriter(std::string& out) : out_(out) {}

  void start(std::size_t expected_size) {
    size_ = 0;
    wanted_ = HtmlBreak::none;
    out_.resize(expected_size);
  }
  void finish() {
    while (size_ > 0 && is_html_space(out_[size_ - 1])) --size_;
    out_.resize(size_);
  }

  void separate(HtmlBreak by) { wanted_ = std::max(wanted_, by); }
  // The separator that comes before what is written next.
  [[nodiscard]] HtmlBreak wanted() const { return wanted_; }
  [[nodiscard]] std::string_view written() const { return {out_.data(), size_}; }

  // Inlined, or the writer would not stay in registers from one text to the next.
  [[gnu::always_inline]] void write(std::string_view text) {
    const char* at = text.data();
    const char* const end = at + text.size();
    while (at != end) {
      const char* word = at;
      while (word != end && is_html_space(*word)) ++word;
      if (word != at) separate(HtmlBreak::space);
      if (word == end) return;
      // A word, and those after it as long as one space is between them: what most text is.
      const char* last = word;
      for (;;) {
        while (last != end && !is_html_space(*last)) ++last;
        if (end - last < 2 || *last != ' ' || is_html_space(last[1])) break;
        last += 2;
      }
      append({word, static_cast<std::size_t>(last - word)});
      at = last;
    }
  }

  void write_preformatted(std::string_view text) {
    if (!text.empty()) append(text);
  }

 private:
  void append(std::string_view text) {
    if (out_.size() - size_ < text.size() + 1) out_.resize(std::max(size_ + text.size() + 1, 2 * out_.size()));
    const HtmlBreak wanted = std::exchange(wanted_, HtmlBreak::none);
    if (takes_separator(written(), wanted)) out_[size_++] = separator_of(wanted);
    std::memcpy(&out_[size_], text.data(), text.size());
    size_ += text.size();
  }

  std::string& out_;
  std::size_t size_ = 0;
  HtmlBreak wanted_ = HtmlBreak::none;
};

}  // namespace neardup::text
