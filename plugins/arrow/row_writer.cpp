#include "row_writer.h"

#include <arrow/api.h>
#include <arrow/array/concatenate.h>
#include <arrow/compute/api_vector.h>

#include <algorithm>
#include <utility>

#include "failures.h"

namespace neardup::arrow_plugin {
namespace {

arrow::Result<std::shared_ptr<arrow::Array>> mask_of(const uint8_t* chosen, int64_t rows) {
  arrow::BooleanBuilder builder;
  ARROW_RETURN_NOT_OK(builder.Reserve(rows));
  for (int64_t row = 0; row < rows; ++row) builder.UnsafeAppend(chosen[row] != 0);
  return builder.Finish();
}

// For types that Arrow does not filter (string views): the runs of chosen rows, one behind the other.
arrow::Result<std::shared_ptr<arrow::Array>> join_runs(const arrow::Array& column, const uint8_t* chosen) {
  arrow::ArrayVector runs;
  for (int64_t row = 0; row < column.length();) {
    if (chosen[row] == 0) {
      ++row;
      continue;
    }
    int64_t end = row + 1;
    while (end < column.length() && chosen[end] != 0) ++end;
    runs.push_back(column.Slice(row, end - row));
    row = end;
  }
  return arrow::Concatenate(runs);
}

arrow::Result<std::shared_ptr<arrow::Array>> select(const std::shared_ptr<arrow::Array>& column, const uint8_t* chosen,
                                                    const std::shared_ptr<arrow::Array>& mask) {
  auto filtered = arrow::compute::Filter(column, mask);
  if (filtered.ok()) return filtered->make_array();
  if (!filtered.status().IsNotImplemented()) return filtered.status();
  return join_runs(*column, chosen);
}

}  // namespace

arrow::Result<std::unique_ptr<RowWriter>> RowWriter::open(const ColumnFile& like, bool as_stream,
                                                          const std::shared_ptr<arrow::io::OutputStream>& out,
                                                          const std::shared_ptr<arrow::Schema>& added) {
  auto writer = std::make_unique<RowWriter>();
  writer->old_ = like.schema();
  arrow::FieldVector fields = writer->old_->fields();
  if (added != nullptr) fields.insert(fields.end(), added->fields().begin(), added->fields().end());
  writer->new_ = arrow::schema(std::move(fields), writer->old_->endianness(), writer->old_->metadata());
  ARROW_ASSIGN_OR_RAISE(writer->sink_, like.create_like(writer->new_, as_stream, out));
  return writer;
}

arrow::Status RowWriter::write(ColumnFile& from, int64_t group, const uint8_t* chosen,
                               const std::shared_ptr<arrow::RecordBatch>& added) {
  if (!from.schema()->Equals(*old_, /*check_metadata=*/false))
    return refuse(NEARDUP_UNSUITABLE, "its columns differ from those of the files before it");
  const arrow::Status status = caught([&] { return write_rows(from, group, chosen, added); });
  return status.ok() ? status : in_front(describe_group(from, group), status);
}

arrow::Status RowWriter::write_rows(ColumnFile& from, int64_t group, const uint8_t* chosen,
                                    const std::shared_ptr<arrow::RecordBatch>& added) {
  const int64_t rows = from.group_rows(group);
  ARROW_ASSIGN_OR_RAISE(const auto batches, from.read_group_to_copy(group));
  int64_t at = 0;
  for (std::shared_ptr<arrow::RecordBatch> batch;; at += batch->num_rows()) {
    ARROW_RETURN_NOT_OK(batches->ReadNext(&batch));
    if (batch == nullptr) break;
    if (batch->num_rows() > rows - at) return arrow::Status::Invalid("it has more rows than it says");
    const auto part = added == nullptr ? nullptr : added->Slice(at, batch->num_rows());
    ARROW_RETURN_NOT_OK(write_batch(*batch, chosen + at, part.get()));
  }
  return at == rows ? arrow::Status::OK() : arrow::Status::Invalid("it has fewer rows than it says");
}

arrow::Status RowWriter::write_batch(const arrow::RecordBatch& batch, const uint8_t* chosen,
                                     const arrow::RecordBatch* added) {
  const int64_t rows = batch.num_rows();
  const int64_t kept = std::count_if(chosen, chosen + rows, [](uint8_t number) { return number != 0; });
  if (kept == 0) return arrow::Status::OK();
  arrow::ArrayVector columns = batch.columns();
  if (added != nullptr) columns.insert(columns.end(), added->columns().begin(), added->columns().end());
  if (kept != rows) {
    ARROW_ASSIGN_OR_RAISE(const auto mask, mask_of(chosen, rows));
    for (auto& column : columns) {
      ARROW_ASSIGN_OR_RAISE(column, select(column, chosen, mask));
    }
  }
  return sink_->write(*arrow::RecordBatch::Make(new_, kept, std::move(columns)));
}

}  // namespace neardup::arrow_plugin
