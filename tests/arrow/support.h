// Reading a source whole, as text that a test can compare.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "base/document_text.h"
#include "neardup/arrow.h"
#include "support/arrow_arrays.h"
#include "support/scratch.h"

namespace neardup::test {

struct Row {
  std::string key{}, text{}, problem{};  // problem: empty when it is a document
  std::vector<std::optional<std::string>> fields{};
  std::vector<std::uint64_t> tokens{};
  bool operator==(const Row&) const = default;
};

inline std::vector<Row> read_rows(const DocumentSource& source, const std::vector<std::string>& fields = {},
                                  std::size_t* batches = nullptr) {
  std::vector<Row> rows;
  const auto reader = source.open(fields);
  while (const auto batch = reader->next()) {
    if (batches != nullptr) ++*batches;
    for (std::size_t place = 0; place < batch->size(); ++place) {
      DocumentView view;
      Row& row = rows.emplace_back();
      if (const char* problem = batch->get(place, view)) {
        row.problem = problem;
        continue;
      }
      Document document;
      base::copy_document(view, document);
      row.key = view.key;
      row.text = document.text;
      row.fields = document.fields;
      row.tokens = document.tokens;
    }
  }
  return rows;
}

// Both kinds of sources over the same batches must show the same rows, whether arrays are held or spooled, and release
// everything.
inline std::vector<Row> rows_of(const std::vector<Column>& batches, const ArrowColumns& columns = {},
                                const std::vector<std::string>& fields = {}) {
  const ScratchFolder scratch;
  const Alive alive = count_alive();
  std::vector<Row> rows;
  {
    const auto source = arrow_documents(factory_of(batches, alive), columns);
    rows = read_rows(*source, fields);
    EXPECT_EQ(read_rows(*source, fields), rows) << "another reading";
  }
  EXPECT_EQ(*alive, 0) << "released";
  for (const std::size_t memory : {std::size_t{0}, std::size_t{4}}) {  // a quarter of 4 bytes holds nothing
    const Context context{.memory_bytes = memory, .temp_folder = scratch.path()};
    const auto source = arrow_documents(stream_of(batches, alive), columns, fields, context);
    EXPECT_EQ(read_rows(*source, fields), rows) << memory;
    EXPECT_EQ(read_rows(*source, fields), rows) << memory << ", another reading";
  }
  EXPECT_EQ(*alive, 0) << "released";
  return rows;
}

inline std::vector<std::string> texts_of(const std::vector<Row>& rows) {
  std::vector<std::string> out;
  for (const Row& row : rows) out.push_back(row.problem.empty() ? row.text : "BAD: " + row.problem);
  return out;
}
inline std::vector<std::string> keys_of(const std::vector<Row>& rows) {
  std::vector<std::string> out;
  for (const Row& row : rows) out.push_back(row.problem.empty() ? row.key : "BAD: " + row.problem);
  return out;
}
// The values of one field; "-" where it is absent.
inline std::vector<std::string> field_texts(const Column& column) {
  const Column text = strings(Strings(static_cast<std::size_t>(column.length), "x"));
  std::vector<std::string> out;
  for (const Row& row : rows_of({table({text, column.named("f")})}, {}, {"f"}))
    out.push_back(row.fields[0].value_or("-"));
  return out;
}

}  // namespace neardup::test
