// Files of the program, as Arrow sees them: whatever FileSystem, archive or spool they come from.
#pragma once

#include <arrow/io/interfaces.h>
#include <arrow/memory_pool.h>

#include <memory>

#include "plugin_abi.h"

namespace neardup::arrow_plugin {

// What is read goes here: jemalloc gives batch after batch the same pages, where others ask the system for new ones.
arrow::MemoryPool* reading_pool();

std::shared_ptr<arrow::io::RandomAccessFile> open_bytes(const NeardupBytes&);
std::shared_ptr<arrow::io::OutputStream> open_sink(const NeardupSink&);

}  // namespace neardup::arrow_plugin
