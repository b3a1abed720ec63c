// How are columns of ours handed to others as an Arrow stream?
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "neardup/arrow.h"

namespace neardup::arrow {

struct ExportedColumn {
  const char* name;
  const char* format;
  bool is_nullable;
};

// A column of one batch. `owner` holds what the buffers are; it lives until the array is released.
struct ExportedData {
  std::vector<const void*> buffers;
  std::int64_t null_count = 0;
  std::shared_ptr<const void> owner;
};
struct ExportedBatch {
  std::int64_t rows = 0;
  std::vector<ExportedData> columns;
};

// Makes the batches of a stream. Threads: one at a time.
class Exporter {
 public:
  virtual ~Exporter() = default;
  [[nodiscard]] virtual std::vector<ExportedColumn> columns() const = 0;
  // Nothing at the end.
  virtual std::optional<ExportedBatch> next() = 0;
};

// What an exporter throws is the stream's error.
ArrowArrayStream export_stream(std::unique_ptr<Exporter>);

}  // namespace neardup::arrow
