// How is a Parquet file written that looks like another one?
#pragma once

#include <arrow/io/interfaces.h>
#include <parquet/metadata.h>

#include <memory>

#include "column_file.h"

namespace neardup::arrow_plugin {

// Format version, key-value metadata (that of `schema`), sorting columns, rows per row group, and of every column
// codec, dictionary, encoding, statistics and page index are those of `like`, as its footer tells them. Levels of
// codecs, page sizes and bloom filters are not told and are Arrow's defaults.
arrow::Result<std::unique_ptr<BatchSink>> create_parquet_like(const parquet::FileMetaData& like,
                                                              const arrow::Schema& schema,
                                                              const std::shared_ptr<arrow::io::OutputStream>&);

}  // namespace neardup::arrow_plugin
