// How do pairs that somebody listed earlier come back?
#pragma once

#include <string>

#include "corpus/row_names.h"
#include "neardup/context.h"
#include "neardup/pair.h"

namespace neardup::search {

struct PairsFile {
  std::uint64_t pairs = 0;
  bool integer_scores = true;  // no score had decimals
};

// Reads a file as `pairs` writes it (left, right, score, further columns ignored; compressed or not) and hands the
// pairs to `sink` as rows, the smaller one left. `names` are the names of all rows. Error{input} with the line for an
// id that no record has, a record paired with itself, or anything else that is no such file.
PairsFile read_pairs_file(const std::string& path, const corpus::RowTexts& names, std::size_t rows, PairSink& sink,
                          const Context&);

}  // namespace neardup::search
