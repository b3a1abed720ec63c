// What does `--help` look like? Include only from .cpp files: CLI11 is a heavy header.
#pragma once

#include <string>

#include "app.h"

namespace neardup::cli {

// What a verb does, its examples, then its flags in groups with their defaults; at most 100 columns wide.
std::string verb_help(const CLI::App&, const VerbText&);

// `text` behind `label`, wrapped, continuation lines indented.
std::string help_line(const std::string& label, const std::string& text);

}  // namespace neardup::cli
