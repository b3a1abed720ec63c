#include "io/columns/partitions.h"

#include <algorithm>
#include <charconv>

#include "base/utf8.h"

namespace neardup::io {
namespace {

constexpr std::string_view kNull = "__HIVE_DEFAULT_PARTITION__";

std::string decode(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned char byte = 0;
    const std::string_view digits = text[i] == '%' ? text.substr(i + 1, 2) : std::string_view();
    const auto end = digits.data() + digits.size();
    if (digits.size() == 2 && std::from_chars(digits.data(), end, byte, 16).ptr == end) {
      out += static_cast<char>(byte);
      i += 2;
    } else {
      out += text[i];
    }
  }
  std::string valid;
  base::append_repaired_utf8(valid, out);
  return valid;
}

}  // namespace

std::vector<std::optional<std::string>> partition_values(std::string_view path, std::span<const std::string> names) {
  std::vector<std::optional<std::string>> values(names.size());
  bool has_any = false;
  for (std::size_t slash = path.find('/'), from = 0; slash != path.npos;
       from = slash + 1, slash = path.find('/', from)) {
    const std::string_view folder = path.substr(from, slash - from);
    const std::size_t sign = folder.find('=');
    if (sign == folder.npos || sign == 0) continue;
    const auto name = std::ranges::find(names, decode(folder.substr(0, sign)));
    if (name == names.end()) continue;
    const std::string_view value = folder.substr(sign + 1);
    auto& out = values[static_cast<std::size_t>(name - names.begin())];
    out = value == kNull ? std::nullopt : std::optional(decode(value));
    has_any = true;
  }
  return has_any ? values : std::vector<std::optional<std::string>>();
}

}  // namespace neardup::io
