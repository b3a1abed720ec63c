#include "arrow/json_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "arrow/scalars.h"
#include "base/json.h"
#include "neardup/error.h"

namespace neardup::arrow {
namespace {

[[noreturn]] void refuse_in_json(const std::string& column, std::string_view why) {
  throw Error(ErrorCode::usage, fmt::format("column \"{}\" {}, which JSON cannot say", column, why), "output");
}

[[noreturn]] void refuse_damaged(const std::string& column) {
  throw Error(ErrorCode::input, fmt::format("the Arrow data of column \"{}\" is not valid", column));
}

bool is_bytes(const Type& type) { return type.kind == Kind::fixed_bytes || type.said.find("binary") != type.said.npos; }

void check_type(const Type& type, const std::string& column) {
  const Type& value = value_type(type);
  const bool is_nested = value.is_list() || value.kind == Kind::structure;
  if (is_bytes(value) || value.kind == Kind::unread || (&value != &type && is_nested))
    refuse_in_json(column, fmt::format("holds {}", type.said));
  if (value.kind == Kind::structure) {
    for (auto child = value.children.begin(); child != value.children.end(); ++child) {
      const auto is_same = [&](const Type& other) { return other.name == child->name; };
      if (std::any_of(value.children.begin(), child, is_same))
        refuse_in_json(child->name, "has the name of another one");
      check_type(*child, &type == &value && column.empty() ? child->name : fmt::format("{}.{}", column, child->name));
    }
  } else if (value.is_list()) {
    check_type(value.children[0], column);
  }
}

bool is_quoted(Kind kind) { return kind == Kind::date || kind == Kind::time || kind == Kind::timestamp; }

}  // namespace

JsonSchema::JsonSchema(const ArrowSchema& schema) : type_(parse_schema(schema)) { check_type(type_, ""); }

JsonBatch::JsonBatch(const JsonSchema& schema, const ArrowArray& array) : root_(make_node(schema.type(), array, "")) {}

JsonBatch::Node JsonBatch::make_node(const Type& type, const ArrowArray& array, const std::string& column) {
  if (type.kind == Kind::structure) {
    Node node{check_structure(type, array, column)};
    const std::int64_t end = node.cells.offset + node.cells.length;
    for (std::size_t i = 0; i < type.children.size(); ++i) {
      const std::string& name = type.children[i].name;
      node.children.push_back(make_node(type.children[i], check_child(array, i, end, name), name));
    }
    return node;
  }
  Node node{check_cells(type, array, column)};
  if (type.is_list()) node.children.push_back(make_node(type.children[0], check_child(array, 0, 0, column), column));
  return node;
}

void JsonBatch::append(std::size_t row, std::string& out) const {
  append_members(root_, root_.cells.offset + static_cast<std::int64_t>(row), out);
}

void JsonBatch::append_members(const Node& node, std::int64_t at, std::string& out) {
  out += '{';
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    const std::string& name = node.cells.type->children[i].name;
    if (i != 0) out += ',';
    base::append_json_string(out, name);
    out += ':';
    append_cell(node.children[i], at, name, out);
  }
  out += '}';
}

void JsonBatch::append_cell(const Node& node, std::int64_t index, const std::string& column, std::string& out) {
  Cell cell{};
  const Found found = find_cell(node.cells, index, cell);
  if (found == Found::damaged) refuse_damaged(column);
  if (found == Found::null) {
    out += "null";
    return;
  }
  const Kind kind = cell.cells->type->kind;
  if (is_string(kind)) {
    std::string_view text;
    if (string_of(cell, text) == Found::damaged) refuse_damaged(column);
    base::append_json_string(out, text);
  } else if (kind == Kind::structure) {
    append_members(node, cell.at, out);
  } else if (cell.cells->type->is_list()) {
    CellRange range;
    if (list_of(cell, range) == Found::damaged) refuse_damaged(column);
    out += '[';
    for (std::int64_t i = 0; i < range.count; ++i) {
      if (i != 0) out += ',';
      append_cell(node.children[0], range.begin + i, column, out);
    }
    out += ']';
  } else {
    if (is_quoted(kind)) out += '"';
    if (!append_scalar(cell, out)) refuse_in_json(column, "holds NaN or an infinite number");
    if (is_quoted(kind)) out += '"';
  }
}

}  // namespace neardup::arrow
