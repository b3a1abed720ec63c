// What does a finished run tell its user?
#pragma once

#include <string>

#include "neardup/clean.h"
#include "neardup/decontaminate.h"
#include "neardup/dedup.h"
#include "neardup/fingerprint.h"
#include "neardup/match.h"
#include "neardup/pairs.h"
#include "neardup/text.h"
#include "neardup/trim.h"

namespace neardup::cli {

// For people, several lines.
std::string describe(const DedupReport&, const DedupOptions&);
std::string describe(const PairsReport&, const PairsListOptions&);
std::string describe(const FingerprintReport&, const FingerprintFileOptions&);
struct AskedMatch {
  const MatchOptions& options;
  const MatchFiles& files;
};
std::string describe(const MatchReport&, const AskedMatch&);
std::string describe(const CleanReport&, const CleanOptions&);
std::string describe(const TextReport&, const TextOptions&);
std::string describe(const TrimReport&, const TrimOptions&);
std::string describe(const DecontaminateReport&, const DecontaminateOptions&);
// The first bad records, a line each; empty when there were none.
std::string describe(const BadRecords&);

}  // namespace neardup::cli
