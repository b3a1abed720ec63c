// Positional filter: a pair is out when too few tokens are left behind the one it shares.
//
// Xiao, Wang, Lin and Yu 2008, Algorithms 1 and 2. The overlap that is needed (alpha) belongs to each pair; Algorithm 1
// hands only the last one on to Algorithm 2.
#include "join/prefix_join.h"

namespace neardup::joins {
namespace {

struct EnoughLeft : ShortIndex {
  static bool admits(const Meeting& meeting) { return meeting.is_within_reach(); }
  static void count(std::uint64_t survivors, std::vector<FilterCount>& filters) {
    filters.push_back({"position", survivors});
  }
};

}  // namespace

void ppjoin(const SetJoin& join) { prefix_join(join, EnoughLeft{}); }

}  // namespace neardup::joins
