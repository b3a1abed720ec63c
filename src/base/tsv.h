// How are ids and other texts written in the columns of our TSV files?
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace neardup::base {

// Tabs, newlines and backslashes as \t, \n, \\.
void append_escaped(std::string& out, std::string_view);
std::string escape_tsv(std::string_view);
std::string unescape_tsv(std::string_view);

// The column before the next tab, taken off the line with it; the last column leaves an empty line.
std::string_view take_column(std::string_view& line);

// A column in quotes, for messages; of a long one the beginning.
std::string quoted_column(std::string_view);

// A whole column as a number; nothing when it is none, or not finite.
std::optional<double> parse_number(std::string_view);
// Digits only.
std::optional<std::uint64_t> parse_whole(std::string_view);

}  // namespace neardup::base
