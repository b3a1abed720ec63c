#include "base/system.h"
#include "join/edit_join.h"
#include "join/edit_probe.h"

namespace neardup::joins {

void edit_brute_force(const EditJoin& join) {
  const base::Stopwatch watch;
  double comparisons = 0;
  for (const StringSet::Group& group : join.strings.groups()) {
    for (const StringSet::Group* partner : join.strings.partner_groups(group, max_edits(join))) {
      comparisons += pairs_between(group, *partner);
    }
  }
  warn_if_many_comparisons(join, comparisons);
  const EditCounts counts = join.strings.with_symbol_type([&]<class Symbol>() {
    return probe_all<Symbol>(join, [](EditProbe<Symbol>& probe) {
      return [&probe](StringPlace place, const StringSet::Group&, std::span<const StringSet::Group* const> partners) {
        for (const StringSet::Group* partner : partners) {
          const StringPlace last = std::min(partner->last, place);
          probe.counts.filters[0] += last - partner->first;
          for (StringPlace other = partner->first; other < last && !probe.enough(); ++other) {
            probe.compare(other, *partner);
          }
        }
      };
    });
  });
  counts.fill(join.stats, {"length"});
  join.stats.seconds.join = watch.seconds();
}

}  // namespace neardup::joins
