// Which fields can be added to records, and how are they added?
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "io/output.h"

namespace neardup::io {

AddedFields decision_fields();                       // neardup_cluster, neardup_kept, neardup_score
AddedField count_field();                            // neardup_count
AddedField collected_field(std::string_view field);  // neardup_removed_FIELD: a JSON array of texts

// Null when none is called so.
const AddedField* added_field(const AddedFields&, std::string_view name);
// Error{usage}: a record or file (`where`) has such a field already.
[[noreturn]] void refuse_added(const std::string& where, const AddedField&);
// The same when one of these columns is called so.
void refuse_added_columns(const std::string& path, std::span<const std::string> columns, const AddedFields&);

// The field that a JSON object has already; null when there is none.
const AddedField* added_field_in(std::string_view object, const AddedFields&);
// Adds the fields at the end of a JSON object.
void append_annotation(std::string& object, const AddedFields&, const Annotation&);

}  // namespace neardup::io
