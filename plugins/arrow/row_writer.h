// How do chosen rows of files get into a new file?
#pragma once

#include <arrow/io/interfaces.h>
#include <arrow/type_fwd.h>

#include <cstdint>
#include <memory>

#include "column_file.h"

namespace neardup::arrow_plugin {

// Copies rows group by group. Memory: a piece of a group (Parquet) or one group (Arrow), and what the writer of the
// new file collects for one of its own groups. Threads: one at a time.
class RowWriter {
 public:
  // `added` may be null.
  static arrow::Result<std::unique_ptr<RowWriter>> open(const ColumnFile& like, bool as_stream,
                                                        const std::shared_ptr<arrow::io::OutputStream>&,
                                                        const std::shared_ptr<arrow::Schema>& added);

  // `chosen` has a number for each row of the group; `added` a row for each, or is null.
  arrow::Status write(ColumnFile& from, int64_t group, const uint8_t* chosen,
                      const std::shared_ptr<arrow::RecordBatch>& added);
  arrow::Status finish() { return sink_->finish(); }

 private:
  arrow::Status write_batch(const arrow::RecordBatch&, const uint8_t* chosen, const arrow::RecordBatch* added);
  arrow::Status write_rows(ColumnFile& from, int64_t group, const uint8_t* chosen,
                           const std::shared_ptr<arrow::RecordBatch>& added);

  std::shared_ptr<arrow::Schema> old_, new_;  // without and with what is added
  std::unique_ptr<BatchSink> sink_;
};

}  // namespace neardup::arrow_plugin
