// Two collections read as if they were one.
#pragma once

#include "neardup/collection.h"

namespace neardup::corpus {

// The rows of the second follow those of the first; each keeps its own reading options.
Collection join_collections(const Collection& first, const Collection& second);

}  // namespace neardup::corpus
