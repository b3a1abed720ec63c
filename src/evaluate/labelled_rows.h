// How are the rows of a file read whose columns are not known beforehand?
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "evaluate/shapes.h"
#include "neardup/context.h"

namespace neardup::evaluation {

// The rows of one file, one after the other.
class LabelledRows {
 public:
  virtual ~LabelledRows() = default;
  virtual bool next() = 0;
  // Of the current row; nothing where it has no such column, or an empty cell.
  [[nodiscard]] virtual std::optional<std::string> get(std::string_view column) const = 0;
  // The ids of a list; of a row that is a list itself, `column` is empty. Nothing where it is not a list.
  [[nodiscard]] virtual std::optional<std::vector<std::string>> list(std::string_view column) const = 0;
  [[nodiscard]] virtual std::uint64_t number() const = 0;  // of the row, from 1
  // A header names it; only known of files of our own.
  [[nodiscard]] virtual bool has_column(std::string_view) const { return false; }
};

// Rows whose shape is one of `shapes`, which it returns; the first row is the next one. Throws Error{input} when it is
// none of them.
struct RecognisedRows {
  std::unique_ptr<LabelledRows> rows;
  const FileShape* shape;
};
RecognisedRows recognise(const std::string& path, std::string_view format, const Context&);

}  // namespace neardup::evaluation
