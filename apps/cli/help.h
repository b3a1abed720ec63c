// What does help look like?
#pragma once

#include <string>

#include "description.h"

namespace neardup::cli {

// What the program is for, and its verbs.
std::string program_help();
// What a verb does, its examples, then its flags in groups with their defaults, everyday ones first; as wide as the
// terminal, up to 100 columns.
std::string verb_help(const VerbDescription&);
// One screen of it: the everyday flags, a line each.
std::string short_verb_help(const VerbDescription&);

struct HelpColumns {
  std::size_t label = 30;  // where texts start
  std::size_t width = 100;
};
// `text` behind `label`, wrapped, continuation lines indented. A label that is too long has a line of its own.
std::string help_line(const std::string& label, const std::string& text, const HelpColumns& = {});

}  // namespace neardup::cli
