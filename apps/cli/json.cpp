#include "json.h"

#include <fmt/format.h>

#include "words.h"

namespace neardup::cli {
namespace {

void append_quoted(std::string& out, std::string_view text) {
  out += '"';
  for (std::size_t at = 0; at < text.size();) {
    const auto byte = static_cast<unsigned char>(text[at]);
    const std::size_t bytes = code_point_bytes(text, at);
    if (byte == '"' || byte == '\\') {
      out += '\\';
      out += text[at];
    } else if (byte == '\n') {
      out += "\\n";
    } else if (byte == '\t') {
      out += "\\t";
    } else if (byte < 0x20) {
      out += fmt::format("\\u{:04x}", byte);
    } else if (bytes == 0) {
      out += "\uFFFD";
    } else {
      out.append(text, at, bytes);
    }
    at += bytes == 0 ? 1 : bytes;
  }
  out += '"';
}

}  // namespace

Json& Json::text(std::string_view key, std::string_view value) {
  name(key);
  append_quoted(out_, value);
  return *this;
}

Json& Json::decimal(std::string_view key, double value) { return literal(key, fmt::format("{}", value)); }

Json& Json::open(std::string_view key, char bracket) {
  name(key);
  out_ += bracket;
  first_ = true;
  return *this;
}

Json& Json::close(char bracket) {
  out_ += bracket;
  first_ = false;
  return *this;
}

Json& Json::literal(std::string_view key, std::string_view value) {
  name(key);
  out_ += value;
  return *this;
}

void Json::name(std::string_view key) {
  if (!first_) out_ += ',';
  first_ = false;
  if (key.empty()) return;
  append_quoted(out_, key);
  out_ += ':';
}

}  // namespace neardup::cli
