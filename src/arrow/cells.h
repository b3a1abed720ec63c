// What stands in one cell of an Arrow array, when nothing about the array may be believed?
//
// Cells are made once an array: counts, lengths and pointers are checked then, and an array that does not fit its type
// is Error{input}. Offsets, views and indexes are checked when a cell is looked at; one that leads nowhere is a damaged
// cell and nothing worse. What the interface does not tell is the size of buffers: it follows from the array's length,
// and for strings from their last offset.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "arrow/type.h"

namespace neardup::arrow {

// Values of a buffer need not be aligned.
template <class T>
T load(const char* data, std::int64_t index) {
  T value;
  std::memcpy(&value, data + index * static_cast<std::int64_t>(sizeof(T)), sizeof(T));
  return value;
}

// The member of a message that says something.
inline bool is_said(std::string_view member) { return member == "content" || member == "text"; }

// Views into an array and a type, which live longer.
struct Cells {
  const Type* type = nullptr;
  std::int64_t offset = 0, length = 0;
  const std::uint8_t* validity = nullptr;  // null: every cell has a value
  const char* data = nullptr;              // values, offsets or views
  const char* sizes = nullptr;             // of list views; of the buffers that views lead into
  const char* bytes = nullptr;             // of strings
  std::int64_t first = 0, last = 0;        // of strings and lists: nothing lies before or behind
  const void* const* buffers = nullptr;    // that views lead into
  std::int64_t buffer_count = 0;
  std::vector<Cells> children{};  // of a structure only those that is_said()

  [[nodiscard]] bool is_valid(std::int64_t at) const {
    return validity == nullptr || (validity[at >> 3] >> (at & 7) & 1) != 0;
  }
};

// `column` is what messages call it.
Cells check_cells(const Type&, const ArrowArray&, const std::string& column);
// A structure alone, without its children.
Cells check_structure(const Type&, const ArrowArray&, const std::string& column);
// The child of a structure or list, of which `least` cells are needed.
const ArrowArray& check_child(const ArrowArray&, std::size_t child, std::int64_t least, const std::string& column);

enum class Found { value, null, damaged };

// A cell that has a value, of a type that is neither a dictionary nor runs.
struct Cell {
  const Cells* cells;
  std::int64_t at;  // in the buffers, the array's offset included
};

// The cell at `index` of the array, without its offset.
Found find_cell(const Cells&, std::int64_t index, Cell& out);

// Of Kind::text, text_view, fixed_bytes.
Found string_of(const Cell&, std::string_view& out);
inline bool is_string(Kind kind) { return kind == Kind::text || kind == Kind::text_view || kind == Kind::fixed_bytes; }
// Of integers, dates, times and timestamps: two's complement. Of integers without a sign: all 64 bits.
std::int64_t integer_of(const Cell&);

// The cells of a list: `begin` to `begin + count` of `cells`.
struct CellRange {
  const Cells* cells = nullptr;
  std::int64_t begin = 0, count = 0;
};
Found list_of(const Cell&, CellRange& out);

}  // namespace neardup::arrow
