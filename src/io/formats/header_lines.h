// Which names and values do the header lines of a web archive's record or of an HTTP message hold?
#pragma once

#include <cstddef>
#include <string_view>

#include "base/ascii.h"

namespace neardup::io {

// Goes through `Name: value` lines. Lines without a colon and lines that continue another are passed over.
class HeaderLines {
 public:
  explicit HeaderLines(std::string_view lines) : rest_(lines) {}

  bool next() {
    while (!rest_.empty()) {
      const std::size_t newline = rest_.find('\n');
      const std::string_view line = rest_.substr(0, newline);
      rest_.remove_prefix(newline == std::string_view::npos ? rest_.size() : newline + 1);
      const std::size_t colon = line.find(':');
      if (colon == std::string_view::npos || line.front() == ' ' || line.front() == '\t') continue;
      name_ = base::trimmed(line.substr(0, colon));
      value_ = base::trimmed(line.substr(colon + 1));
      return true;
    }
    return false;
  }
  // `small` is in small letters.
  [[nodiscard]] bool is(std::string_view small) const { return base::equals_any_case(name_, small); }
  [[nodiscard]] std::string_view name() const { return name_; }
  [[nodiscard]] std::string_view value() const { return value_; }

 private:
  std::string_view rest_, name_, value_;
};

// Where the blank line that ends a header is over; npos when there is none. `from`: what lies before was searched.
inline std::size_t header_end(std::string_view bytes, std::size_t from = 0) {
  for (std::size_t at = bytes.find('\n', from); at != std::string_view::npos; at = bytes.find('\n', at + 1)) {
    if (bytes.substr(at + 1, 1) == "\n") return at + 2;
    if (bytes.substr(at + 1, 2) == "\r\n") return at + 3;
  }
  return std::string_view::npos;
}

}  // namespace neardup::io
