// Which features do two documents share, which has each alone, and how do they read?
//
// A feature is a hash, so the text must be cut again to show it.
#pragma once

#include <cstddef>

#include "features/ignored_features.h"
#include "neardup/compare.h"

namespace neardup::comparison {

// The `count` features of each kind that occur most, into the lists of the comparison. Among thousands of equals it is
// those that come first in the text of a sample, and such that do not overlap before such that do.
void list_heaviest_features(const NamedDocument& a, const NamedDocument& b, const features::IgnoredFeatures&,
                            std::size_t count, Comparison&);

}  // namespace neardup::comparison
