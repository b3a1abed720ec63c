// Do two collections that are compared with each other share inputs?
#pragma once

#include <optional>
#include <string>

#include "neardup/collection.h"

namespace neardup::io {

// The first file that both collections read, as the second one calls it. Throws Error{usage} when both read standard
// input, of which the second has got nothing.
std::optional<std::string> shared_input(const Collection& first, const Collection& second);

}  // namespace neardup::io
