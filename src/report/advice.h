// What should users know about a collection that does not suit what they asked for?
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "corpus/corpus.h"
#include "neardup/collection.h"
#include "neardup/context.h"
#include "neardup/report.h"

namespace neardup::report {

// Each is a warning for people; empty when there is nothing to say.

// Many documents have nothing to compare.
std::string no_words_warning(const corpus::Corpus&);

// Most texts have no more words than a shingle, so that only equal texts can match. In small collections that is worth
// saying only when nothing was found.
std::string short_texts_warning(std::span<const corpus::Corpus> sides, std::uint64_t found);

// For a message about a field that no record has: which fields the first record has, and which of them may be meant.
// Reads no further than the first record.
std::string other_fields(const Collection&, const std::string& field, const Context&);

}  // namespace neardup::report
