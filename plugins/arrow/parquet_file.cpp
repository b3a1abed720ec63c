#include <arrow/api.h>
#include <parquet/arrow/reader.h>
#include <parquet/arrow/schema.h>
#include <parquet/file_reader.h>
#include <parquet/metadata.h>
#include <parquet/properties.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "column_file.h"
#include "failures.h"
#include "parquet_sink.h"
#include "program_files.h"

namespace neardup::arrow_plugin {
namespace {

// Read from the file at once, of each column: a row group may be larger than memory.
constexpr int64_t kBufferBytes = int64_t{1} << 20;
// More rows do not make a batch cheaper; dictionaries and nulls hide how large rows are.
constexpr int64_t kMostRows = 4096;
constexpr int64_t kCopiedBytes = int64_t{4} << 20;

void add_leaves(const parquet::arrow::SchemaField& field, std::vector<int>& out) {
  if (field.column_index >= 0) out.push_back(field.column_index);
  for (const parquet::arrow::SchemaField& child : field.children) add_leaves(child, out);
}

class ParquetFile final : public ColumnFile {
 public:
  explicit ParquetFile(std::unique_ptr<parquet::arrow::FileReader> reader)
      : reader_(std::move(reader)), metadata_(reader_->parquet_reader()->metadata()) {}

  arrow::Status open() {
    if (metadata_->is_encryption_algorithm_set())
      return refuse(NEARDUP_ENCRYPTED, "it is encrypted, and encrypted files are not read");
    int64_t rows = 0;
    for (int64_t group = 0; group < groups(); ++group) {
      if (group_rows(group) < 0 || group_rows(group) > metadata_->num_rows() - rows)
        return arrow::Status::Invalid("the footer contradicts itself: row group ", group + 1, " has ",
                                      group_rows(group), " rows of ", metadata_->num_rows());
      rows += group_rows(group);
    }
    return reader_->GetSchema(&schema_);
  }

  [[nodiscard]] std::string_view group_name() const override { return "row group"; }
  [[nodiscard]] int64_t groups() const override { return metadata_->num_row_groups(); }
  [[nodiscard]] int64_t group_rows(int64_t group) const override {
    return metadata_->RowGroup(static_cast<int>(group))->num_rows();
  }
  [[nodiscard]] std::shared_ptr<arrow::Schema> schema() const override { return schema_; }

  arrow::Result<std::shared_ptr<arrow::RecordBatchReader>> read_group(int64_t group, const Columns& columns,
                                                                      int64_t batch_bytes) override {
    std::vector<int> leaves;
    for (const int index : column_indices(*schema_, columns))
      add_leaves(reader_->manifest().schema_fields[static_cast<std::size_t>(index)], leaves);
    reader_->set_batch_size(rows_per_batch(group, leaves, batch_bytes));
    ARROW_ASSIGN_OR_RAISE(auto batches, reader_->GetRecordBatchReader({static_cast<int>(group)}, leaves));
    return std::shared_ptr<arrow::RecordBatchReader>(std::move(batches));
  }

  arrow::Result<std::shared_ptr<arrow::RecordBatchReader>> read_group_to_copy(int64_t group) override {
    return read_group(group, std::nullopt, kCopiedBytes);
  }

  [[nodiscard]] arrow::Result<std::unique_ptr<BatchSink>> create_like(
      const std::shared_ptr<arrow::Schema>& schema, bool /*as_stream*/,
      const std::shared_ptr<arrow::io::OutputStream>& out) const override {
    return create_parquet_like(*metadata_, *schema, out);
  }

 private:
  [[nodiscard]] int64_t rows_per_batch(int64_t group, const std::vector<int>& leaves, int64_t batch_bytes) const {
    const auto row_group = metadata_->RowGroup(static_cast<int>(group));
    double bytes = 0;
    for (const int leaf : leaves)
      bytes += static_cast<double>(std::max<int64_t>(row_group->ColumnChunk(leaf)->total_uncompressed_size(), 0));
    const double row_bytes = bytes / static_cast<double>(std::max<int64_t>(row_group->num_rows(), 1));
    const double rows = static_cast<double>(batch_bytes) / std::max(row_bytes, 1.0);
    return rows >= static_cast<double>(kMostRows) ? kMostRows : std::max<int64_t>(static_cast<int64_t>(rows), 1);
  }

  std::unique_ptr<parquet::arrow::FileReader> reader_;
  std::shared_ptr<parquet::FileMetaData> metadata_;
  std::shared_ptr<arrow::Schema> schema_;
};

bool speaks_of_encryption(const std::string& message) {
  return message.find("ncrypt") != message.npos || message.find("ecrypt") != message.npos;
}

}  // namespace

arrow::Result<std::unique_ptr<ColumnFile>> open_parquet(std::shared_ptr<arrow::io::RandomAccessFile> file) {
  std::unique_ptr<ParquetFile> out;
  const arrow::Status status = caught([&]() -> arrow::Status {
    parquet::ReaderProperties properties(reading_pool());
    properties.enable_buffered_stream();
    properties.set_buffer_size(kBufferBytes);
    parquet::ArrowReaderProperties arrow_properties;
    arrow_properties.set_pre_buffer(false);
    arrow_properties.set_use_threads(false);
    parquet::arrow::FileReaderBuilder builder;
    ARROW_RETURN_NOT_OK(builder.Open(std::move(file), properties));
    std::unique_ptr<parquet::arrow::FileReader> reader;
    ARROW_RETURN_NOT_OK(builder.memory_pool(reading_pool())->properties(arrow_properties)->Build(&reader));
    out = std::make_unique<ParquetFile>(std::move(reader));
    return out->open();
  });
  if (!status.ok() && speaks_of_encryption(status.message()))
    return refuse(NEARDUP_ENCRYPTED, "it is encrypted, and encrypted files are not read");
  ARROW_RETURN_NOT_OK(status);
  return out;
}

}  // namespace neardup::arrow_plugin
