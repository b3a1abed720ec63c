// What do the first bytes of every input say about it?
#pragma once

#include <cstdint>

#include "io/inputs.h"
#include "neardup/collection.h"
#include "neardup/context.h"

namespace neardup::io {

// Completes the sources of `found` with codec, encoding and format; archives give way to their members. Binary files
// are refused with Error{input} where they were named and taken out where they were found; returns how many. Throws
// Error{limit} when the list of files does not fit the memory that the context allows.
std::uint64_t look_inside(Inputs& found, const ReadOptions&, const Context&);

}  // namespace neardup::io
