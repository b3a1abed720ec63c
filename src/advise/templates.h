// Which passages stand in many documents?
#pragma once

#include <span>
#include <string>
#include <vector>

#include "neardup/advise.h"

namespace neardup::advising {

// The longest runs of words that at least 5% of the texts have (and at least 5 texts), those that cover most first; at
// most three.
std::vector<TemplateText> common_passages(std::span<const std::string> texts);

}  // namespace neardup::advising
