// Pairs that the user brings, in a file as `list_pairs` writes it.
#pragma once

#include "corpus/row_names.h"
#include "dedup/find.h"
#include "dedup/plan.h"

namespace neardup::dedup {

// Reads DedupOptions::pairs, for documents whose names are known: TSV, CSV or JSONL with left, right, score, further
// columns ignored; compressed or not. Pairs that do not reach DedupOptions::pairs_threshold are passed over.
// Error{input} with the line for an id that no record has, a record paired with itself, or anything else that is not
// such a file.
void read_pairs_file(const DedupOptions&, const corpus::Units&, FindResult& result, const Context&);

}  // namespace neardup::dedup
