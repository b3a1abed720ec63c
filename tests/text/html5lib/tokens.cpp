// Prints the tokens of pages, for html5lib.py to compare.
//
// In, for each page: MODE, the size of the closing element's name, the size of the page, and a line end; then the two.
// Out, for each page: its tokens, a line each, strings in hex; then an empty line.
#include <cstdio>
#include <iostream>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "text/html_doctype.h"
#include "text/html_tokens.h"

namespace {

using namespace neardup::text;

std::string hex(std::string_view bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string out = "x";
  for (const char c : bytes) {
    out += kDigits[static_cast<unsigned char>(c) >> 4];
    out += kDigits[c & 15];
  }
  return out;
}

std::string hex_or_none(const std::optional<std::string>& bytes) { return bytes ? hex(*bytes) : "-"; }

std::string lower(std::string_view name) {
  std::string out;
  append_html_name(out, name);
  return out;
}

void print(HtmlTokens& tokens) {
  switch (tokens.kind()) {
    case HtmlTokens::Kind::text:
      std::cout << "text " << hex(tokens.text());
      break;
    case HtmlTokens::Kind::comment:
      std::cout << "comment " << hex(tokens.text());
      break;
    case HtmlTokens::Kind::end_tag:
      std::cout << "end " << hex(lower(tokens.raw()));
      break;
    case HtmlTokens::Kind::doctype: {
      const HtmlDoctype doctype = read_html_doctype(tokens.raw(), tokens.is_cut());
      std::cout << "doctype " << hex_or_none(doctype.name) << ' ' << hex_or_none(doctype.public_id) << ' '
                << hex_or_none(doctype.system_id) << ' ' << doctype.force_quirks;
      break;
    }
    case HtmlTokens::Kind::start_tag: {
      std::cout << "start " << hex(lower(tokens.raw())) << ' ' << tokens.is_self_closing();
      std::set<std::string> seen;
      for (const HtmlAttribute& attribute : tokens.attributes()) {
        const std::string name = lower(attribute.name);
        if (!seen.insert(name).second) continue;
        std::string value;
        HtmlTokens::append_value(value, attribute.value);
        std::cout << ' ' << hex(name) << ' ' << hex(value);
      }
      break;
    }
  }
  std::cout << '\n';
}

}  // namespace

int main() {
  HtmlTokens tokens;
  int mode = 0;
  std::size_t element_size = 0, size = 0;
  while (std::cin >> mode >> element_size >> size) {
    std::cin.get();
    std::string element(element_size, '\0'), page(size, '\0');
    std::cin.read(element.data(), static_cast<std::streamsize>(element.size()));
    std::cin.read(page.data(), static_cast<std::streamsize>(page.size()));
    tokens.start(page, static_cast<HtmlMode>(mode), element);
    while (tokens.next()) print(tokens);
    std::cout << '\n';
  }
}
