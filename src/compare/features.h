// Which features do two documents share, which has each alone, and how do they read?
//
// A feature is a hash, so that whoever wants to see it must cut the text again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "neardup/compare.h"
#include "neardup/definition.h"
#include "neardup/features.h"

namespace neardup::comparison {

// Different features, ascending, and how often each occurs.
struct CountedFeatures {
  std::vector<Feature> features;
  std::vector<std::uint32_t> counts;
  CountedFeatures() = default;
  explicit CountedFeatures(std::vector<Feature> occurrences);  // in any order
};

// Features as they follow each other in the text, repeats not numbered, whatever the definition says.
std::vector<Feature> features_in_order(const NamedDocument&, const Definition&);

struct FeatureLists {
  std::vector<ShownFeature> shared, only_a, only_b;
};

// The `count` features of each kind that occur most. Among thousands of equals it is those that come first in the text
// of a sample, and such that do not overlap before such that do.
FeatureLists heaviest_features(const NamedDocument& a, const NamedDocument& b, const Definition&, std::size_t count);

}  // namespace neardup::comparison
