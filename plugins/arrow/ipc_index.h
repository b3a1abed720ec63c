// Where are the record batches of an Arrow file or stream, and how are they written?
#pragma once

#include <arrow/io/interfaces.h>
#include <arrow/result.h>
#include <arrow/util/compression.h>

#include <cstdint>
#include <vector>

namespace neardup::arrow_plugin {

struct IpcIndex {
  std::vector<int64_t> rows;  // of each record batch
  arrow::Compression::type codec = arrow::Compression::UNCOMPRESSED;
};

// Reads the headers of all messages from `begin` to the end of the stream, and no bodies. Ends without an error where
// the file ends between two messages.
arrow::Result<IpcIndex> index_messages(arrow::io::RandomAccessFile&, int64_t begin);

}  // namespace neardup::arrow_plugin
