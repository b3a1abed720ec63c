// Pass one of `clean`: what has to be known of every document before any query is looked at.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "clean/bm25_index.h"
#include "clean/grouping.h"
#include "corpus/bad_records.h"
#include "clean/protection.h"
#include "corpus/census.h"
#include "corpus/units.h"
#include "neardup/clean.h"

namespace neardup::clean {

struct CleanReadRequest {
  const Collection& collection;
  const CleanOptions& options;
  const Definition& definition;
  const Protection& protection;
  corpus::BadRecordLog& bad;
  const clean::QueryTerms* terms = nullptr;  // of all queries; null: somebody else searches
};

struct CleanRead {
  corpus::ReadResult documents;          // every document is a unit of its own
  corpus::UnitTable sets;                // units: distinct features with their simhash, what is compared; has `bits`
  clean::Repository repository;  // authority only where a field holds it
  std::unique_ptr<clean::Bm25Index> index;
  std::vector<std::uint64_t> protected_by;  // word of --protect: how many documents it protects so far
};

CleanRead read_for_cleaning(const CleanReadRequest&, const Context&);

// Protects another document; counts it for the word.
void protect(CleanRead&, Row, std::uint32_t word);

}  // namespace neardup::clean
