// The census of `clean`: what has to be known of every document before any query is looked at.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "clean/bm25_index.h"
#include "clean/grouping.h"
#include "clean/protection.h"
#include "corpus/bad_records.h"
#include "corpus/corpus.h"
#include "neardup/clean.h"

namespace neardup::clean {

struct CleanReadRequest {
  const Collection& collection;
  const CleanOptions& options;
  const Definition& definition;
  const Protection& protection;
  corpus::BadRecordLog& bad;
  const QueryTerms* terms = nullptr;  // of all queries; null: somebody else searches
};

struct CleanRead {
  corpus::Corpus corpus;  // units: distinct features with their simhash, which is what is compared; has `bits`
  Repository repository;  // authority only where a field holds it
  std::unique_ptr<Bm25Index> index;
  Reservation memory;                       // for repository and index
  std::vector<std::uint64_t> protected_by;  // by word of CleanPolicy::protect: how many documents it protects so far

  // Protects another document; counts it for the word.
  void protect(DocumentNumber, std::uint32_t word);
};

CleanRead read_for_cleaning(const CleanReadRequest&, const Context&);

}  // namespace neardup::clean
