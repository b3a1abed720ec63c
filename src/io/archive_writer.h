// How are records of web archives written?
#pragma once

#include <memory>

#include "io/output.h"

namespace neardup::io {

std::unique_ptr<RecordWriter> make_archive_writer(std::unique_ptr<ByteSink>);

}  // namespace neardup::io
