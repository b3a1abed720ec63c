// What is a record called in every output?
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "io/collection.h"

namespace neardup::dedup {

// The record's id or place; the second record with an id is `id#2`, and so on.
std::string name_of(const io::Source&, const io::RawRecord&, const std::string& key, std::uint32_t occurrence);

// Equal for records that would have the same name: of the key, or of the place when there is none (elements of a JSON
// array can share a line). Never 0.
std::uint64_t name_hash(const io::Source&, const io::RawRecord&, std::string_view key);

// Tabs, newlines and backslashes as \t, \n, \\: what TSV files hold.
std::string escape_tsv(std::string_view);

// The input is not what it was in an earlier pass over it.
[[noreturn]] void throw_changed(const io::Source&);
// Stands for the records of a batch, whatever the batches around it; summed over a pass it stands for the collection.
std::uint64_t content_hash(const io::RecordBatch&);
// Throws when a later pass met other records than the first one did.
void check_unchanged(const Collection&, std::uint64_t content, std::uint64_t expected);

}  // namespace neardup::dedup
