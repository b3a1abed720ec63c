// The finders, one per file.
#pragma once

#include <memory>

#include "find/finder.h"

namespace neardup::find {

// Compares every pair whose sizes allow it. Exact, quadratic, the oracle of all others.
std::unique_ptr<Finder> make_brute_force(const FinderOptions&);
// Min-wise hashes cut into bands; documents that agree in a whole band are candidates.
std::unique_ptr<Finder> make_minhash_bands(const FinderOptions&);

}  // namespace neardup::find
