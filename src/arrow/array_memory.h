// About how much memory does an array hold?
#pragma once

#include <cstdint>
#include <set>

#include "arrow/type.h"

namespace neardup::arrow {

// Adds up arrays of one stream. Dictionaries that several arrays share count once; of slices only what they show. Asks
// only what is safe to ask of any array, so that columns nobody reads need not be valid.
class ArrayMemory {
 public:
  std::uint64_t bytes_of(const Type&, const ArrowArray&);

 private:
  std::uint64_t range(const Type&, const ArrowArray&, std::int64_t begin, std::int64_t count);
  std::uint64_t list(const Type&, const ArrowArray&, std::int64_t begin, std::int64_t count);
  std::set<const void*> dictionaries_;
};

}  // namespace neardup::arrow
