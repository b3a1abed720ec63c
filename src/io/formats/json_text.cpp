#include "io/formats/json_text.h"

#include <algorithm>

#include "base/ascii.h"
#include "io/formats/json_record.h"

namespace neardup::io {
namespace {

constexpr std::string_view kSpace = " \t\n\r";

bool is_json_number(std::string_view token) {
  std::size_t i = 0;
  const auto digits = [&] {
    const std::size_t start = i;
    while (i < token.size() && token[i] >= '0' && token[i] <= '9') ++i;
    return i - start;
  };
  if (i < token.size() && token[i] == '-') ++i;
  const bool zero = i < token.size() && token[i] == '0';
  const std::size_t whole = digits();
  if (whole == 0 || (zero && whole > 1)) return false;
  if (i < token.size() && token[i] == '.') {
    ++i;
    if (digits() == 0) return false;
  }
  if (i < token.size() && (token[i] == 'e' || token[i] == 'E')) {
    ++i;
    if (i < token.size() && (token[i] == '+' || token[i] == '-')) ++i;
    if (digits() == 0) return false;
  }
  return i == token.size();
}

int hex_number(std::string_view digits) {
  int value = 0;
  for (const char c : digits) {
    const int digit = base::hex_value(c);
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

// The code unit of a \uXXXX escape that starts at `text[at]`; -1 when there is none.
int escaped_unit(std::string_view text, std::size_t at) {
  if (text.size() - at < 6 || text[at] != '\\' || text[at + 1] != 'u') return -1;
  return hex_number(text.substr(at + 2, 4));
}

}  // namespace

const char* with_article(JsonKind kind) {
  switch (kind) {
    case JsonKind::string:
      return "a string";
    case JsonKind::number:
      return "a number";
    case JsonKind::boolean:
      return "a boolean";
    case JsonKind::null:
      return "null";
    case JsonKind::object:
      return "an object";
    case JsonKind::array:
      return "an array";
    case JsonKind::missing:
      break;
  }
  return "missing";
}

std::optional<JsonKind> token_kind(std::string_view token) {
  if (token == "null") return JsonKind::null;
  if (token == "true" || token == "false") return JsonKind::boolean;
  return is_json_number(token) ? std::optional(JsonKind::number) : std::nullopt;
}

bool replace_lone_surrogates(std::string& json) {
  const auto is_high = [](int unit) { return unit >= 0xD800 && unit <= 0xDBFF; };
  const auto is_low = [](int unit) { return unit >= 0xDC00 && unit <= 0xDFFF; };
  bool replaced = false;
  for (std::size_t i = json.find('\\'); i != std::string::npos; i = json.find('\\', i)) {
    const int unit = escaped_unit(json, i);
    if (is_high(unit) && i + 6 < json.size() && is_low(escaped_unit(json, i + 6))) {
      i += 12;
    } else if (is_high(unit) || is_low(unit)) {
      json.replace(i + 2, 4, "fffd");
      replaced = true;
      i += 6;
    } else {
      i += 2;
    }
  }
  return replaced;
}

std::size_t skip_json_space(std::string_view text, std::size_t from) { return text.find_first_not_of(kSpace, from); }

void append_json_on_one_line(std::string& out, const RecordBatch& batch, std::size_t place) {
  // Strings of a valid record hold no raw line breaks, so every one of them is outside strings.
  const std::size_t start = out.size();
  out += batch.raw(place);
  const auto is_break = [](char c) { return c == '\n' || c == '\r'; };
  std::replace_if(out.begin() + static_cast<std::ptrdiff_t>(start), out.end(), is_break, ' ');
}

}  // namespace neardup::io
