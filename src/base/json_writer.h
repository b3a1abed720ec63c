// How is a JSON document put together, member by member?
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace neardup::base {

// Writes indented JSON. Members of an object are named; elements of an array have the name "".
class JsonWriter {
 public:
  void begin_object(std::string_view name = "");
  void end_object();
  void begin_array(std::string_view name = "");
  void end_array();

  void string(std::string_view name, std::string_view value);
  void boolean(std::string_view name, bool value);
  void integer(std::string_view name, std::uint64_t value);
  void number(std::string_view name, double value);  // the shortest text that reads back as the same number
  void null(std::string_view name);
  // A number as it is to be printed.
  void raw(std::string_view name, std::string_view text);
  void strings(std::string_view name, std::span<const std::string> values);

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

}  // namespace neardup::base
