// Pass one of `clean`: what has to be known of every document before any query is looked at.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "clean/bm25_index.h"
#include "clean/grouping.h"
#include "dedup/bad_records.h"
#include "dedup/protection.h"
#include "dedup/read_pass.h"
#include "dedup/units.h"
#include "neardup/clean.h"

namespace neardup::dedup {

struct CleanReadRequest {
  const Collection& collection;
  const CleanOptions& options;
  const Definition& definition;
  const Protection& protection;
  BadRecordLog& bad;
  const clean::QueryTerms* terms = nullptr;  // of all queries; null: somebody else searches
};

struct CleanRead {
  ReadResult documents;          // every document is a unit of its own
  UnitTable sets;                // units: distinct features with their simhash, what is compared; has `bits`
  clean::Repository repository;  // authority only where a field holds it
  std::unique_ptr<clean::Bm25Index> index;
  std::vector<std::uint64_t> protected_by;  // word of --protect: how many documents it protects so far
};

CleanRead read_for_cleaning(const CleanReadRequest&, Context&);

// Protects another document; counts it for the word.
void protect(CleanRead&, Row, std::uint32_t word);

}  // namespace neardup::dedup
