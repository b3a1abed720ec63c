// When are parts of a search merged, so that there are few of them and each unit is rewritten seldom?
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace neardup::indexing {

struct PartSize {
  std::uint64_t units = 0, features = 0;
};

// When parts are full and when they are merged. Tests make all of it small.
struct SearchLimits {
  std::size_t recent_units = 512;  // sets that are searched as they came
  std::uint64_t recent_features = std::uint64_t{1} << 19;
  std::size_t recent_codes = std::size_t{1} << 18;  // fingerprints likewise
  std::size_t parts_to_merge = 8;
  std::uint64_t least_file_units = std::uint64_t{1} << 15;  // smaller segments of sets stay in memory
  // A larger segment would take too much memory while it is built.
  std::uint64_t most_features = std::uint64_t{1} << 27;
};

// How many of the last parts should become one; 0: none. Sizes form classes, each parts_to_merge times as large as the
// one before; when so many parts of a class (or smaller) are at the end, they are merged. So a unit is rewritten once
// per class, and there are fewer than parts_to_merge parts of each class, apart from those that are as large as they
// may be.
std::size_t plan_merge(std::span<const PartSize>, const SearchLimits&);

}  // namespace neardup::indexing
