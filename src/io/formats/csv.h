// What is a row of a CSV or TSV file? (RFC 4180, with a header; the separator is a comma or a tab unless the user says
// otherwise.)
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/record.h"

namespace neardup::io {

// How fields are distinguished.
struct CsvDialect {
  char separator = ',';
  char quote = '"';  // NUL: there are no quotes, and every line end ends a row
};

// RecordBatch::shared of these formats.
struct CsvHeader {
  std::string raw;  // unchanged, its line end included; empty: there is none, and columns are called 1, 2, 3, ...
  CsvDialect dialect;
  std::vector<std::string> names;
  std::optional<std::string> repeated;  // a name that two columns have
};

inline const CsvHeader& csv_header(const RecordBatch& batch) {
  return *static_cast<const CsvHeader*>(batch.shared.get());
}

// Cuts `row` into at most `most` unquoted fields, reusing the strings of `out`. Returns nullptr, or why the row is bad.
const char* split_csv_row(std::string_view row, CsvDialect, std::size_t most, std::vector<std::string>& out);

// Appends one field, in quotes when it needs them. Throws Error{usage} where it does and there are none.
void append_csv_field(std::string& out, std::string_view field, CsvDialect);

}  // namespace neardup::io
