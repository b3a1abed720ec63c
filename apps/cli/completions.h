// What do shells complete words of neardup with?
//
// Verbs, the flags of the verb, values where they are known, and file names elsewhere.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "description.h"

namespace neardup::cli {

Words completion_shells();
// A script for one of them.
std::string completions(std::string_view shell, const std::vector<VerbDescription>&);

}  // namespace neardup::cli
