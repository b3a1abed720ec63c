// How do two texts look beside each other, or woven into one, on a terminal?
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "neardup/compare.h"

namespace neardup::cli {

enum class DiffStyle { side, inlined, none };

struct DiffLook {
  DiffStyle style = DiffStyle::inlined;
  std::size_t width = 80;
  bool colour = false;  // otherwise [-removed-] and {+added+}
  bool full = false;    // fold nothing, show every change
};

// Lines no wider than asked for, unless one character is.
std::string show_diff(const Comparison&, const DiffLook&);

// Fit for a terminal: control characters, and those that turn the direction of writing around, become `?`; blanks of
// any kind and number become one space; a text that takes more columns ends in "…".
std::string shown_text(std::string_view, std::size_t max_columns);

// `text` in colour, when colour is wanted.
enum class Ink { red, green, bold, dim };
std::string inked(Ink, std::string_view text, bool colour);

}  // namespace neardup::cli
