#include "arrow/binding.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "arrow/scalars.h"
#include "base/choices.h"
#include "base/likely_text.h"
#include "neardup/error.h"

namespace neardup::arrow {
namespace {

constexpr const char* kTextOption = "text_fields";
constexpr const char* kIdOption = "id_field";

// The child of that name; Error{usage} when there are two.
std::optional<std::size_t> find_child(const Type& type, std::string_view name, const char* option) {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < type.children.size(); ++i) {
    if (type.children[i].name != name) continue;
    if (found) throw Error(ErrorCode::usage, fmt::format("two columns are called \"{}\"", name), option);
    found = i;
  }
  return found;
}

std::vector<std::string> names_of(const Type& type, const std::string& before) {
  std::vector<std::string> names;
  for (const Type& child : type.children) names.push_back(before + child.name);
  return names;
}

// The column that by its name most probably is the text.
std::string likely_text(const std::vector<std::string>& names, const std::string& before) {
  const auto likely = std::ranges::min_element(names, {}, base::text_name_rank);
  if (likely == names.end() || base::text_name_rank(*likely) == base::kNoTextName) return {};
  return fmt::format("; did you mean `text_fields={}{}`?", before, *likely);
}

// "no column "content.bdy"; "content" has: body; did you mean content.body?"
[[noreturn]] void refuse_missing(const Type& schema, const std::string& name, const char* option) {
  const Type* type = &schema;
  std::string before, rest = name;
  for (std::size_t dot = rest.find('.'); dot != rest.npos; dot = rest.find('.')) {
    const auto child = find_child(*type, rest.substr(0, dot), option);
    if (!child || type->children[*child].kind != Kind::structure) break;
    type = &type->children[*child];
    before += rest.substr(0, dot + 1);
    rest.erase(0, dot + 1);
  }
  std::vector<std::string> names = names_of(*type, "");
  std::string near = base::did_you_mean(name, names_of(*type, before));
  if (near.empty() && option == kTextOption) near = likely_text(names, before);
  constexpr std::size_t kShown = 12;
  const bool is_cut = names.size() > kShown;
  if (is_cut) names.resize(kShown);
  const std::string listed =
      names.empty() ? "nothing" : fmt::format("{}{}", fmt::join(names, ", "), is_cut ? ", ..." : "");
  const std::string where = before.empty() ? "it" : fmt::format("\"{}\"", before.substr(0, before.size() - 1));
  throw Error(ErrorCode::usage, fmt::format("no column \"{}\"; {} has: {}{}", name, where, listed, near), option);
}

bool is_text(const Type&, bool in_message);

// Something in a message that says something: strings, or lists of strings and messages.
bool is_message(const Type& type) {
  return type.kind == Kind::structure && std::ranges::any_of(type.children, [](const Type& member) {
           return is_said(member.name) && is_text(member, true);
         });
}

// Runs within lists are not read: a few bytes could claim to be very many parts.
bool is_part(const Type& type) {
  if (type.kind == Kind::runs) return false;
  const Type& value = value_type(type);
  return value.kind == Kind::null || is_string(value.kind) || is_message(value);
}

bool is_text(const Type& type, bool in_message) {
  if (in_message && type.kind == Kind::runs) return false;
  const Type& value = value_type(type);
  if (is_string(value.kind) || value.kind == Kind::null) return true;
  return value.is_list() && is_part(value.children[0]);
}

bool is_token_list(const Type& type) {
  const Type& value = value_type(type);
  return value.is_list() && value.children[0].kind != Kind::runs && value_type(value.children[0]).kind == Kind::integer;
}

bool is_field(const Type& type) {
  const Kind kind = value_type(type).kind;
  return kind == Kind::null || is_string(kind) || is_scalar(kind);
}

Path require(const Type& schema, const std::string& name, const char* option) {
  auto path = find_path(schema, name, option);
  if (!path) refuse_missing(schema, name, option);
  return *std::move(path);
}

[[noreturn]] void refuse_type(const std::string& name, const Type& type, std::string_view expected,
                              const char* option) {
  throw Error(ErrorCode::usage, fmt::format("column \"{}\" holds {}, expected {}", name, type.said, expected), option);
}

void bind_texts(const Type& schema, const ArrowColumns& columns, Binding& out) {
  std::vector<std::string> names = columns.text.value_or(std::vector<std::string>{"text"});
  if (names.empty()) throw Error(ErrorCode::usage, "no column is named as the text", kTextOption);
  const bool is_only = schema.children.size() == 1 && schema.children[0].kind != Kind::structure;
  if (!columns.text && is_only) names = {schema.children[0].name};
  for (const std::string& name : names) {
    Path path = is_only && !columns.text ? Path{name, {0}} : require(schema, name, kTextOption);
    const Type& type = type_at(schema, path);
    const bool is_tokens = is_token_list(type);
    if (is_tokens && names.size() > 1)
      refuse_type(name, type, "strings: only a single column can be sets of integers", kTextOption);
    if (!is_tokens && !is_text(type, false)) refuse_type(name, type, "strings", kTextOption);
    out.has_tokens = is_tokens;
    out.texts.push_back(
        {.path = std::move(path),
         .null = fmt::format("\"{}\" is null, expected {}", name, is_tokens ? "an array of integers" : "a string"),
         .damaged = fmt::format("\"{}\" is damaged: an offset or index leads nowhere", name),
         .mixed = fmt::format("\"{}\" has a null in it, expected integers", name),
         .too_long = fmt::format("\"{}\" is too long: more than 2 GiB or 4,194,304 parts", name)});
  }
}

void bind_id(const Type& schema, const ArrowColumns& columns, Binding& out) {
  const std::string name = columns.id.value_or("id");
  auto path = columns.id ? require(schema, name, kIdOption) : find_path(schema, name, kIdOption);
  if (!path) return;
  const Type& type = type_at(schema, *path);
  if (!is_field(type) || value_type(type).kind == Kind::boolean)
    refuse_type(name, type, "strings or numbers", kIdOption);
  out.id = Binding::Id{.path = *std::move(path),
                       .is_required = columns.id.has_value(),
                       .null = fmt::format("\"{}\" is null, expected a string or a number", name),
                       .empty = fmt::format("\"{}\" is empty", name),
                       .damaged = fmt::format("\"{}\" is damaged: an offset or index leads nowhere", name)};
}

}  // namespace

