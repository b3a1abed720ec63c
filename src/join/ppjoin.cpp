// Positional filter: a pair is out when too few tokens are left behind the one it shares.
//
// Xiao, Wang, Lin and Yu 2008, Algorithms 1 and 2.
#include "join/prefix_join.h"

namespace neardup::joins {
namespace {

struct EnoughLeft {
  // Lemma 3: a set must share with a partner at least as large no less than with its own copy. It holds because sets
  // are indexed in ascending order of size, those of two collections in one common order, so that whoever probes is
  // never smaller. An index of one whole collection, probed by the other, would need the longer prefix.
  template <similarity::SetMeasure M>
  static similarity::Size indexed_overlap(similarity::Size size, const Threshold& threshold) {
    return M::min_overlap(size, size, threshold);
  }
  static bool admits(const Meeting& meeting) { return meeting.is_within_reach(); }
  static void count(std::uint64_t survivors, std::vector<FilterCount>& filters) {
    filters.push_back({"position", survivors});
  }
};

}  // namespace

void ppjoin(const SetJoin& join) { prefix_join(join, EnoughLeft{}); }

}  // namespace neardup::joins
