#include "arrow/cells.h"

#include <fmt/format.h>

#include <algorithm>

#include "neardup/error.h"

namespace neardup::arrow {
namespace {

constexpr std::int64_t kMostCells = std::int64_t{1} << 48;  // positions in bytes stay far below 2^63
constexpr std::int64_t kInlineView = 12;                    // bytes of a string that stand in the view itself

[[noreturn]] void refuse(const std::string& column, std::string_view why) {
  throw Error(ErrorCode::input, fmt::format("the Arrow data of column \"{}\" is not valid: {}", column, why));
}

// Buffers that an array of a kind has at least.
std::int64_t buffers_of(Kind kind) {
  switch (kind) {
    case Kind::null:
    case Kind::runs:
    case Kind::unread:
      return 0;
    case Kind::structure:
    case Kind::fixed_list:
      return 1;
    case Kind::text:
    case Kind::text_view:
    case Kind::list_view:
      return 3;
    default:
      return 2;
  }
}

const char* buffer(const ArrowArray& array, std::int64_t i) { return static_cast<const char*>(array.buffers[i]); }

std::int64_t load_integer(const char* data, std::int64_t at, std::int64_t width, bool is_signed) {
  switch (width) {
    case 1:
      return is_signed ? load<std::int8_t>(data, at) : load<std::uint8_t>(data, at);
    case 2:
      return is_signed ? load<std::int16_t>(data, at) : load<std::uint16_t>(data, at);
    case 4:
      return is_signed ? load<std::int32_t>(data, at) : std::int64_t{load<std::uint32_t>(data, at)};
    default:
      return load<std::int64_t>(data, at);
  }
}

Cells check_counts(const Type& type, const ArrowArray& array, const std::string& column) {
  if (array.length < 0 || array.offset < 0 || array.length > kMostCells || array.offset > kMostCells)
    refuse(column, fmt::format("length {}, offset {}", array.length, array.offset));
  const std::int64_t expected = buffers_of(type.kind);
  if (array.n_buffers < expected) refuse(column, fmt::format("{} buffers, expected {}", array.n_buffers, expected));
  if (expected > 0 && array.buffers == nullptr) refuse(column, "its buffers are missing");
  Cells cells;
  cells.type = &type;
  cells.offset = array.offset;
  cells.length = array.length;
  if (expected > 0) cells.validity = static_cast<const std::uint8_t*>(array.buffers[0]);
  return cells;
}

// The first and the last offset of strings and lists; `most` is what they may lead to.
void check_offsets(Cells& cells, std::int64_t most, const std::string& column) {
  if (cells.length == 0) return;
  const std::int64_t width = cells.type->width;
  cells.first = load_integer(cells.data, cells.offset, width, true);
  cells.last = load_integer(cells.data, cells.offset + cells.length, width, true);
  if (cells.first < 0 || cells.last < cells.first || cells.last > most)
    refuse(column, fmt::format("offsets from {} to {}", cells.first, cells.last));
}

void check_view_buffers(const ArrowArray& array, Cells& cells, const std::string& column) {
  cells.buffer_count = array.n_buffers - 3;
  cells.buffers = array.buffers + 2;
  cells.sizes = buffer(array, array.n_buffers - 1);
  if (cells.buffer_count > 0 && cells.sizes == nullptr) refuse(column, "the sizes of its buffers are missing");
}

void check_children(const ArrowArray& array, Cells& cells, const std::string& column) {
  const std::vector<Type>& types = cells.type->children;
  const std::int64_t end = cells.offset + cells.length;
  const auto add = [&](std::size_t child, std::int64_t least) {
    cells.children.push_back(check_cells(types[child], check_child(array, child, least, column), column));
  };
  switch (cells.type->kind) {
    case Kind::list:
      add(0, 0);
      return check_offsets(cells, cells.children[0].length, column);
    case Kind::list_view:
      cells.sizes = buffer(array, 2);
      if (cells.length > 0 && cells.sizes == nullptr) refuse(column, "the sizes of its lists are missing");
      return add(0, 0);
    case Kind::fixed_list: {
      std::int64_t least = 0;
      if (__builtin_mul_overflow(end, cells.type->width, &least)) refuse(column, "it is too long");
      return add(0, least);
    }
    case Kind::structure:
      for (std::size_t child = 0; child < types.size(); ++child) {
        if (is_said(types[child].name)) add(child, end);
      }
      return;
    case Kind::runs:
      add(0, 0);
      add(1, cells.children[0].length);
      return;
    case Kind::dictionary:
      if (array.dictionary == nullptr) refuse(column, "its dictionary is missing");
      cells.children.push_back(check_cells(types[0], *array.dictionary, column));
      return;
    default:
      return;
  }
}

// Where a run that covers the position has its value.
Found find_run(const Cells& cells, std::int64_t at, std::int64_t& out) {
  const Cells& ends = cells.children[0];
  const auto end_of = [&](std::int64_t run) {
    return load_integer(ends.data, ends.offset + run, ends.type->width, true);
  };
  std::int64_t low = 0, high = ends.length;
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    if (end_of(middle) <= at) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  out = low;
  return low < ends.length ? Found::value : Found::damaged;
}

}  // namespace

const ArrowArray& check_child(const ArrowArray& array, std::size_t child, std::int64_t least,
                              const std::string& column) {
  if (array.n_children <= static_cast<std::int64_t>(child) || array.children == nullptr ||
      array.children[child] == nullptr) {
    refuse(column, fmt::format("{} children, expected more", array.n_children));
  }
  const ArrowArray& found = *array.children[child];
  if (found.length < least) refuse(column, fmt::format("a child of length {}, expected {}", found.length, least));
  return found;
}

Cells check_structure(const Type& type, const ArrowArray& array, const std::string& column) {
  return check_counts(type, array, column);
}

Cells check_cells(const Type& type, const ArrowArray& array, const std::string& column) {
  Cells cells = check_counts(type, array, column);
  if (buffers_of(type.kind) > 1) {
    cells.data = buffer(array, 1);
    const bool is_needed = cells.length > 0 && (type.kind != Kind::fixed_bytes || type.width > 0);
    if (is_needed && cells.data == nullptr) refuse(column, "a buffer is missing");
  }
  if (type.kind == Kind::text) {
    check_offsets(cells, INT64_MAX, column);
    cells.bytes = buffer(array, 2);
    if (cells.bytes == nullptr && cells.last > cells.first) refuse(column, "the bytes of its strings are missing");
  }
  if (type.kind == Kind::text_view) check_view_buffers(array, cells, column);
  check_children(array, cells, column);
  return cells;
}

Found find_cell(const Cells& cells, std::int64_t index, Cell& out) {
  const Cells* here = &cells;
  for (;;) {
    if (index < 0 || index >= here->length) return Found::damaged;
    const std::int64_t at = here->offset + index;
    const Kind kind = here->type->kind;
    if (kind == Kind::null || kind == Kind::unread) return Found::null;
    if (kind == Kind::runs) {
      if (find_run(*here, at, index) == Found::damaged) return Found::damaged;
      here = &here->children[1];
      continue;
    }
    if (!here->is_valid(at)) return Found::null;
    if (kind != Kind::dictionary) {
      out = {here, at};
      return Found::value;
    }
    index = load_integer(here->data, at, here->type->width, here->type->is_signed);
    here = &here->children[0];
  }
}

Found string_of(const Cell& cell, std::string_view& out) {
  const Cells& cells = *cell.cells;
  const std::int64_t width = cells.type->width;
  const auto view = [&out](const char* data, std::int64_t size) {
    out = {data, static_cast<std::size_t>(size)};
    return Found::value;
  };
  if (cells.type->kind == Kind::fixed_bytes) return view(width == 0 ? "" : cells.data + cell.at * width, width);
  if (cells.type->kind == Kind::text) {
    const std::int64_t begin = load_integer(cells.data, cell.at, width, true);
    const std::int64_t end = load_integer(cells.data, cell.at + 1, width, true);
    if (begin < cells.first || end < begin || end > cells.last) return Found::damaged;
    return begin == end ? view("", 0) : view(cells.bytes + begin, end - begin);
  }
  const char* const head = cells.data + cell.at * width;  // length, then the string itself or prefix, buffer, offset
  const std::int64_t size = load<std::int32_t>(head, 0);
  if (size < 0) return Found::damaged;
  if (size <= kInlineView) return view(head + sizeof(std::int32_t), size);
  const std::int64_t buffer = load<std::int32_t>(head, 2), offset = load<std::int32_t>(head, 3);
  if (buffer < 0 || buffer >= cells.buffer_count || offset < 0 || cells.buffers[buffer] == nullptr ||
      offset + size > load<std::int64_t>(cells.sizes, buffer)) {
    return Found::damaged;
  }
  return view(static_cast<const char*>(cells.buffers[buffer]) + offset, size);
}

std::int64_t integer_of(const Cell& cell) {
  return load_integer(cell.cells->data, cell.at, cell.cells->type->width, cell.cells->type->is_signed);
}

Found list_of(const Cell& cell, CellRange& out) {
  const Cells& cells = *cell.cells;
  const std::int64_t width = cells.type->width;
  out.cells = &cells.children[0];
  if (cells.type->kind == Kind::fixed_list) {
    out.begin = cell.at * width;
    out.count = width;
    return Found::value;
  }
  out.begin = load_integer(cells.data, cell.at, width, true);
  if (cells.type->kind == Kind::list) {
    const std::int64_t end = load_integer(cells.data, cell.at + 1, width, true);
    if (out.begin < cells.first || end < out.begin || end > cells.last) return Found::damaged;
    out.count = end - out.begin;
    return Found::value;
  }
  out.count = load_integer(cells.sizes, cell.at, width, true);
  const bool fits =
      out.begin >= 0 && out.begin <= out.cells->length && out.count >= 0 && out.count <= out.cells->length - out.begin;
  return fits ? Found::value : Found::damaged;
}

}  // namespace neardup::arrow
