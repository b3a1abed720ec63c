#include "index/merge_plan.h"

namespace neardup::indexing {
namespace {

constexpr unsigned kFullClass = 64;

unsigned size_class(const PartSize& part, const SearchLimits& limits) {
  if (part.features > limits.most_features / limits.parts_to_merge) return kFullClass;
  unsigned grade = 0;
  for (std::uint64_t units = part.units / limits.recent_units; units >= limits.parts_to_merge;
       units /= limits.parts_to_merge) {
    ++grade;
  }
  return grade;
}

}  // namespace

std::size_t plan_merge(std::span<const PartSize> parts, const SearchLimits& limits) {
  for (unsigned grade = 0; grade < kFullClass; ++grade) {
    std::size_t count = 0;
    std::uint64_t features = 0;
    while (count < parts.size()) {
      const PartSize& part = parts[parts.size() - 1 - count];
      if (size_class(part, limits) > grade || features + part.features > limits.most_features) break;
      features += part.features;
      ++count;
    }
    if (count >= limits.parts_to_merge) return count;
    if (count == parts.size()) return 0;
  }
  return 0;
}

}  // namespace neardup::indexing
