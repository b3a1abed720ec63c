// Suffix filter: a pair that passes the positional filter is probed behind the first token it shares.
//
// Xiao, Wang, Lin and Yu 2008, Algorithms 3 to 5. In Algorithm 5 two things are mended: a pair that has been admitted
// before still counts the tokens it shares (as printed, line 12 of Algorithm 1 gets lost for A[y] > 0), and the ceiling
// surrounds the whole product t / (1 + t) * (|x| + |y|), which is the needed overlap.
#include "join/prefix_join.h"
#include "join/suffix_filter.h"

namespace neardup::joins {
namespace {

class SuffixesAlike : public ShortIndex {
 public:
  SuffixesAlike(const OrderedSets& sets, unsigned depth) : sets_(&sets), depth_(depth) {}

  bool admits(const Meeting& meeting) {
    if (!meeting.is_within_reach()) return false;
    if (meeting.overlap > 0) return true;
    ++probed_;
    // Nothing is shared before, so all that is needed is shared from here on.
    const std::int64_t max_distance = std::int64_t{meeting.x_left} + meeting.y_left - 2 * std::int64_t{meeting.needed};
    return distance_bound(sets_->tokens(meeting.x).last(meeting.x_left - 1),
                          sets_->tokens(meeting.y).last(meeting.y_left - 1), max_distance, depth_) <= max_distance;
  }

  void count(std::uint64_t survivors, std::vector<FilterCount>& filters) const {
    filters.push_back({"position", probed_});
    filters.push_back({"suffix", survivors});
  }

 private:
  const OrderedSets* sets_;
  unsigned depth_;
  std::uint64_t probed_ = 0;
};

}  // namespace

void ppjoin_plus(const SetJoin& join) { prefix_join(join, SuffixesAlike(join.sets, join.options.suffix_depth)); }

}  // namespace neardup::joins
