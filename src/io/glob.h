// Which existing names does a pattern with *, ? and [...] mean?
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "neardup/files.h"

namespace neardup::io {

bool is_glob(std::string_view);

// As glob(3) of the C library does it: a wildcard matches neither a slash nor a dot at the beginning of a name, a
// backslash takes a wildcard's meaning away, folders that cannot be listed match nothing. In the order of their bytes.
std::vector<std::string> glob(FileSystem&, std::string_view pattern);

}  // namespace neardup::io
