// Where is the plugin that reads Parquet and Arrow files?
#pragma once

#include <string>

#include "io/columns/plugin_abi.h"
#include "neardup/error.h"

namespace neardup::io {

// The plugin, loaded when it is first asked for: libneardup-arrow.so in a folder of NEARDUP_PLUGINS (between colons),
// beside the program, or in ../lib/neardup from there. Null when there is none; a damaged or foreign one is an
// Error{input}. Threads: may be called concurrently.
const NeardupArrowPlugin* find_arrow_plugin();
// The same, but `what` needs it: Error{input} saying how to get it.
const NeardupArrowPlugin& need_arrow_plugin(const std::string& what);
// How to get it: "run: make arrow".
std::string how_to_get_arrow();

// The plugin's failure, about a file.
[[noreturn]] void throw_plugin_error(const NeardupError&, const std::string& path, ErrorCode = ErrorCode::input);

}  // namespace neardup::io
