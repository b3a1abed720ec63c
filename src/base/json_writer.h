// How is a JSON document put together, member by member?
#pragma once

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace neardup::base {

// A string, a number, true, false or null.
class JsonValue {
 public:
  JsonValue(std::string_view text);
  JsonValue(const std::string& text) : JsonValue(std::string_view(text)) {}
  JsonValue(const char* text) : JsonValue(std::string_view(text)) {}
  template <std::integral T>
  JsonValue(T value) {
    if constexpr (std::same_as<T, bool>) {
      text_ = value ? "true" : "false";
    } else {
      text_ = std::to_string(value);
    }
  }
  JsonValue(double value);  // the shortest text that reads back as the same number
  template <class T>
  JsonValue(const std::optional<T>& value) : text_(value ? JsonValue(*value).text_ : "null") {}
  // A number with this many decimals.
  static JsonValue rounded(double value, int decimals);
  // As it is to be printed.
  static JsonValue raw(std::string text);

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  JsonValue() = default;
  std::string text_;
};

struct JsonMember {
  std::string_view name;
  JsonValue value;
};

// Writes indented JSON. Members of an object are named; elements of an array have the name "".
class JsonWriter {
 public:
  void begin_object(std::string_view name = "");
  void end_object();
  void begin_array(std::string_view name = "");
  void end_array();

  void member(std::string_view name, const JsonValue&);
  void members(std::initializer_list<JsonMember>);
  // A whole object.
  void object(std::string_view name, std::initializer_list<JsonMember>);
  void strings(std::string_view name, std::span<const std::string> values);
  // An array of objects; write(item) writes the members of each.
  template <class Items, class Write>
  void objects(std::string_view name, const Items& items, const Write& write) {
    begin_array(name);
    for (const auto& item : items) {
      begin_object();
      write(item);
      end_object();
    }
    end_array();
  }

  // The document so far; complete when every object and array was ended.
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  void next(std::string_view name);
  void open(std::string_view name, char bracket);
  void close(char bracket);

  std::string text_;
  std::size_t depth_ = 0;
  bool is_first_ = true;  // in the innermost object or array
};

// A document that is one object; write(json) writes its members.
template <class Write>
std::string json_object(const Write& write) {
  JsonWriter json;
  json.begin_object();
  write(json);
  json.end_object();
  return json.text();
}

}  // namespace neardup::base
