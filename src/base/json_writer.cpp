#include "base/json_writer.h"

#include <fmt/format.h>

#include <utility>

#include "base/json.h"

namespace neardup::base {

JsonValue::JsonValue(std::string_view text) { append_json_string(text_, text); }
JsonValue::JsonValue(double value) : text_(fmt::format("{}", value)) {}
JsonValue JsonValue::rounded(double value, int decimals) { return raw(fmt::format("{:.{}f}", value, decimals)); }

JsonValue JsonValue::raw(std::string text) {
  JsonValue value;
  value.text_ = std::move(text);
  return value;
}

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

void JsonWriter::member(std::string_view name, const JsonValue& value) {
  next(name);
  text_ += value.text();
}

void JsonWriter::members(std::initializer_list<JsonMember> all) {
  for (const auto& [name, value] : all) member(name, value);
}

void JsonWriter::object(std::string_view name, std::initializer_list<JsonMember> all) {
  begin_object(name);
  members(all);
  end_object();
}

void JsonWriter::strings(std::string_view name, std::span<const std::string> values) {
  begin_array(name);
  for (const std::string& value : values) member("", value);
  end_array();
}

}  // namespace neardup::base
