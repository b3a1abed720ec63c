// How do pairs that somebody listed earlier come back?
#pragma once

#include <string>

#include "corpus/row_names.h"
#include "corpus/units.h"
#include "neardup/context.h"
#include "neardup/pair.h"

namespace neardup::search {

struct PairsFile {
  std::uint64_t pairs = 0;
  bool integer_scores = true;  // no score had decimals
};

// Reads a file as `pairs` writes it (left, right, score, further columns ignored; compressed or not) and hands the
// pairs to `sink` as units, the earlier row left. `names` are those of all rows that have a unit. Error{input} with the
// line for an id that no record has, a record paired with itself, or anything else that is no such file.
PairsFile read_pairs_file(const std::string& path, const corpus::RowTexts& names, const corpus::Units&, PairSink& sink,
                          const Context&);

}  // namespace neardup::search
