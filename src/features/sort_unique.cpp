#include <algorithm>
#include <span>

#include "base/radix_sort.h"
#include "neardup/features.h"

namespace neardup {

void sort_unique(std::vector<Feature>& features, std::vector<Feature>& scratch) {
  constexpr std::size_t kHuge = 1u << 20;  // beyond this a second copy costs too much memory
  if (features.size() > kHuge) {
    std::sort(features.begin(), features.end());
  } else {
    if (scratch.size() < features.size()) scratch.resize(features.size());
    base::radix_sort<Feature>(features, scratch, 64);
  }
  features.erase(std::unique(features.begin(), features.end()), features.end());
}

}  // namespace neardup
