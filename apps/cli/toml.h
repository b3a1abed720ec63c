// Which flags does a --config file hold?
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace neardup::cli {

struct ConfigEntry {
  std::string table{};  // the [table] it is in; empty at the top
  std::string key;
  std::vector<std::string> values;  // as a person would have typed them after the flag: 0.8 stays "0.8"
  std::size_t line = 0;
};

// Reads the part of TOML that flags need: `key = value` lines with strings, numbers, booleans and arrays of them, in
// [tables] or before the first one, and comments. Dates, dotted keys and nested tables are refused. Throws Error{usage}
// that names `file` and the line.
std::vector<ConfigEntry> parse_toml(std::string_view text, std::string_view file);

}  // namespace neardup::cli
