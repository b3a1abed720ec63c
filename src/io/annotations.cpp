#include "io/annotations.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/json.h"
#include "io/formats/json_record.h"
#include "neardup/error.h"

namespace neardup::io {
namespace {

// A name without its escapes. Only ASCII matters here: our own names have nothing else, so that whatever else is
// escaped may become anything but one of them.
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

bool is_annotation_field(std::string_view name) {
  return std::find(kAnnotationFields.begin(), kAnnotationFields.end(), name) != kAnnotationFields.end();
}

void refuse_annotated(const std::string& where, std::string_view field) {
  throw Error(ErrorCode::usage,
              fmt::format("{}: there is a field {} already, and `annotate` would add a second one "
                          "(rename it, or leave out `annotate`)",
                          where, field),
              "annotate");
}

void refuse_annotated_columns(const std::string& path, std::span<const std::string> columns) {
  const auto taken = std::ranges::find_if(columns, is_annotation_field);
  if (taken != columns.end()) refuse_annotated(path, *taken);
}

std::string_view annotation_field_in(std::string_view object) {
  if (object.find("\"neardup_") == std::string_view::npos && object.find("\\u") == std::string_view::npos) return {};
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
    if (i >= object.size()) return {};
    const std::string_view name = object.substr(begin, i - begin);
    const std::size_t next = skip_json_space(object, i + 1);
    const bool is_name = depth == 1 && next != std::string_view::npos && object[next] == ':';
    if (!is_name) continue;
    const std::string plain = unescape_ascii(name);
    const auto own = std::find(kAnnotationFields.begin(), kAnnotationFields.end(), plain);
    if (own != kAnnotationFields.end()) return *own;
  }
  return {};
}

void append_annotation(std::string& object, const Annotation& annotation) {
  const std::size_t brace = object.rfind('}');
  if (brace == std::string::npos || brace == 0) return;  // not an object: a bad record that the caller keeps
  const std::size_t last = object.find_last_not_of(" \t\r\n", brace - 1);
  std::string fields = last != std::string::npos && object[last] == '{' ? "" : ",";
  fields += "\"neardup_cluster\":";
  if (annotation.cluster.empty()) {
    fields += "null";
  } else {
    base::append_json_string(fields, annotation.cluster);
  }
  fields += fmt::format(",\"neardup_kept\":{},\"neardup_score\":{}", annotation.kept,
                        annotation.score.empty() ? "null" : annotation.score);
  object.insert(brace, fields);
}

}  // namespace neardup::io
