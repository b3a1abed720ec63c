// How does a removed document differ from the kept one, in the few lines that a page has room for?
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "neardup/context.h"

namespace neardup::report {

// Limits of one diff on the page.
struct PageDiffLimits {
  std::size_t text_bytes = std::size_t{1} << 15;  // of each text; what is behind is not compared
  std::size_t parts = 80;                         // that are listed; the rest is counted
  std::size_t part_bytes = 600;                   // of a part on each side; the rest is cut
  std::size_t context_words = 12;                 // of equal text on each side of a difference
  std::size_t listed_bytes = 6000;                // of all parts together; the rest is counted
  std::uint64_t steps = std::uint64_t{1} << 19;   // of the search for the shortest diff
};

// A JSON object: {"equal": words, "removed": words, "added": words, "shortest": true, "whole": true, "hidden": parts,
// "parts": [...]}. A part is ["=", text], ["=", kept, other] where only case or punctuation differ, ["-", kept],
// ["+", other], ["~", kept, other] or [">", words] for equal words that are left out. Texts are valid UTF-8;
// `is_whole`: nothing of either was cut before.
std::string page_diff(std::string_view kept, std::string_view other, bool is_whole, const Context&,
                      const PageDiffLimits& = {});

}  // namespace neardup::report
