// What does a finished run tell its user?
#pragma once

#include <string>

#include "neardup/dedup.h"
#include "neardup/fingerprint.h"

namespace neardup::cli {

// For people, several lines.
std::string describe(const DedupReport&, const DedupOptions&);
std::string describe(const FingerprintReport&, const FingerprintOptions&);

}  // namespace neardup::cli
