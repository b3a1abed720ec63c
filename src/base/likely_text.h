// Which field is the text probably in, when the one that was asked for is not there?
#pragma once

#include <cstddef>
#include <string_view>

namespace neardup::base {

inline constexpr std::size_t kNoTextName = static_cast<std::size_t>(-1);

// How likely a field of this name holds the text: the smaller the likelier; kNoTextName: the name does not say.
std::size_t text_name_rank(std::string_view name);

}  // namespace neardup::base
