// What does the manual page look like?
#pragma once

#include <string>
#include <vector>

#include "description.h"
#include "topics.h"

namespace neardup::cli {

// neardup(1), for groff and mandoc (man macros).
std::string manual(const std::vector<VerbDescription>&, const std::vector<Topic>&);

}  // namespace neardup::cli
