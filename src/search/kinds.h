// The finders, one per file.
#pragma once

#include <memory>

#include "search/finder.h"

namespace neardup::search {

// Min-wise hashes cut into bands; documents that agree in a whole band are candidates.
std::unique_ptr<Finder> make_minhash_bands(const Definition&, const FinderOptions&);
// Simhashes of feature sets; documents whose simhashes differ in few bits are candidates.
std::unique_ptr<Finder> make_simhash_distance(const Definition&, const FinderOptions&);

}  // namespace neardup::search
