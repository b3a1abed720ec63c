// How far apart are two long strings, if that can be found out soon?
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "neardup/context.h"

namespace neardup::comparison {

struct BoundedDistance {
  std::optional<std::uint64_t> distance;  // none: it would have taken more steps
  std::uint64_t more_than = 0;            // then it is more than this
};

// The Levenshtein distance in code points of valid UTF-8. Tries small distances first, so that the time depends on how
// far apart the strings are; a step takes a nanosecond or two.
BoundedDistance edit_distance_bounded(std::string_view a, std::string_view b, std::uint64_t max_steps, const Context&);

}  // namespace neardup::comparison
