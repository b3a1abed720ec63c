#include "json.h"

#include <fmt/format.h>

#include <array>
#include <iterator>

namespace neardup::server {
namespace {

// The length of the valid UTF-8 sequence at the front of a text; 0 when there is none.
std::size_t sequence_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0) != 0x80) return 0;
  if ((first == 0xE0 && byte(1) < 0xA0) || (first == 0xED && byte(1) > 0x9F) || (first == 0xF0 && byte(1) < 0x90) ||
      (first == 0xF4 && byte(1) > 0x8F))
    return 0;
  return length;
}

bool is_plain(char c) { return static_cast<unsigned char>(c) >= 0x20 && c != '"' && c != '\\' && c > 0; }

}  // namespace

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && is_plain(text[end])) ++end;
    out.append(text, i, end - i);
    if (end == text.size()) break;
    i = end;
    const char c = text[i];
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
      ++i;
    } else if (c == '\n') {
      out += "\\n";
      ++i;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned>(c));
      ++i;
    } else {
      const std::size_t length = sequence_length(text.substr(i));
      if (length == 0) {
        out += "\xEF\xBF\xBD";
        ++i;
      } else {
        out.append(text, i, length);
        i += length;
      }
    }
  }
  out += '"';
}

void Json::separate() {
  if (needs_comma_) text_ += ',';
  needs_comma_ = true;
}

Json& Json::begin_object() {
  separate();
  text_ += '{';
  needs_comma_ = false;
  return *this;
}

Json& Json::end_object() {
  text_ += '}';
  needs_comma_ = true;
  return *this;
}

Json& Json::begin_array() {
  separate();
  text_ += '[';
  needs_comma_ = false;
  return *this;
}

Json& Json::end_array() {
  text_ += ']';
  needs_comma_ = true;
  return *this;
}

Json& Json::key(std::string_view name) {
  separate();
  text_ += '"';
  text_ += name;
  text_ += "\":";
  needs_comma_ = false;
  return *this;
}

Json& Json::escaped_key(std::string_view name) {
  separate();
  append_json_string(text_, name);
  text_ += ':';
  needs_comma_ = false;
  return *this;
}

Json& Json::value(std::string_view text) {
  separate();
  append_json_string(text_, text);
  return *this;
}

Json& Json::value(double number) {
  separate();
  fmt::format_to(std::back_inserter(text_), "{}", number);
  return *this;
}

Json& Json::null() { return raw("null"); }

Json& Json::raw(std::string_view json) {
  separate();
  text_ += json;
  return *this;
}

Json& Json::integer(std::uint64_t bits, bool is_negative) {
  separate();
  if (is_negative) {
    text_ += '-';
    bits = ~bits + 1;
  }
  fmt::format_to(std::back_inserter(text_), FMT_STRING("{}"), bits);
  return *this;
}

}  // namespace neardup::server
