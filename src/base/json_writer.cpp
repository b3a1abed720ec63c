#include "base/json_writer.h"

#include <fmt/format.h>

#include "base/json.h"

namespace neardup::base {

void JsonWriter::next(std::string_view name) {
  if (depth_ > 0) {
    text_ += is_first_ ? "\n" : ",\n";
    text_.append(2 * depth_, ' ');
  }
  is_first_ = false;
  if (!name.empty()) {
    append_json_string(text_, name);
    text_ += ": ";
  }
}

void JsonWriter::open(std::string_view name, char bracket) {
  next(name);
  text_ += bracket;
  ++depth_;
  is_first_ = true;
}

void JsonWriter::close(char bracket) {
  --depth_;
  if (!is_first_) {
    text_ += '\n';
    text_.append(2 * depth_, ' ');
  }
  text_ += bracket;
  if (depth_ == 0) text_ += '\n';
  is_first_ = false;
}

void JsonWriter::begin_object(std::string_view name) { open(name, '{'); }
void JsonWriter::end_object() { close('}'); }
void JsonWriter::begin_array(std::string_view name) { open(name, '['); }
void JsonWriter::end_array() { close(']'); }

void JsonWriter::string(std::string_view name, std::string_view value) {
  next(name);
  append_json_string(text_, value);
}

void JsonWriter::boolean(std::string_view name, bool value) { raw(name, value ? "true" : "false"); }
void JsonWriter::integer(std::string_view name, std::uint64_t value) { raw(name, fmt::format("{}", value)); }
void JsonWriter::number(std::string_view name, double value) { raw(name, fmt::format("{}", value)); }
void JsonWriter::null(std::string_view name) { raw(name, "null"); }

void JsonWriter::raw(std::string_view name, std::string_view text) {
  next(name);
  text_ += text;
}

void JsonWriter::strings(std::string_view name, std::span<const std::string> values) {
  begin_array(name);
  for (const std::string& value : values) string("", value);
  end_array();
}

}  // namespace neardup::base
