// Is a short block a date, a counter, a byline, or a line that asks the reader to share, follow or subscribe?
//
// Such lines have no name of their own on many pages. English only: other languages rely on names and positions.
#pragma once

#include <string_view>

namespace neardup::text {

// Longer blocks are not examined: they are never furniture.
inline constexpr std::size_t kMaxFurnitureBytes = 160;

bool is_furniture(std::string_view block);

}  // namespace neardup::text
