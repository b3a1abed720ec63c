// Files of the program, as Arrow sees them: whatever FileSystem, archive or spool they come from.
#pragma once

#include <arrow/io/interfaces.h>

#include <memory>

#include "plugin_abi.h"

namespace neardup::arrow_plugin {

std::shared_ptr<arrow::io::RandomAccessFile> open_bytes(const NeardupBytes&);
std::shared_ptr<arrow::io::OutputStream> open_sink(const NeardupSink&);

}  // namespace neardup::arrow_plugin
