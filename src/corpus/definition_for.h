// What does a definition become for a collection, and do the two fit?
#pragma once

#include "neardup/collection.h"
#include "neardup/definition.h"

namespace neardup::corpus {

// What `spec` means for records that are sets of integers. Error{usage} when it asks for words or characters.
FeatureSpec features_of_sets(const FeatureSpec& spec);
// What it means for the records of a collection. Error{usage} as above, and when sets are mixed with texts.
FeatureSpec features_for(const Collection&, const FeatureSpec& spec);

// Throws Error{usage} when strings are to be compared, or words to be left out, and the records are sets of integers.
void check_has_strings(const Definition&);
// Throws Error{usage} when more or fewer fields have a weight than are read.
void check_field_weights(const Collection&, const Definition&);

// Whether units keep how long documents are that have fewer words (characters) than a feature: for containment, where
// such a document can be in a longer one. Their Units::length is the number of words, 0 for all others, and Units::bits
// their one feature.
bool keeps_short_lengths(const Definition&);

}  // namespace neardup::corpus
