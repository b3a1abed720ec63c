// What can be said about a JSON record that cannot be read, or does not have a field?
#pragma once

#include <string>
#include <string_view>

namespace neardup::io {

inline constexpr int kMaxJsonDepth = 500;  // bounds the stack; simdjson's own limit is 1024

struct JsonProblem {
  std::string_view json{};
  int error = 0;           // simdjson's
  bool is_object = false;  // whatever else is wrong
  bool is_line = false;    // of a file with an object on every line
};
std::string unreadable_json(const JsonProblem&);

enum class FieldUse { text, other };

// "no field \"body\"; it has: id, content; did you mean ...?" Only for messages: `object`, which is valid and followed
// by kPadding readable bytes, is read once more. A name with dots is looked for as deep as there are objects for it.
std::string missing_field(std::string_view object, const std::string& name, FieldUse);

}  // namespace neardup::io
