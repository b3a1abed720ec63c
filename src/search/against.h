// Which documents of one collection are near something in another, and near what?
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/state.h"
#include "corpus/census.h"
#include "corpus/rarities.h"
#include "corpus/row_names.h"
#include "neardup/collection.h"
#include "neardup/context.h"
#include "neardup/dedup.h"
#include "neardup/definition.h"
#include "neardup/known.h"
#include "search/ignore.h"

namespace neardup::search {

struct Against {
  std::vector<AgainstMatch> matches;  // by row
  PerRow<bool> set_aside;             // has a match
  corpus::RowTexts names;             // of the others, when wanted
  Ignored ignored;                    // over both collections
  std::uint64_t records = 0;          // of the other collection, bad ones included
  std::uint64_t candidates = 0;
  std::string parameters;        // of the finder, or the algorithm
  std::optional<Recall> recall;  // for finders that may miss pairs: on both collections together
  BadRecords bad;                // of the other collection

  [[nodiscard]] const AgainstMatch& of(Row) const;  // precondition: the row is set aside
  void save(base::StateWriter&) const;
  void load(base::StateReader&);
};

struct AgainstRequest {
  const Collection& collection;
  const Collection& other;
  const Definition& definition;
  const DedupOptions& options;
  const corpus::Rarities* rarities = nullptr;  // for Weights::tfidf
  bool wants_names = false;                    // of the partners
  const corpus::Separation* separation = nullptr;
};

// The same for documents that are known: `other` counts their keys, which are the names.
Against find_known(const Collection&, const KnownDocuments&, OnBadRecord, const Context&);

Against find_against(const AgainstRequest&, const Context&);

}  // namespace neardup::search
