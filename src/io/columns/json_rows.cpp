#include "io/columns/json_rows.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "arrow/json_rows.h"
#include "arrow/owned.h"
#include "io/annotations.h"
#include "neardup/error.h"

namespace neardup::io {

JsonRows::JsonRows(Collection collection, AddedFields added, Put put)
    : collection_(std::move(collection)),
      added_(std::move(added)),
      put_(std::move(put)),
      groups_(*impl_of(collection_).files, [this](auto&&... group) { put_group(group...); }) {}

void JsonRows::add(const RecordBatch& batch, std::span<const std::uint8_t> chosen,
                   std::span<const Annotation> annotations) {
  groups_.add(batch, chosen, annotations);
}

void JsonRows::flush() { groups_.flush(); }

void JsonRows::put_group(ColumnFile& file, std::int64_t group, std::span<const std::uint8_t> chosen,
                         std::span<const Annotation> annotations) {
  if (!annotations.empty()) refuse_added_columns(file.path(), file.column_names(), added_);
  try {
    arrow::Stream stream(file.read(std::nullopt, group, group + 1));
    const arrow::JsonSchema schema(stream.schema().get());
    std::string object;
    for (std::size_t at = 0;;) {
      const arrow::OwnedArray array = stream.next();
      if (array.empty()) break;
      const arrow::JsonBatch batch(schema, array.get());
      if (batch.rows() > chosen.size() - at) throw Error(ErrorCode::input, "it changed while it was read");
      for (std::size_t row = 0; row < batch.rows(); ++row, ++at) {
        if (chosen[at] == 0) continue;
        object.clear();
        batch.append(row, object);
        put_(object, annotations.empty() ? nullptr : &annotations[at]);
      }
    }
  } catch (const Error& error) {
    file.rethrow_read_error();
    throw Error(error.code(), fmt::format("{}: {}", file.path(), error.what()), error.option());
  }
}

}  // namespace neardup::io
