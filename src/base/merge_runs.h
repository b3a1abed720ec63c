// How do several sorted runs become one, with few comparisons and equal ones in the order of their runs?
#pragma once

#include <cstddef>
#include <vector>

namespace neardup::base {

// A tree of losers (Knuth, volume 3, 5.4.1): every inner node remembers the loser, so that the next record in order
// costs one comparison per level. `runs` is an array of things with done(), head() and advance(); before(head, head) is
// the order of each. Calls visit(run) with the run whose head is next, as often as there are heads, then advances it.
template <class Runs, class Before, class Visit>
void merge_runs(Runs& runs, const Before& before, const Visit& visit) {
  const std::size_t count = runs.size();
  if (count == 0) return;
  // Which head comes first cannot be guessed: both comparisons and no branch are quicker than one and a branch.
  const auto wins = [&](std::size_t a, std::size_t b) {
    if (runs[a].done() | runs[b].done()) [[unlikely]]
      return !runs[a].done();
    const bool earlier = before(runs[a].head(), runs[b].head()), later = before(runs[b].head(), runs[a].head());
    return (earlier | (!later & (a < b))) != 0;
  };
  // Run i is leaf count + i; the parent of node n is n / 2.
  std::vector<std::size_t> winners(2 * count), losers(count);
  for (std::size_t i = 0; i < count; ++i) winners[count + i] = i;
  for (std::size_t node = count - 1; node > 0; --node) {
    const std::size_t a = winners[2 * node], b = winners[2 * node + 1];
    const bool first = wins(a, b);
    winners[node] = first ? a : b;
    losers[node] = first ? b : a;
  }
  std::size_t best = winners[1];
  while (!runs[best].done()) {
    visit(runs[best]);
    runs[best].advance();
    for (std::size_t node = (count + best) / 2; node > 0; node /= 2) {
      const std::size_t exchange = -static_cast<std::size_t>(wins(losers[node], best)) & (losers[node] ^ best);
      losers[node] ^= exchange;
      best ^= exchange;
    }
  }
}

}  // namespace neardup::base
