#include "join/ordered_sets.h"

#include <tbb/parallel_sort.h>

#include <algorithm>

#include "base/parallel.h"
#include "base/radix_sort.h"

namespace neardup::joins {

// Comparing is quicker for short lists.
void sort_ranks(std::span<Rank> ranks, std::vector<Rank>& scratch) {
  constexpr std::size_t kFewEnoughToCompare = 192;
  if (ranks.size() < kFewEnoughToCompare) {
    std::sort(ranks.begin(), ranks.end());
  } else {
    base::sort_by_digits(ranks, scratch);
  }
}

OrderedSets OrderedSets::in_order(unsigned sides, Rank universe, std::vector<Member> members, Ranks tokens,
                                  const Context& context) {
  struct Key {
    std::uint64_t size_and_token;
    std::uint32_t set;
  };
  std::vector<Key> keys(members.size());
  base::parallel_for(context, members.size(), [&](std::size_t first, std::size_t last) {
    for (std::size_t set = first; set < last; ++set) {
      const Rank token = members[set].visible > 0 ? tokens[members[set].begin] : universe;
      keys[set] = {std::uint64_t{members[set].full_size} << 32 | token, static_cast<std::uint32_t>(set)};
    }
  });
  base::with_threads(context, [&] {
    tbb::parallel_sort(keys.begin(), keys.end(), [](const Key& a, const Key& b) {
      return a.size_and_token != b.size_and_token ? a.size_and_token < b.size_and_token : a.set < b.set;
    });
  });
  OrderedSets ordered;
  ordered.sides_ = sides;
  ordered.universe_ = universe;
  ordered.sets_.resize(members.size());
  ordered.numbers_.resize(members.size());
  ordered.on_side_.resize(sides == 2 ? members.size() : 0);
  for (std::size_t place = 0; place < members.size(); ++place) {
    const Member& set = members[keys[place].set];
    ordered.sets_[place] = {set.begin, set.full_size, set.visible};
    ordered.numbers_[place] = set.number;
    if (sides == 2) ordered.on_side_[place] = static_cast<std::uint8_t>(set.side);
  }
  ordered.tokens_ = std::move(tokens);
  return ordered;
}

}  // namespace neardup::joins
