// What is the text of a cell that is a list of strings or of chat messages?
//
// The same as of an array in JSON: parts are joined with a newline. A part is a string, or a message whose `content`
// (or `text`) is a string or again such a list. Null, and messages that say nothing, are no parts.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "arrow/cells.h"

namespace neardup::arrow {

// Reusable; one a thread.
class TextParts {
 public:
  // Never Found::null.
  Found join(const Cell& list);
  [[nodiscard]] std::string take() { return std::exchange(text_, {}); }
  // Damaged because it is longer than any record may be.
  [[nodiscard]] bool is_too_long() const { return is_too_long_; }

 private:
  Found add_all(const Cell& list);
  Found add_part(const Cell&);
  Found add_message(const Cell&);
  Found add_content(const Cell&);
  Found add_string(const Cell&);
  Found give_up();

  std::string text_;
  std::uint64_t steps_ = 0;
  bool has_part_ = false, is_too_long_ = false;
};

// About how many bytes the text of a cell has, or how many a list of integers takes; an estimate where that takes
// longer to find out.
std::uint64_t text_weight(const Cell&);

}  // namespace neardup::arrow
