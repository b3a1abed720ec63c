// Every pair whose sizes allow it, merged token by token: the reference for all other algorithms.
#include <type_traits>

#include "join/algorithms.h"
#include "join/overlap.h"
#include "join/reporting.h"
#include "join/size_bounds.h"

namespace neardup::joins {
namespace {

template <similarity::SetMeasure M>
void compare_all(const SetJoin& join) {
  const OrderedSets& sets = join.sets;
  Reporter<M> reporter(join);
  Pulse pulse(join);
  SizeBounds<M> bounds(sets, join.options.threshold);
  const auto needed = [&](Place x, Place y) -> std::uint32_t {
    if constexpr (!std::is_same_v<M, similarity::Contained>) return bounds.needed(sets.full_size(y));
    const std::uint32_t left = sets.full_size(sets.side(x) == 0 ? x : y);
    return static_cast<std::uint32_t>(M::min_overlap(left, 0, join.options.threshold));
  };
  std::uint64_t within_size = 0, candidates = 0;
  for (Place x = 0; x < sets.size() && pulse.next_record(); ++x) {
    bounds.move_to(x);
    for (Place y = bounds.first(); y < x; ++y) {
      if (sets.side(y) != sets.partner_side(x)) continue;
      ++within_size;
      if (!reporter.wanted(x, y)) continue;
      ++candidates;
      const std::uint32_t overlap = overlap_at_least(sets.tokens(x), sets.tokens(y), 0, needed(x, y));
      if (overlap > 0) reporter.report(x, y, overlap);
    }
  }
  pulse.finish();
  reporter.finish();
  join.stats.filters = {{"size", within_size}};
  join.stats.candidates = candidates;
}

}  // namespace

void brute_force(const SetJoin& join) {
  const base::Stopwatch watch;
  similarity::with_measure(join.options.measure, [&]<class M>() { compare_all<M>(join); });
  join.stats.seconds.join = watch.seconds();
}

}  // namespace neardup::joins
