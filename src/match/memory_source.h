// Fingerprints in the caller's memory, read like those of a file.
#pragma once

#include <memory>
#include <string>

#include "io/fps/source.h"
#include "neardup/fingerprint.h"

namespace neardup::matching {

// The view must outlive the source. Its records have no ids; `name` is for messages. Throws Error{usage} for spans of
// different sizes, Error{limit} for 2^32 rows.
std::unique_ptr<io::FingerprintSource> source_of(const FingerprintsView&, std::string name);

}  // namespace neardup::matching
