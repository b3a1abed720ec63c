// Which columns of a stream are the texts, the id and the fields that were asked for?
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "arrow/cells.h"
#include "arrow/type.h"

namespace neardup::arrow {

// A column, or a member of structures: which child to take at each level, from the columns on.
struct Path {
  std::string name;
  std::vector<std::size_t> children;
};
const Type& type_at(const Type& schema, const Path&);

// Where a name leads; nothing when it leads nowhere. Throws Error{usage} about `option` when it is ambiguous.
std::optional<Path> find_path(const Type& schema, const std::string& name, const char* option);

// What is read, and what is said of rows that do not have it.
struct Binding {
  struct Text {
    Path path;
    std::string null, damaged, mixed, too_long;
  };
  struct Id {
    Path path;
    bool is_required = false;
    std::string null, empty, damaged;
  };
  std::vector<Text> texts;
  bool has_tokens = false;  // the one text is a list of integers
  std::optional<Id> id;
  std::vector<std::optional<Path>> fields;  // absent: no document has it

  // The columns that have to be there, each once.
  [[nodiscard]] std::vector<std::string> columns(const Type& schema) const;
  // Finds the same kind of documents with the same fields.
  [[nodiscard]] bool reads_like(const Binding&) const;
};
// Throws Error{usage} for a column that is not there, or does not hold what it should.
Binding bind_columns(const Type& schema, const ArrowColumns&, std::span<const std::string> fields);

// Whether a field of that name can have a value.
bool has_field(const Type& schema, std::string_view name);

// One column of an array.
class BoundCells {
 public:
  BoundCells(const Type& schema, const ArrowArray& array, const Path& path);
  // Null also where a structure around it is.
  [[nodiscard]] Found find(std::int64_t row, Cell& out) const;

 private:
  std::vector<Cells> around_;  // structures, the outermost first
  Cells cells_;
};

}  // namespace neardup::arrow
