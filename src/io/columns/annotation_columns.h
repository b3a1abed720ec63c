// Added fields as Arrow columns.
#pragma once

#include <span>

#include "io/output.h"
#include "neardup/arrow.h"

namespace neardup::io {

// Texts and JSON are utf8, numbers float64, integers int64; all may be null, but for booleans. The fields live as long.
ArrowSchema annotation_schema(const AddedFields&);
ArrowArray annotation_array(const AddedFields&, std::span<const Annotation>);  // a row for each

}  // namespace neardup::io
