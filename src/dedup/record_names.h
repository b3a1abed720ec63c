// What is a record called in every output?
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "io/collection.h"

namespace neardup::dedup {

// The record's id or place; the second record with an id is `id#2`, and so on.
std::string name_of(const io::Source&, const io::RawRecord&, const std::string& key, std::uint32_t occurrence);

// Tabs, newlines and backslashes as \t, \n, \\: what TSV files hold.
std::string escape_tsv(std::string_view);

// The input is not what it was in an earlier pass over it.
[[noreturn]] void throw_changed(const io::Source&);
// Throws when a pass met fewer records than the first one did.
void check_rows(const Collection&, std::uint64_t rows_read, std::uint64_t rows_expected);

}  // namespace neardup::dedup
