// What do files of columns have in common, whether Parquet or Arrow?
#pragma once

#include <arrow/io/interfaces.h>
#include <arrow/record_batch.h>
#include <arrow/type_fwd.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace neardup::arrow_plugin {

// Top-level columns by name; absent: all.
using Columns = std::optional<std::vector<std::string>>;
std::vector<int> column_indices(const arrow::Schema&, const Columns&);  // in the order of the file

// The end of the way of rows into a new file of some kind.
class BatchSink {
 public:
  virtual ~BatchSink() = default;
  virtual arrow::Status write(const arrow::RecordBatch&) = 0;
  virtual arrow::Status finish() = 0;
};

// Threads: one at a time.
class ColumnFile {
 public:
  virtual ~ColumnFile() = default;
  [[nodiscard]] virtual std::string_view group_name() const = 0;  // "row group"
  [[nodiscard]] virtual int64_t groups() const = 0;
  [[nodiscard]] virtual int64_t group_rows(int64_t group) const = 0;
  [[nodiscard]] virtual std::shared_ptr<arrow::Schema> schema() const = 0;
  // The rows of a group, in batches of about so many bytes.
  virtual arrow::Result<std::shared_ptr<arrow::RecordBatchReader>> read_group(int64_t group, const Columns&,
                                                                              int64_t batch_bytes) = 0;
  // The same for rows that are copied: what Arrow does not check by itself when it reads is checked.
  virtual arrow::Result<std::shared_ptr<arrow::RecordBatchReader>> read_group_to_copy(int64_t group) = 0;
  // A new file with this file's codecs and groups; Arrow's own may become a stream. `schema` begins with the columns
  // of this file.
  [[nodiscard]] virtual arrow::Result<std::unique_ptr<BatchSink>> create_like(
      const std::shared_ptr<arrow::Schema>& schema, bool as_stream,
      const std::shared_ptr<arrow::io::OutputStream>&) const = 0;

  int64_t failed_group = -1;
};

arrow::Result<std::unique_ptr<ColumnFile>> open_parquet(std::shared_ptr<arrow::io::RandomAccessFile>);
arrow::Result<std::unique_ptr<ColumnFile>> open_arrow_file(std::shared_ptr<arrow::io::RandomAccessFile>);
arrow::Result<std::unique_ptr<ColumnFile>> open_arrow_stream(std::shared_ptr<arrow::io::RandomAccessFile>);

// "row group 3 (rows 2001 to 3000)": numbers from 1, for people.
std::string describe_group(const ColumnFile&, int64_t group);

// All groups from the first to the one before the last, one after the other. A failure says where.
std::shared_ptr<arrow::RecordBatchReader> read_groups(ColumnFile&, Columns, int64_t first, int64_t end,
                                                      int64_t batch_bytes);

// A batch in pieces of about so many bytes, without a copy.
std::shared_ptr<arrow::RecordBatchReader> in_pieces(std::shared_ptr<arrow::RecordBatch>, int64_t batch_bytes);

}  // namespace neardup::arrow_plugin
