// Which tables does an index of kind fast have?
#pragma once

#include <memory>

#include "hamming/kinds.h"

namespace neardup::hamming {

enum class FastTables {
  by_memory,    // the quickest that fits HammingOptions::memory_bytes; lists when that is 0
  lists,        // CsrTables: 37 bytes a fingerprint, and its row number
  two_lines,    // LineTables<HammingKey>: 20
  eight_lines,  // LineTables<ByteKey>: 79; the quickest
};

std::unique_ptr<HammingIndex> make_fast(const Build&, FastTables);

}  // namespace neardup::hamming