const Type& type_at(const Type& schema, const Path& path) {
  const Type* type = &schema;
  for (const std::size_t child : path.children) type = &type->children[child];
  return *type;
}

std::optional<Path> find_path(const Type& schema, const std::string& name, const char* option) {
  if (const auto column = find_child(schema, name, option)) return Path{name, {*column}};
  Path path{name, {}};
  const Type* type = &schema;
  for (std::size_t from = 0;;) {
    const std::size_t dot = name.find('.', from);
    if (type->kind != Kind::structure) return std::nullopt;
    const auto child = find_child(*type, std::string_view(name).substr(from, dot - from), option);
    if (!child) return std::nullopt;
    path.children.push_back(*child);
    if (dot == name.npos) return path;
    type = &type->children[*child];
    from = dot + 1;
  }
}

std::vector<std::string> Binding::columns(const Type& schema) const {
  std::vector<std::string> names;
  const auto add = [&](const Path& path) {
    const std::string& name = schema.children[path.children[0]].name;
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  };
  for (const Text& text : texts) add(text.path);
  if (id) add(id->path);
  for (const auto& field : fields) {
    if (field) add(*field);
  }
  return names;
}

bool Binding::reads_like(const Binding& other) const {
  const auto both_or_none = [](const std::optional<Path>& a, const std::optional<Path>& b) {
    return a.has_value() == b.has_value();
  };
  return has_tokens == other.has_tokens && id.has_value() == other.id.has_value() &&
         std::ranges::equal(fields, other.fields, both_or_none);
}

Binding bind_columns(const Type& schema, const ArrowColumns& columns, std::span<const std::string> fields) {
  Binding binding;
  bind_texts(schema, columns, binding);
  bind_id(schema, columns, binding);
  for (const std::string& field : fields) {
    auto path = find_path(schema, field, "");
    if (path && !is_field(type_at(schema, *path))) path.reset();
    binding.fields.push_back(std::move(path));
  }
  return binding;
}

bool has_field(const Type& schema, std::string_view name) {
  const auto path = find_path(schema, std::string(name), "");
  return path && is_field(type_at(schema, *path));
}

BoundCells::BoundCells(const Type& schema, const ArrowArray& array, const Path& path) {
  const Type* type = &schema;
  const ArrowArray* at = &array;
  for (const std::size_t child : path.children) {
    around_.push_back(check_structure(*type, *at, path.name));
    at = &check_child(*at, child, around_.back().offset + around_.back().length, path.name);
    type = &type->children[child];
  }
  cells_ = check_cells(*type, *at, path.name);
}

Found BoundCells::find(std::int64_t row, Cell& out) const {
  for (const Cells& structure : around_) {
    row += structure.offset;
    if (!structure.is_valid(row)) return Found::null;
  }
  return find_cell(cells_, row, out);
}

}  // namespace neardup::arrow
