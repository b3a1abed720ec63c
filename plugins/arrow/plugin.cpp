// The table of functions that the program calls.
#include <arrow/api.h>
#include <arrow/c/bridge.h>
#include <arrow/util/config.h>

#include <memory>
#include <utility>

#include "column_file.h"
#include "failures.h"
#include "plugin_abi.h"
#include "program_files.h"
#include "remote_calls.h"
#include "row_writer.h"

using neardup::arrow_plugin::ColumnFile;
using neardup::arrow_plugin::Columns;
using neardup::arrow_plugin::RowWriter;

struct NeardupColumnFile {
  std::unique_ptr<ColumnFile> file;
};
struct NeardupRowWriter {
  std::shared_ptr<arrow::Schema> added;  // null: no columns are added
  std::unique_ptr<RowWriter> writer;
};

namespace neardup::arrow_plugin {
namespace {

arrow::Result<std::unique_ptr<ColumnFile>> open_kind(int32_t kind, const NeardupBytes& bytes) {
  switch (kind) {
    case NEARDUP_PARQUET:
      return open_parquet(open_bytes(bytes));
    case NEARDUP_ARROW_FILE:
      return open_arrow_file(open_bytes(bytes));
    case NEARDUP_ARROW_STREAM:
      return open_arrow_stream(open_bytes(bytes));
    default:
      return refuse(NEARDUP_BUG, "there is no such kind of file");
  }
}

int open_file(int32_t kind, const NeardupBytes* bytes, NeardupColumnFile** out, NeardupError* error) {
  return guarded(error, [&]() -> arrow::Status {
    auto opened = std::make_unique<NeardupColumnFile>();
    ARROW_ASSIGN_OR_RAISE(opened->file, open_kind(kind, *bytes));
    *out = opened.release();
    return arrow::Status::OK();
  });
}

void close_file(NeardupColumnFile* file) { delete file; }
int64_t groups(const NeardupColumnFile* file) { return file->file->groups(); }
int64_t group_rows(const NeardupColumnFile* file, int64_t group) { return file->file->group_rows(group); }
int64_t failed_group(const NeardupColumnFile* file) { return file->file->failed_group; }

int schema(const NeardupColumnFile* file, ArrowSchema* out, NeardupError* error) {
  return guarded(error, [&] { return arrow::ExportSchema(*file->file->schema(), out); });
}

int read(NeardupColumnFile* file, const char* const* columns, int64_t n_columns, int64_t first_group, int64_t end_group,
         int64_t batch_bytes, ArrowArrayStream* out, NeardupError* error) {
  return guarded(error, [&] {
    Columns wanted;
    if (columns != nullptr) wanted.emplace(columns, columns + n_columns);
    file->file->failed_group = -1;
    return arrow::ExportRecordBatchReader(
        read_groups(*file->file, std::move(wanted), first_group, end_group, batch_bytes), out);
  });
}

int open_writer(const NeardupColumnFile* like, int32_t kind, const NeardupSink* sink, ArrowSchema* added,
                NeardupRowWriter** out, NeardupError* error) {
  return guarded(error, [&]() -> arrow::Status {
    auto opened = std::make_unique<NeardupRowWriter>();
    if (added != nullptr) {
      ARROW_ASSIGN_OR_RAISE(opened->added, arrow::ImportSchema(added));
    }
    ARROW_ASSIGN_OR_RAISE(opened->writer,
                          RowWriter::open(*like->file, kind == NEARDUP_ARROW_STREAM, open_sink(*sink), opened->added));
    *out = opened.release();
    return arrow::Status::OK();
  });
}

int write_group(NeardupRowWriter* writer, NeardupColumnFile* from, int64_t group, const uint8_t* chosen,
                ArrowArray* added, NeardupError* error) {
  return guarded(error, [&]() -> arrow::Status {
    std::shared_ptr<arrow::RecordBatch> rows;
    if (added != nullptr) {
      ARROW_ASSIGN_OR_RAISE(rows, arrow::ImportRecordBatch(added, writer->added));
    }
    return writer->writer->write(*from->file, group, chosen, rows);
  });
}

int finish_writer(NeardupRowWriter* writer, NeardupError* error) {
  return guarded(error, [&] { return caught([&] { return writer->writer->finish(); }); });
}
void close_writer(NeardupRowWriter* writer) { delete writer; }

constexpr NeardupArrowPlugin kPlugin{.abi = NEARDUP_ARROW_ABI,
                                     .arrow_version = ARROW_VERSION_STRING,
                                     .open_file = open_file,
                                     .close_file = close_file,
                                     .groups = groups,
                                     .group_rows = group_rows,
                                     .schema = schema,
                                     .read = read,
                                     .failed_group = failed_group,
                                     .open_writer = open_writer,
                                     .write_group = write_group,
                                     .finish_writer = finish_writer,
                                     .close_writer = close_writer,
                                     .remote_info = remote_info,
                                     .remote_list = remote_list,
                                     .remote_open = remote_open,
                                     .remote_read_at = remote_read_at,
                                     .remote_close = remote_close,
                                     .remote_create = remote_create,
                                     .remote_write = remote_write,
                                     .remote_finish = remote_finish,
                                     .remote_discard = remote_discard,
                                     .remote_remove = remote_remove};

}  // namespace
}  // namespace neardup::arrow_plugin

extern "C" __attribute__((visibility("default"))) const NeardupArrowPlugin* neardup_arrow_plugin() {
  return &neardup::arrow_plugin::kPlugin;
}
