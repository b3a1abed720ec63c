// What `annotate` adds to records.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "io/output.h"

namespace neardup::io {

inline constexpr std::array<std::string_view, 3> kAnnotationFields{"neardup_cluster", "neardup_kept", "neardup_score"};

bool is_annotation_field(std::string_view name);

// Error{usage}: a record or file (`where`) has such a field already.
[[noreturn]] void refuse_annotated(const std::string& where, std::string_view field);
// The same when one of these columns is called so.
void refuse_annotated_columns(const std::string& path, std::span<const std::string> columns);

// The field of our own that a JSON object has already; empty when there is none.
std::string_view annotation_field_in(std::string_view object);
// Adds the fields at the end of a JSON object.
void append_annotation(std::string& object, const Annotation&);

}  // namespace neardup::io
