// How do reports of several verbs say the same things in JSON?
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "base/json_writer.h"
#include "neardup/authority.h"
#include "neardup/collection.h"
#include "neardup/dedup.h"
#include "neardup/definition.h"
#include "neardup/report.h"

namespace neardup::report {

// What was odd about the records: bad ones, repaired texts, encodings, repeated ids.
void write_oddities(base::JsonWriter&, const ReadFacts&);
// As the object "definition"; `more` adds members to it.
void write_definition(base::JsonWriter&, const Definition&, const std::function<void(base::JsonWriter&)>& more = {});
void write_first_bad_records(base::JsonWriter&, const BadRecords&);
void write_recall(base::JsonWriter&, const std::optional<Recall>&);
void write_inputs(base::JsonWriter&, std::string_view name, const Collection&);
void write_authority(base::JsonWriter&, const AuthorityReport&);
// What was ignored, as the object "ignored".
void write_ignored(base::JsonWriter&, const IgnoreReport&);
// The limits that the user gave, as members.
void write_ignore_options(base::JsonWriter&, const IgnoreOptions&);
// How every report begins: which verb of which version it is of.
void write_head(base::JsonWriter&, std::string_view verb);
// The same for the record of a run: also the libraries, and how it was called.
void write_origin(base::JsonWriter&, std::string_view verb, const OutputOptions&);
void write_reading(base::JsonWriter&, const Collection&, OnBadRecord, std::uint64_t text_bytes);
// How the other collection was read, as the object "against_reading".
void write_against_reading(base::JsonWriter&, const Collection&);
// Stages, time and memory.
void write_run(base::JsonWriter&, const RunFacts&);

}  // namespace neardup::report
