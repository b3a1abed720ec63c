// What does a definition become for a collection, and do the two fit?
#pragma once

#include "neardup/definition.h"
#include "neardup/document.h"

namespace neardup::corpus {

// `spec`, or the integers themselves when the collection holds `sets`. Error{usage} when `spec` was named by the user
// and the collection has features of its own, or when it mixes sets with text.
FeatureSpec features_for(const Collection&, const FeatureSpec& spec, bool named_by_user);

// Throws Error{usage} when strings are to be compared, or words to be left out, and the records are sets of integers.
void check_has_strings(const Definition&);
// Throws Error{usage} when more or fewer fields have a weight than are read.
void check_field_weights(const Collection&, const Definition&);

}  // namespace neardup::corpus
