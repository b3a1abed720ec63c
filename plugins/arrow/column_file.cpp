#include "column_file.h"

#include <arrow/api.h>
#include <arrow/util/byte_size.h>

#include <algorithm>
#include <utility>

#include "failures.h"

namespace neardup::arrow_plugin {
namespace {

class GroupsReader final : public arrow::RecordBatchReader {
 public:
  GroupsReader(ColumnFile& file, Columns columns, int64_t first, int64_t end, int64_t batch_bytes)
      : file_(file), columns_(std::move(columns)), next_(first), end_(end), batch_bytes_(batch_bytes) {
    arrow::FieldVector fields;
    for (const int index : column_indices(*file.schema(), columns_)) fields.push_back(file.schema()->field(index));
    schema_ = arrow::schema(std::move(fields));
  }

  [[nodiscard]] std::shared_ptr<arrow::Schema> schema() const override { return schema_; }

  arrow::Status ReadNext(std::shared_ptr<arrow::RecordBatch>* out) override {
    const arrow::Status status = caught([&] { return read(out); });
    if (status.ok()) return status;
    file_.failed_group = next_ - 1;
    return in_front(describe_group(file_, next_ - 1), status);
  }

 private:
  arrow::Status read(std::shared_ptr<arrow::RecordBatch>* out) {
    for (;;) {
      if (group_ == nullptr) {
        if (next_ >= end_) {
          out->reset();
          return arrow::Status::OK();
        }
        left_ = file_.group_rows(next_);
        ARROW_ASSIGN_OR_RAISE(group_, file_.read_group(next_++, columns_, batch_bytes_));
      }
      ARROW_RETURN_NOT_OK(group_->ReadNext(out));
      if (*out != nullptr) {
        left_ -= (*out)->num_rows();
        if (left_ < 0) return arrow::Status::Invalid("it has more rows than it says");
        return arrow::Status::OK();
      }
      if (left_ != 0) return arrow::Status::Invalid("it has fewer rows than it says");
      group_.reset();
    }
  }

  ColumnFile& file_;
  Columns columns_;
  int64_t next_, end_, batch_bytes_;
  int64_t left_ = 0;  // rows of the group that are still to come
  std::shared_ptr<arrow::Schema> schema_;
  std::shared_ptr<arrow::RecordBatchReader> group_;
};

class PiecesReader final : public arrow::RecordBatchReader {
 public:
  PiecesReader(std::shared_ptr<arrow::RecordBatch> batch, int64_t rows) : batch_(std::move(batch)), rows_(rows) {}
  [[nodiscard]] std::shared_ptr<arrow::Schema> schema() const override { return batch_->schema(); }
  arrow::Status ReadNext(std::shared_ptr<arrow::RecordBatch>* out) override {
    out->reset();
    if (at_ < batch_->num_rows()) *out = batch_->Slice(at_, rows_);
    at_ += rows_;
    return arrow::Status::OK();
  }

 private:
  std::shared_ptr<arrow::RecordBatch> batch_;
  int64_t rows_, at_ = 0;
};

}  // namespace

std::vector<int> column_indices(const arrow::Schema& schema, const Columns& columns) {
  std::vector<int> indices;
  for (int i = 0; i < schema.num_fields(); ++i) {
    const bool is_wanted = !columns || std::ranges::find(*columns, schema.field(i)->name()) != columns->end();
    if (is_wanted) indices.push_back(i);
  }
  return indices;
}

std::string describe_group(const ColumnFile& file, int64_t group) {
  int64_t first = 1;
  for (int64_t i = 0; i < group; ++i) first += file.group_rows(i);
  return std::string(file.group_name()) + " " + std::to_string(group + 1) + " (rows " + std::to_string(first) + " to " +
         std::to_string(first + file.group_rows(group) - 1) + ")";
}

std::shared_ptr<arrow::RecordBatchReader> read_groups(ColumnFile& file, Columns columns, int64_t first, int64_t end,
                                                      int64_t batch_bytes) {
  return std::make_shared<GroupsReader>(file, std::move(columns), first, end, batch_bytes);
}

std::shared_ptr<arrow::RecordBatchReader> in_pieces(std::shared_ptr<arrow::RecordBatch> batch, int64_t batch_bytes) {
  const int64_t rows = std::max<int64_t>(batch->num_rows(), 1);
  const int64_t row_bytes = std::max<int64_t>(arrow::util::TotalBufferSize(*batch) / rows, 1);
  return std::make_shared<PiecesReader>(std::move(batch), std::clamp<int64_t>(batch_bytes / row_bytes, 1, rows));
}

}  // namespace neardup::arrow_plugin
