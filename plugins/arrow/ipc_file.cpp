// Arrow's own files: IPC files, which have an index, and IPC streams, which are read from the beginning.
#include <arrow/api.h>
#include <arrow/ipc/reader.h>
#include <arrow/ipc/writer.h>
#include <arrow/util/compression.h>

#include <limits>
#include <utility>

#include "column_file.h"
#include "failures.h"
#include "ipc_index.h"
#include "program_files.h"
#include "validation.h"

namespace neardup::arrow_plugin {
namespace {

constexpr int64_t kWhole = std::numeric_limits<int64_t>::max();
constexpr int64_t kFileStart = 8;  // behind ARROW1 and its padding

arrow::ipc::IpcReadOptions read_options(const arrow::Schema& schema, const Columns& columns) {
  arrow::ipc::IpcReadOptions options;
  options.use_threads = false;
  options.memory_pool = reading_pool();
  options.ensure_alignment = arrow::ipc::Alignment::kDataTypeSpecificAlignment;
  if (columns) options.included_fields = column_indices(schema, columns);
  return options;
}

class IpcSink final : public BatchSink {
 public:
  explicit IpcSink(std::shared_ptr<arrow::ipc::RecordBatchWriter> writer) : writer_(std::move(writer)) {}
  arrow::Status write(const arrow::RecordBatch& batch) override { return writer_->WriteRecordBatch(batch); }
  arrow::Status finish() override { return writer_->Close(); }

 private:
  std::shared_ptr<arrow::ipc::RecordBatchWriter> writer_;
};

class IpcFile : public ColumnFile {
 public:
  IpcFile(std::shared_ptr<arrow::io::RandomAccessFile> file, IpcIndex index, std::shared_ptr<arrow::Schema> schema)
      : file_(std::move(file)), index_(std::move(index)), schema_(std::move(schema)) {}

  [[nodiscard]] std::string_view group_name() const override { return "record batch"; }
  [[nodiscard]] int64_t groups() const override { return static_cast<int64_t>(index_.rows.size()); }
  [[nodiscard]] int64_t group_rows(int64_t group) const override {
    return index_.rows[static_cast<std::size_t>(group)];
  }
  [[nodiscard]] std::shared_ptr<arrow::Schema> schema() const override { return schema_; }

  arrow::Result<std::shared_ptr<arrow::RecordBatchReader>> read_group(int64_t group, const Columns& columns,
                                                                      int64_t batch_bytes) override {
    ARROW_ASSIGN_OR_RAISE(auto batch, read(group, columns));
    // No columns are asked for as no fields, which means all.
    if (columns) {
      const std::vector<int> wanted = column_indices(*batch->schema(), columns);
      ARROW_ASSIGN_OR_RAISE(batch, batch->SelectColumns(wanted));
    }
    ARROW_RETURN_NOT_OK(batch->Validate());
    return in_pieces(std::move(batch), batch_bytes);
  }

  arrow::Result<std::shared_ptr<arrow::RecordBatchReader>> read_group_to_copy(int64_t group) override {
    ARROW_ASSIGN_OR_RAISE(auto batch, read(group, std::nullopt));
    ARROW_RETURN_NOT_OK(validate(*batch));
    return in_pieces(std::move(batch), kWhole);
  }

  [[nodiscard]] arrow::Result<std::unique_ptr<BatchSink>> create_like(
      const std::shared_ptr<arrow::Schema>& schema, bool as_stream,
      const std::shared_ptr<arrow::io::OutputStream>& out) const override {
    arrow::ipc::IpcWriteOptions options;
    options.use_threads = false;
    if (index_.codec != arrow::Compression::UNCOMPRESSED) {
      ARROW_ASSIGN_OR_RAISE(options.codec, arrow::util::Codec::Create(index_.codec));
    }
    ARROW_ASSIGN_OR_RAISE(auto writer, as_stream ? arrow::ipc::MakeStreamWriter(out, schema, options)
                                                 : arrow::ipc::MakeFileWriter(out, schema, options, footer_metadata()));
    return std::make_unique<IpcSink>(std::move(writer));
  }

