// Which documents of one collection are near something in another, and near what?
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "corpus/rarities.h"
#include "corpus/units.h"
#include "neardup/context.h"
#include "neardup/dedup.h"
#include "neardup/definition.h"
#include "neardup/document.h"

namespace neardup::search {

// The best partner of a document: the highest score, and among equals the first.
struct AgainstMatch {
  Row row;    // in the collection that is cleaned
  Row other;  // in the one it is held against
  double score;
};

struct AgainstResult {
  std::vector<AgainstMatch> matches;  // by row
  std::vector<bool> left_out;         // by row: has a match
  corpus::Names names;                        // of the others, when wanted
  std::uint64_t records = 0;          // of the other collection, bad ones included
  std::uint64_t candidates = 0;
  std::string parameters;        // of the finder, or the algorithm
  std::optional<Recall> recall;  // for finders that may miss pairs: on both collections together
  BadRecords bad;                // of the other collection

  [[nodiscard]] const AgainstMatch* of(Row) const;
  void save(base::StateWriter&) const;
  void load(base::StateReader&);
};

struct AgainstRequest {
  const Collection& collection;
  const Collection& other;
  const Definition& definition;
  const DedupOptions& options;
  const corpus::Rarities* rarities = nullptr;  // for Weights::tfidf
  bool wants_names = false;            // of the partners
};

AgainstResult match_against(const AgainstRequest&, const Context&);

}  // namespace neardup::search
