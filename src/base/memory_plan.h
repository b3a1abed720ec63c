// Which parts of the memory are planned before anybody knows how much is needed?
//
// Everything that is held is reserved (neardup/memory.h), and whether it fits is decided then. These are the shares
// that have to be fixed earlier. They are shares of the limit and not of what is left: two of them decide how well
// recall is measured, which must not depend on what else goes on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/system.h"

namespace neardup::base {

struct MemoryPlan {
  std::size_t shared_filter;  // at most; a smaller filter is less sharp
  std::size_t kept_sets;      // of each collection, at most; more than that is made again from another reading
  std::size_t recall_sample;  // at most, its index included
  std::size_t rarities;       // the counts of tf-idf, at most; what comes after needs the other half
  std::size_t pairs;          // of each list of pairs in memory, at most; more of them wait in files
  std::size_t names;          // of matched fingerprints, at once
  std::size_t unsorted;       // fingerprints that wait to be sorted, at most; more of them wait in files
  std::size_t arrow_arrays;   // of each stream that can be read once, at most; what comes then waits in a file
};

constexpr MemoryPlan plan_memory(std::size_t limit) {
  return {.shared_filter = limit / 8,
          .kept_sets = limit / 4,
          .recall_sample = limit / 8,
          .rarities = limit / 2,
          .pairs = limit / 8,
          .names = limit / 4,
          .unsorted = limit / 4,
          .arrow_arrays = limit / 4};
}
inline MemoryPlan plan_memory(const Context& context) { return plan_memory(memory_bytes(context)); }

// Error{limit}: the memory is too small "to match these files", and so many bytes of it would do. An estimate is told
// as one.
enum class LeastMemory { exact, estimated };
[[noreturn]] void throw_too_small(const Context&, std::string_view to_do, std::uint64_t least_bytes, LeastMemory);

}  // namespace neardup::base
