// How much of one document is in another, and where does it lie?
#pragma once

#include "features/ignored_features.h"
#include "neardup/compare.h"

namespace neardup::comparison {

// Sizes, overlap and definition of the comparison are known.
MutualContainment find_containment(const NamedDocument& a, const NamedDocument& b, const features::IgnoredFeatures&,
                                   const Comparison&);

}  // namespace neardup::comparison
