// All that is decided before anything is read.
#pragma once

#include <vector>

#include "corpus/census.h"
#include "neardup/dedup.h"
#include "report/outputs.h"
#include "search/found.h"

namespace neardup::dedup {

struct Plan {
  const Collection& collection;
  const Collection* against;  // null: none
  KnownDocuments* known;      // null: none
  const DedupOptions& options;
  Definition definition;  // as it is applied
  std::vector<KeepRule> keep;
  bool is_given;  // the user brings the pairs
  bool searches;  // near-duplicates within the collection are looked for
  bool is_exact;  // by an exact search
  corpus::Separation separation;
  bool needs_scores;  // of removed documents with those that represent them, and names for all
  search::Wanted wanted;

  // Null where documents of all values are compared.
  [[nodiscard]] const corpus::Separation* separated() const { return separation.is_none() ? nullptr : &separation; }
};

// Throws Error{usage} when the options contradict each other or the collections.
Plan make_plan(const Collection&, const Collection* against, KnownDocuments*, const DedupOptions&,
               const report::Outputs&, const Context&);

}  // namespace neardup::dedup
