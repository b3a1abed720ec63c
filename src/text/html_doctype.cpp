#include "text/html_doctype.h"

#include <algorithm>

#include "text/html_tokens.h"

namespace neardup::text {

namespace {

constexpr std::string_view kSpaces = " \t\n\r\f";

void skip_spaces(std::string_view& rest) { rest.remove_prefix(std::min(rest.find_first_not_of(kSpaces), rest.size())); }

// Takes a quoted string; false when the quotation mark is missing at its front or at its end.
bool take_quoted(std::string_view& rest, std::optional<std::string>& out) {
  if (rest.empty() || (rest.front() != '"' && rest.front() != '\'')) return false;
  const std::size_t end = rest.find(rest.front(), 1);
  const bool is_closed = end != std::string_view::npos;
  out.emplace();
  for (const char c : rest.substr(1, is_closed ? end - 1 : end)) {
    if (c == '\0') {
      *out += "\uFFFD";
    } else if (c == '\n' && out->ends_with('\r')) {
      out->back() = '\n';
    } else {
      *out += c;
    }
  }
  std::replace(out->begin(), out->end(), '\r', '\n');
  rest.remove_prefix(is_closed ? end + 1 : rest.size());
  return is_closed;
}

}  // namespace

HtmlDoctype read_html_doctype(std::string_view rest, bool is_cut) {
  HtmlDoctype doctype;
  doctype.force_quirks = is_cut;
  skip_spaces(rest);
  if (rest.empty()) {
    doctype.force_quirks = true;
    return doctype;
  }
  const std::size_t name_size = std::min(rest.find_first_of(kSpaces), rest.size());
  append_html_name(doctype.name.emplace(), rest.substr(0, name_size));
  rest.remove_prefix(name_size);
  skip_spaces(rest);
  if (rest.empty()) return doctype;
  const std::string_view keyword = rest.substr(0, 6);
  const bool is_public = equal_html_names(keyword, "public");
  if (!is_public && !equal_html_names(keyword, "system")) {
    doctype.force_quirks = true;
    return doctype;
  }
  rest.remove_prefix(6);
  skip_spaces(rest);
  if (is_public) {
    if (!take_quoted(rest, doctype.public_id)) {
      doctype.force_quirks = true;
      return doctype;
    }
    skip_spaces(rest);
    if (rest.empty()) return doctype;
  }
  if (!take_quoted(rest, doctype.system_id)) {
    doctype.force_quirks = true;
    return doctype;
  }
  skip_spaces(rest);
  if (!rest.empty()) doctype.force_quirks = false;  // whatever follows is ignored, and so is its end
  return doctype;
}

}  // namespace neardup::text
