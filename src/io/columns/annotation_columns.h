// What `annotate` adds, as Arrow columns.
#pragma once

#include <span>

#include "io/output.h"
#include "neardup/arrow.h"

namespace neardup::io {

// neardup_cluster (utf8, null in no cluster), neardup_kept (bool), neardup_score (float64, null where there is none).
ArrowSchema annotation_schema();
ArrowArray annotation_array(std::span<const Annotation>);  // a row for each

}  // namespace neardup::io
