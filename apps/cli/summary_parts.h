// What do the summaries of several verbs say in the same words?
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "neardup/authority.h"
#include "neardup/collection.h"
#include "neardup/dedup.h"
#include "neardup/definition.h"

namespace neardup::cli {

// Each is one line or several, or empty when there is nothing to say.
std::string bad_count(const BadRecords&, const char* what_became_of_them);
std::string without_features(std::uint64_t count, const FeatureSpec&, const char* what_became_of_them);
// Which texts were taken to be in another encoding than UTF-8.
std::string describe(const std::vector<EncodingCount>&);
// What was not as it should be, and was put right.
std::string mended(std::uint64_t repaired_texts, std::uint64_t repeated_ids);
// Pages of which all text was used, as no main text was found.
std::string whole_pages(std::uint64_t count);
// Requests and metadata of web archives.
std::string describe(const CompanionRecords&);
// Where authority came from.
std::string describe(const AuthorityReport&);
std::string what_was_written(const OutputOptions&, const std::vector<std::string>& paths);

// "words:5, jaccard >= 0.8"
std::string describe(const Definition&);

}  // namespace neardup::cli
