// The first stage: documents with an equal key are the same, whatever their texts say.
//
// Keys are compared by 128-bit hashes: 16 bytes per document and key. With several keys the stages follow each other:
// each one sees what the one before it kept.
#pragma once

#include <cstdint>
#include <vector>

#include "base/row.h"
#include "dedup/plan.h"
#include "neardup/context.h"
#include "report/run_frame.h"
#include "search/against.h"

namespace neardup::dedup {

struct SameDocuments {
  PerRow<Row> kept_as;              // the document that is compared in its place; mostly itself
  PerRow<std::uint8_t> key;         // 1 + the number of the key that removed it; 0: none did
  std::vector<AgainstMatch> other;  // by row: the first document of the other collection with its key; no score (NaN)
  // Of the other collection; null: there is none.
  std::unique_ptr<const corpus::Corpus> other_corpus;

  [[nodiscard]] bool is_removed(Row row) const { return key[row] != 0; }
};

// Reads the collection once, and the other one.
SameDocuments find_same(const Plan&, report::RunFrame&, const Context&);

// Adds the matches by key, and those of documents whose representative has a match, to those that were found. Collects
// the names of partners where they are needed.
void add_key_matches(const Plan&, const SameDocuments&, search::Against&, const Context&);

// What takes no part in the search.
PerRow<bool> left_out(const SameDocuments*, const search::Against*, std::size_t rows);

// Clusters of all documents, from those of documents that took part.
Clusters with_same(const Clusters&, const SameDocuments&, const corpus::Units&);

}  // namespace neardup::dedup
