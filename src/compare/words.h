// Which words of two texts are the same, and where do they differ?
#pragma once

#include <cstdint>
#include <string_view>

#include "neardup/compare.h"
#include "neardup/context.h"

namespace neardup::comparison {

// The diff of two texts by words, compared folded. Texts are valid UTF-8 of less than 4 GiB.
WordDiff diff_words(std::string_view a, std::string_view b, std::uint64_t max_steps, const Context&);

}  // namespace neardup::comparison
