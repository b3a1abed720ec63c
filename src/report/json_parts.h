// How do reports of several verbs say the same things in JSON?
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_writer.h"
#include "neardup/authority.h"
#include "neardup/dedup.h"
#include "neardup/definition.h"
#include "neardup/document.h"

namespace neardup::report {

void write_encodings(base::JsonWriter&, const std::vector<EncodingCount>&);
// The members of a definition; the caller begins and ends the object.
void write_definition(base::JsonWriter&, const Definition&);
void write_first_bad_records(base::JsonWriter&, const BadRecords&);
void write_inputs(base::JsonWriter&, std::string_view name, const Collection&);
void write_authority(base::JsonWriter&, const AuthorityReport&);
// This program, and how it was called.
void write_origin(base::JsonWriter&, const std::vector<std::string>& command_line);
void write_reading(base::JsonWriter&, const Collection&, OnBadRecord, std::uint64_t text_bytes);
void write_stages(base::JsonWriter&, const std::vector<StageTime>&);

}  // namespace neardup::report
