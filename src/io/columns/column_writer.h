// How are chosen rows of Parquet and Arrow files written?
#pragma once

#include <memory>

#include "io/output.h"

namespace neardup::io {

// Into one new file like that of `first`, row by row as they stood; `to` says which kind of Arrow. All sources that
// come must have the same columns.
std::unique_ptr<RecordWriter> make_column_writer(const Collection&, std::unique_ptr<ByteSink>, const Format& to,
                                                 const Source& first, const AddedFields&);

}  // namespace neardup::io
