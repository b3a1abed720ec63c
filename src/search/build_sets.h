// How do stored sets of features become the ordered sets of a join, on all threads?
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "base/parallel.h"
#include "base/system.h"
#include "join/ordered_sets.h"
#include "join/set_builder.h"
#include "neardup/features.h"

namespace neardup::search {

struct SetToBuild {
  unsigned side = 0;
  std::uint32_t number = 0;
  std::uint32_t full_size = 0;  // including features that were left out because no other set shares them
  std::span<const Feature> features{};
};

// `get(i, buffer)` returns the i-th set; it may be in the buffer. May run concurrently, and again when there are
// more different features than expected. `memory` holds what the sets take.
template <class Get>
joins::OrderedSets build_sets(joins::SetBuilder::Expected expected, const Get& get, Reservation& memory,
                              const Context& context) {
  for (;; expected.distinct_tokens = expected.distinct_tokens * 2 + 1024) {
    memory.hold(joins::SetBuilder::bytes_for(expected));
    joins::SetBuilder builder(expected);
    std::atomic<bool> full = false;
    std::mutex adding;
    base::parallel_for(context, expected.sets, [&](std::size_t first, std::size_t last) {
      std::vector<Feature> buffer;
      std::vector<joins::SetBuilder::Slot> slots;
      for (std::size_t i = first; i < last && !full; ++i) {
        if (i % 1024 == 0) base::check_stop(context);
        const SetToBuild set = get(i, buffer);
        slots.clear();
        if (!builder.encode(set.side, set.features, slots)) full = true;
        const std::lock_guard lock(adding);
        builder.add(set.side, set.number, set.full_size, slots);
      }
    });
    if (full) continue;
    joins::OrderedSets sets = builder.finish(context);
    memory.hold(sets.memory_bytes());
    return sets;
  }
}

}  // namespace neardup::search
