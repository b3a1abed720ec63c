#include "arrow/type.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include "base/utf8.h"
#include "neardup/error.h"

namespace neardup::arrow {
namespace {

[[noreturn]] void refuse(std::string_view why) {
  throw Error(ErrorCode::input, fmt::format("the Arrow schema is not valid: {}", why));
}

struct Primitive {
  std::string_view format, said;
  Kind kind;
  std::int64_t width = 0;
  bool is_signed = false;
  char unit = 's';
};
constexpr std::array<Primitive, 32> kPrimitives{{
    {"n", "null", Kind::null},
    {"b", "bool", Kind::boolean},
    {"c", "int8", Kind::integer, 1, true},
    {"C", "uint8", Kind::integer, 1},
    {"s", "int16", Kind::integer, 2, true},
    {"S", "uint16", Kind::integer, 2},
    {"i", "int32", Kind::integer, 4, true},
    {"I", "uint32", Kind::integer, 4},
    {"l", "int64", Kind::integer, 8, true},
    {"L", "uint64", Kind::integer, 8},
    {"e", "float16", Kind::real, 2},
    {"f", "float32", Kind::real, 4},
    {"g", "float64", Kind::real, 8},
    {"u", "utf8", Kind::text, 4},
    {"U", "large_utf8", Kind::text, 8},
    {"z", "binary", Kind::text, 4},
    {"Z", "large_binary", Kind::text, 8},
    {"vu", "utf8_view", Kind::text_view, 16},
    {"vz", "binary_view", Kind::text_view, 16},
    {"tdD", "date32", Kind::date, 4, true},
    {"tdm", "date64", Kind::date, 8, true, 'm'},
    {"tts", "time32", Kind::time, 4, true, 's'},
    {"ttm", "time32", Kind::time, 4, true, 'm'},
    {"ttu", "time64", Kind::time, 8, true, 'u'},
    {"ttn", "time64", Kind::time, 8, true, 'n'},
    {"+l", "list", Kind::list, 4},
    {"+L", "large_list", Kind::list, 8},
    {"+vl", "list_view", Kind::list_view, 4},
    {"+vL", "large_list_view", Kind::list_view, 8},
    {"+s", "struct", Kind::structure},
    {"+r", "run_end_encoded", Kind::runs},
    {"+m", "map", Kind::unread},
}};

std::optional<std::int64_t> whole(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// "d:PRECISION,SCALE" and perhaps ",BITS".
void read_decimal(std::string_view parameters, Type& out) {
  const std::size_t comma = parameters.find(','), second = parameters.find(',', comma + 1);
  if (comma == parameters.npos) refuse("a decimal without a scale");
  const auto scale = whole(parameters.substr(comma + 1, second == parameters.npos ? second : second - comma - 1));
  const auto bits = second == parameters.npos ? 128 : whole(parameters.substr(second + 1));
  constexpr int kMostScale = 1000;
  if (!scale || *scale < -kMostScale || *scale > kMostScale) refuse("the scale of a decimal");
  if (!bits || (*bits != 32 && *bits != 64 && *bits != 128 && *bits != 256)) refuse("the width of a decimal");
  out.kind = Kind::decimal;
  out.scale = static_cast<int>(*scale);
  out.width = *bits / 8;
  out.said = fmt::format("decimal{}", *bits);
}

void read_sized(std::string_view parameters, Kind kind, std::string_view said, Type& out) {
  const auto size = whole(parameters);
  if (!size || *size < 0 || *size > INT32_MAX) refuse(fmt::format("the size of a {}", said));
  out.kind = kind;
  out.width = *size;
  out.said = said;
}

void read_format(std::string_view format, Type& out) {
  for (const Primitive& primitive : kPrimitives) {
    if (format != primitive.format) continue;
    out.kind = primitive.kind;
    out.width = primitive.width;
    out.is_signed = primitive.is_signed;
    out.unit = primitive.unit;
    out.said = primitive.said;
    return;
  }
  if (format.starts_with("d:")) return read_decimal(format.substr(2), out);
  if (format.starts_with("w:")) return read_sized(format.substr(2), Kind::fixed_bytes, "fixed_size_binary", out);
  if (format.starts_with("+w:")) return read_sized(format.substr(3), Kind::fixed_list, "fixed_size_list", out);
  constexpr std::string_view kUnits = "smun";
  if (format.size() >= 4 && format.starts_with("ts") && format[3] == ':' && kUnits.find(format[2]) != kUnits.npos) {
    out.kind = Kind::timestamp;
    out.width = 8;
    out.unit = format[2];
    out.has_zone = format.size() > 4;
    out.said = "timestamp";
    return;
  }
  constexpr std::size_t kShown = 20;
  out.said.clear();
  base::append_repaired_utf8(out.said, base::cut_to_code_point(format, kShown));
  out.said = fmt::format("the type \"{}\"", out.said);
}

// How many children a kind has; -1: any number.
int children_of(Kind kind) {
  switch (kind) {
    case Kind::list:
    case Kind::list_view:
    case Kind::fixed_list:
      return 1;
    case Kind::runs:
      return 2;
    case Kind::structure:
      return -1;
    default:
      return 0;
  }
}

Type parse(const ArrowSchema&, int depth);

void parse_children(const ArrowSchema& schema, int depth, Type& out) {
  const int expected = children_of(out.kind);
  if (schema.n_children < 0 || schema.n_children > INT32_MAX || (expected >= 0 && schema.n_children != expected))
    refuse(fmt::format("a {} with {} children", out.said, schema.n_children));
  if (schema.n_children > 0 && schema.children == nullptr) refuse("children are missing");
  for (std::int64_t i = 0; i < schema.n_children; ++i) {
    if (schema.children[i] == nullptr) refuse("a child is missing");
    out.children.push_back(parse(*schema.children[i], depth + 1));
  }
}

void check_runs(Type& type) {
  const Type& ends = type.children[0];
  if (ends.kind != Kind::integer || !ends.is_signed || ends.width == 1) refuse("the type of run ends");
}

Type parse(const ArrowSchema& schema, int depth) {
  if (schema.format == nullptr) refuse("a format is missing");
  Type type;
  if (schema.name != nullptr) base::append_repaired_utf8(type.name, schema.name);
  read_format(schema.format, type);
  if (depth == kMaxDepth) {
    type.kind = Kind::unread;
    type.said = "too deeply nested data";
  }
  if (type.kind == Kind::unread) return type;
  if (schema.dictionary != nullptr) {
    if (type.kind != Kind::integer) refuse("the type of dictionary indexes");
    type.kind = Kind::dictionary;
    type.children.push_back(parse(*schema.dictionary, depth + 1));
    type.said = fmt::format("dictionary<{}>", type.children[0].said);
    return type;
  }
  parse_children(schema, depth, type);
  if (type.kind == Kind::runs) check_runs(type);
  if (type.is_list()) type.said = fmt::format("{}<{}>", type.said, type.children[0].said);
  return type;
}

}  // namespace

Type parse_schema(const ArrowSchema& schema) {
  Type type = parse(schema, 0);
  if (type.kind != Kind::structure) {
    throw Error(ErrorCode::input,
                fmt::format("the Arrow stream holds {}, expected a struct with a column for every field", type.said));
  }
  return type;
}

const Type& value_type(const Type& type) {
  const Type* at = &type;
  while (at->kind == Kind::dictionary || at->kind == Kind::runs) at = &at->children.back();
  return *at;
}

}  // namespace neardup::arrow
