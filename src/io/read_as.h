// How is a collection read as another format, or only in part, once more is known about it?
#pragma once

#include <cstdint>

#include "neardup/collection.h"

namespace neardup::io {

// The same inputs with other options, whose format is named. Nothing is looked for or spooled again, so that standard
// input can be read as lines first. Only for collections of files in formats that do not decode themselves.
Collection read_as(const Collection&, const ReadOptions&);

// The same inputs, but each is read only from its beginning, such that all of them together are read for about
// `input_bytes` (as they are on disk; at least one batch of each), and of these records a share is chosen by the seed.
// Only for collections that Collection::open() or from() made.
struct ReadPart {
  std::uint64_t input_bytes = ~std::uint64_t{0};
  double share = 1;
};
Collection read_part(const Collection&, const ReadPart&);

}  // namespace neardup::io
