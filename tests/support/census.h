// Corpora of tiny collections.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "corpus/bad_records.h"
#include "corpus/census.h"
#include "corpus/column.h"
#include "io/collection.h"
#include "support/scratch.h"

namespace neardup::test {

// Batches of a few records, so that every collection has several.
inline Collection open_in_small_batches(const std::vector<std::string>& paths, const Context& context) {
  return io::open_collection(paths, {}, context, 64);
}

inline corpus::Corpus census_of(const Collection& collection, const Definition& definition,
                                const std::vector<corpus::Column*>& columns, const Context& context,
                                const corpus::CensusOptions& options = {}) {
  corpus::BadRecordLog bad(OnBadRecord::skip, {}, {});
  return corpus::take_census(collection, definition, options, bad, columns, context);
}

}  // namespace neardup::test
