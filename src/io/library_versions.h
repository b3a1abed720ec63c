// Which versions of the reading libraries is this program built with?
#pragma once

#include <string>
#include <vector>

namespace neardup::io {

std::vector<std::string> library_versions();

}  // namespace neardup::io
