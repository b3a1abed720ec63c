// The first reading of a collection: what has to be known of every document before any pair can be looked for.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "corpus/bad_records.h"
#include "corpus/column.h"
#include "corpus/corpus.h"
#include "corpus/rarities.h"
#include "neardup/context.h"

namespace neardup::corpus {

// What makes two documents one unit: equal features, or nothing at all.
enum class UnitsAre { feature_sets, single_rows };

// Fields that keep documents apart: those of different values are never one unit, and never compared.
struct Separation {
  std::string by{};                     // empty: none. Documents without the field belong together
  std::vector<std::string> equal{};     // a document without one of these is compared with none
  std::vector<std::string> distinct{};  // likewise, but documents of different values are compared

  [[nodiscard]] bool is_none() const { return by.empty() && equal.empty() && distinct.empty(); }
};

struct CensusOptions {
  UnitsAre units = UnitsAre::feature_sets;
  const Rarities* rarities = nullptr;       // for Weights::tfidf
  const PerRow<bool>* set_aside = nullptr;  // documents that take no part; null: none
  const Separation* separation = nullptr;   // null: none
};

// Reads everything once and fills the columns on the way. Throws Error{limit} when what is kept of the records does not
// fit the memory that the context allows.
Corpus take_census(const Collection&, const Definition&, const CensusOptions&, BadRecordLog&, std::span<Column* const>,
                   const Context&);

}  // namespace neardup::corpus
