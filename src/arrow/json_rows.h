// How is a whole row of Arrow data written as a JSON object?
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "arrow/cells.h"
#include "arrow/type.h"
#include "neardup/arrow.h"

namespace neardup::arrow {

// The columns of rows. Throws Error{usage} for one that JSON cannot say: bytes, maps, unions, durations, and two
// columns of one name.
class JsonSchema {
 public:
  explicit JsonSchema(const ArrowSchema&);
  [[nodiscard]] const Type& type() const { return type_; }

 private:
  Type type_;
};

// Rows of an array, which lives longer. Strings, numbers, booleans and nulls as JSON has them, dates and times as
// strings (scalars.h), lists as arrays, structures as objects.
class JsonBatch {
 public:
  // Throws Error{input} when the array does not fit.
  JsonBatch(const JsonSchema&, const ArrowArray&);
  [[nodiscard]] std::size_t rows() const { return static_cast<std::size_t>(root_.cells.length); }
  // Appends an object on one line. Throws Error{usage} for a number that JSON does not have, Error{input} for a damaged
  // cell.
  void append(std::size_t row, std::string& out) const;

 private:
  // Cells with all that is below them. Of dictionaries and runs, what is below is in the cells.
  struct Node {
    Cells cells;
    std::vector<Node> children{};
  };
  static Node make_node(const Type&, const ArrowArray&, const std::string& column);
  static void append_cell(const Node&, std::int64_t index, const std::string& column, std::string& out);
  static void append_members(const Node&, std::int64_t at, std::string& out);

  Node root_;
};

}  // namespace neardup::arrow
