// Where do two texts begin to differ, as a reader sees it?
#pragma once

#include <string_view>

#include "neardup/dedup.h"

namespace neardup::dedup {

// A text, or as much of its beginning as is at hand.
struct TextAtHand {
  std::string_view text;
  bool is_whole = true;
};

// Fills in the passages of an example, and where they differ. Texts are compared by folded words, so that neither white
// space nor case nor punctuation counts as a difference.
void show_difference(TextAtHand removed, TextAtHand kept, Example& out);

}  // namespace neardup::dedup
