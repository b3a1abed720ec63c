// Where do the kept records of each source go?
#pragma once

#include <vector>

#include "io/collection.h"
#include "neardup/context.h"

namespace neardup::io {

// Gives every source a place of its own: `relative` changes for one that another source has already, or that would have
// to be a file and a folder at once. Takes time in proportion to the length of all paths.
void give_places(std::vector<Source>&, const Context&);

}  // namespace neardup::io