 protected:
  // The record batch with at least these columns.
  virtual arrow::Result<std::shared_ptr<arrow::RecordBatch>> read(int64_t group, const Columns&) = 0;
  [[nodiscard]] virtual std::shared_ptr<const arrow::KeyValueMetadata> footer_metadata() const { return nullptr; }

  std::shared_ptr<arrow::io::RandomAccessFile> file_;

 private:
  IpcIndex index_;
  std::shared_ptr<arrow::Schema> schema_;
};

class ArrowFile final : public IpcFile {
 public:
  ArrowFile(std::shared_ptr<arrow::io::RandomAccessFile> file, IpcIndex index,
            std::shared_ptr<arrow::ipc::RecordBatchFileReader> whole)
      : IpcFile(std::move(file), std::move(index), whole->schema()), whole_(std::move(whole)) {}

 private:
  arrow::Result<std::shared_ptr<arrow::RecordBatch>> read(int64_t group, const Columns& columns) override {
    if (!columns) return whole_->ReadRecordBatch(static_cast<int>(group));
    if (part_ == nullptr || columns != part_columns_) {
      ARROW_ASSIGN_OR_RAISE(part_,
                            arrow::ipc::RecordBatchFileReader::Open(file_, read_options(*whole_->schema(), columns)));
      part_columns_ = columns;
    }
    return part_->ReadRecordBatch(static_cast<int>(group));
  }
  [[nodiscard]] std::shared_ptr<const arrow::KeyValueMetadata> footer_metadata() const override {
    return whole_->metadata();
  }

  std::shared_ptr<arrow::ipc::RecordBatchFileReader> whole_, part_;
  Columns part_columns_;
};

class ArrowStream final : public IpcFile {
 public:
  using IpcFile::IpcFile;

 private:
  arrow::Result<std::shared_ptr<arrow::RecordBatch>> read(int64_t group, const Columns& columns) override {
    if (reader_ == nullptr || group < next_ || columns != columns_) {
      ARROW_RETURN_NOT_OK(file_->Seek(0));
      ARROW_ASSIGN_OR_RAISE(reader_,
                            arrow::ipc::RecordBatchStreamReader::Open(file_, read_options(*schema(), columns)));
      columns_ = columns;
      next_ = 0;
    }
    std::shared_ptr<arrow::RecordBatch> batch;
    for (; next_ <= group; ++next_) {
      ARROW_RETURN_NOT_OK(reader_->ReadNext(&batch));
      if (batch == nullptr) return arrow::Status::Invalid("it is not there");
    }
    return batch;
  }

  std::shared_ptr<arrow::ipc::RecordBatchStreamReader> reader_;
  Columns columns_;
  int64_t next_ = 0;
};

}  // namespace

arrow::Result<std::unique_ptr<ColumnFile>> open_arrow_file(std::shared_ptr<arrow::io::RandomAccessFile> file) {
  arrow::ipc::IpcReadOptions options = read_options(arrow::Schema({}), std::nullopt);
  ARROW_ASSIGN_OR_RAISE(auto reader, arrow::ipc::RecordBatchFileReader::Open(file, options));
  ARROW_ASSIGN_OR_RAISE(IpcIndex index, index_messages(*file, kFileStart));
  if (index.rows.size() != static_cast<std::size_t>(reader->num_record_batches()))
    return arrow::Status::Invalid("the footer names ", reader->num_record_batches(), " record batches, but there are ",
                                  index.rows.size());
  return std::make_unique<ArrowFile>(std::move(file), std::move(index), std::move(reader));
}

arrow::Result<std::unique_ptr<ColumnFile>> open_arrow_stream(std::shared_ptr<arrow::io::RandomAccessFile> file) {
  ARROW_ASSIGN_OR_RAISE(IpcIndex index, index_messages(*file, 0));
  ARROW_RETURN_NOT_OK(file->Seek(0));
  ARROW_ASSIGN_OR_RAISE(const auto reader,
                        arrow::ipc::RecordBatchStreamReader::Open(file, read_options(arrow::Schema({}), std::nullopt)));
  return std::make_unique<ArrowStream>(file, std::move(index), reader->schema());
}

}  // namespace neardup::arrow_plugin
