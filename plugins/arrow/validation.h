// Can every position in this data be trusted?
#pragma once

#include <arrow/status.h>
#include <arrow/type_fwd.h>

namespace neardup::arrow_plugin {

// Checks what reading Arrow's own files does not look at: offsets within their buffers, indices within their
// dictionaries. Strings need not be valid UTF-8. Linear in the data.
arrow::Status validate(const arrow::RecordBatch&);

}  // namespace neardup::arrow_plugin
