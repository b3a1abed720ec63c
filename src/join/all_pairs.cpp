// Prefix and size filter: every pair that shares a token of both prefixes is a candidate.
//
// Bayardo, Ma and Srikant 2007, in the form Xiao et al. 2008 compare themselves with: the prefix that is probed is
// indexed as well. (Their shorter index, Lemma 3, belongs to ppjoin.)
#include "join/prefix_join.h"

namespace neardup::joins {
namespace {

struct SharedToken {
  template <similarity::SetMeasure M>
  static similarity::Size indexed_overlap(similarity::Size size, const Threshold& threshold) {
    return M::min_overlap_any(size, threshold);
  }
  static bool admits(const Meeting&) { return true; }
  static void count(std::uint64_t, std::vector<FilterCount>&) {}
};

}  // namespace

void all_pairs(const SetJoin& join) { prefix_join(join, SharedToken{}); }

}  // namespace neardup::joins
