#include "base/tsv.h"

#include <charconv>
#include <cmath>

#include "base/utf8.h"

namespace neardup::base {
namespace {

template <class Number>
std::optional<Number> parsed(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

void append_escaped(std::string& out, std::string_view text) {
  std::size_t copied = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c != '\t' && c != '\n' && c != '\\') continue;
    out.append(text, copied, i - copied);
    out += '\\';
    out += c == '\t' ? 't' : c == '\n' ? 'n' : '\\';
    copied = i + 1;
  }
  out.append(text, copied);
}

std::string escape_tsv(std::string_view text) {
  std::string out;
  append_escaped(out, text);
  return out;
}

std::string unescape_tsv(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escaped = text[i] == '\\' && i + 1 < text.size();
    if (escaped) ++i;
    out += !escaped ? text[i] : text[i] == 't' ? '\t' : text[i] == 'n' ? '\n' : text[i];
  }
  return out;
}

std::string_view take_column(std::string_view& line) {
  const auto tab = line.find('\t');
  const std::string_view column = line.substr(0, tab);
  line = tab == line.npos ? std::string_view{} : line.substr(tab + 1);
  return column;
}

std::string quoted_column(std::string_view text) {
  constexpr std::size_t kMostBytes = 60;
  const std::string_view shown = cut_to_code_point(text, kMostBytes);
  return '"' + std::string(shown) + (shown.size() < text.size() ? "...\"" : "\"");
}

std::optional<double> parse_number(std::string_view text) {
  const auto number = parsed<double>(text);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

std::optional<std::uint64_t> parse_whole(std::string_view text) { return parsed<std::uint64_t>(text); }

}  // namespace neardup::base
