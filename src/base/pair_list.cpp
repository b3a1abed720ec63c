#include <algorithm>
#include <tuple>

#include "neardup/pair.h"

namespace neardup {

bool PairList::accept(std::span<const Pair> pairs) {
  pairs_.insert(pairs_.end(), pairs.begin(), pairs.end());
  return true;
}

std::vector<Pair> PairList::sorted() const {
  std::vector<Pair> sorted = pairs_;
  std::sort(sorted.begin(), sorted.end(), [](const Pair& a, const Pair& b) {
    return std::tie(a.left, a.right, a.score) < std::tie(b.left, b.right, b.score);
  });
  return sorted;
}

}  // namespace neardup
