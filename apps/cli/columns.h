// How much room does a text take on a terminal?
#pragma once

#include <cstddef>
#include <string_view>

namespace neardup::cli {

// Columns of a text that is valid UTF-8: two for wide East Asian characters, none for marks that sit on others.
std::size_t display_columns(std::string_view utf8);

}  // namespace neardup::cli
