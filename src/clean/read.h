// The census of `clean`: what has to be known of every document before any query is looked at.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "clean/bm25_index.h"
#include "clean/grouping.h"
#include "clean/protection.h"
#include "clean/query_log.h"
#include "corpus/bad_records.h"
#include "corpus/corpus.h"
#include "corpus/kept_sets.h"
#include "neardup/clean.h"

namespace neardup::clean {

// What is asked for, and what follows from it.
struct CleanPlan {
  const Collection& collection;
  const CleanOptions& options;
  Definition definition;  // what decides
  Protection protection;
  bool names_all = false;  // authority.tsv and results.run name every document
};

struct CleanRead {
  corpus::Corpus corpus;  // units: distinct features with their simhash, which is what is compared; has `bits`
  corpus::KeptSets kept;  // of the units
  Repository repository;  // authority only where a field holds it
  std::unique_ptr<Bm25Index> index;
  Reservation memory;                       // for repository and index
  std::vector<std::uint64_t> protected_by;  // by word of CleanPolicy::protect: how many documents it protects so far

  // Protects another document; counts it for the word.
  void protect(DocumentNumber, std::uint32_t word);
};

CleanRead read_for_cleaning(const CleanPlan&, const QueryLog&, corpus::BadRecordLog&, const Context&);

}  // namespace neardup::clean
