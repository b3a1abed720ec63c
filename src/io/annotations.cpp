#include "io/annotations.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/json.h"
#include "io/formats/json_record.h"
#include "neardup/error.h"

namespace neardup::io {
namespace {

// A name without its escapes. Only ASCII matters here: whatever else is escaped is taken for another name.
std::string unescape_ascii(std::string_view name) {
  std::string out;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] != '\\') {
      out += name[i];
      continue;
    }
    unsigned code = 0;
    const std::string_view digits = name.substr(std::min(i + 2, name.size()), 4);
    const bool is_code = name.substr(i, 2) == "\\u" && digits.size() == 4 &&
                         std::from_chars(digits.data(), digits.data() + 4, code, 16).ptr == digits.data() + 4;
    out += is_code && code < 0x80 ? static_cast<char>(code) : '\\';
    i += is_code ? 5 : 1;
  }
  return out;
}

}  // namespace

AddedFields decision_fields() {
  return {{.name = "neardup_cluster", .kind = AddedField::Kind::text},
          {.name = "neardup_kept", .kind = AddedField::Kind::boolean},
          {.name = "neardup_score", .kind = AddedField::Kind::number}};
}

AddedField count_field() { return {.name = "neardup_count", .kind = AddedField::Kind::integer, .option = "count"}; }

AddedField collected_field(std::string_view field) {
  return {.name = "neardup_removed_" + std::string(field), .kind = AddedField::Kind::json, .option = "collect"};
}

const AddedField* added_field(const AddedFields& fields, std::string_view name) {
  const auto found = std::ranges::find(fields, name, &AddedField::name);
  return found == fields.end() ? nullptr : &*found;
}

void refuse_added(const std::string& where, const AddedField& field) {
  throw Error(ErrorCode::usage,
              fmt::format("{0}: there is a field {1} already, and `{2}` would add a second one "
                          "(rename it, or leave out `{2}`)",
                          where, field.name, field.option),
              field.option);
}

void refuse_added_columns(const std::string& path, std::span<const std::string> columns, const AddedFields& fields) {
  for (const std::string& column : columns)
    if (const AddedField* field = added_field(fields, column)) refuse_added(path, *field);
}

const AddedField* added_field_in(std::string_view object, const AddedFields& fields) {
  if (object.find("\"neardup_") == std::string_view::npos && object.find("\\u") == std::string_view::npos)
    return nullptr;
  int depth = 0;
  for (std::size_t i = 0; i < object.size(); ++i) {
    const char c = object[i];
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    if (c != '"') continue;
    const std::size_t begin = i + 1;
    for (++i; i < object.size() && object[i] != '"'; ++i) {
      if (object[i] == '\\') ++i;
    }
    if (i >= object.size()) return nullptr;
    const std::string_view name = object.substr(begin, i - begin);
    const std::size_t next = skip_json_space(object, i + 1);
    const bool is_name = depth == 1 && next != std::string_view::npos && object[next] == ':';
    if (!is_name) continue;
    if (const AddedField* own = added_field(fields, unescape_ascii(name))) return own;
  }
  return nullptr;
}

void append_annotation(std::string& object, const AddedFields& fields, const Annotation& annotation) {
  const std::size_t brace = object.rfind('}');
  if (brace == std::string::npos || brace == 0) return;  // not an object: a bad record that the caller keeps
  const std::size_t last = object.find_last_not_of(" \t\r\n", brace - 1);
  std::string added;
  bool is_first = last != std::string::npos && object[last] == '{';
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (!is_first) added += ',';
    is_first = false;
    base::append_json_string(added, fields[i].name);
    added += ':';
    if (annotation[i].empty()) {
      added += "null";
    } else if (fields[i].kind == AddedField::Kind::text) {
      base::append_json_string(added, annotation[i]);
    } else {
      added += annotation[i];
    }
  }
  object.insert(brace, added);
}

}  // namespace neardup::io
