// What do folders like lang=en/year=2024/ say about the rows of a file?
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace neardup::io {

// The value of each name that a folder of the path gives, percent-encoding undone; the folder next to the file counts.
// Empty when it gives none of them.
std::vector<std::optional<std::string>> partition_values(std::string_view path, std::span<const std::string> names);

}  // namespace neardup::io
