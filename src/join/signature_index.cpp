#include "join/signature_index.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/system.h"
#include "neardup/error.h"
#include "similarity/measures.h"

namespace neardup::joins {

SignatureIndex::SignatureIndex(const SetJoin& join)
    : join_(join), sets_(join.sets), kernels_(simd::kernels()), universe_(join.sets.universe()) {
  similarity::with_measure(join.options.measure, [&]<class M>() { make_room<M>(); });
}

template <class M>
void SignatureIndex::insert_block(Place first, Place last) {
  know(first, last);
  // Every thread goes through all sets of the block and takes care of its own share of the tokens.
  const unsigned shares = base::threads(join_.context);
  tbb::parallel_for(0u, shares, [&](unsigned share) {
    const auto border = [&](unsigned at) { return static_cast<Rank>(std::uint64_t{universe_} * at / shares); };
    const Rank low = border(share), high = border(share + 1);
    PrefixBounds<M> bounds(join_);
    for (Place place = first; place < last; ++place) {
      bounds.at(sets_.full_size(place));
      insert(place, bounds, low, high);
    }
  });
}

template void SignatureIndex::insert_block<similarity::Jaccard>(Place, Place);
template void SignatureIndex::insert_block<similarity::Cosine>(Place, Place);
template void SignatureIndex::insert_block<similarity::Dice>(Place, Place);
template void SignatureIndex::insert_block<similarity::Overlap>(Place, Place);

template <class M>
void SignatureIndex::make_room() {
  const std::size_t lists = std::size_t{universe_} * sets_.sides();
  lists_ = base::ZeroedArray<List>(lists + 1);
  // While counting, a list's `last` is how many postings it will have, and its `after` how many sets will look at it.
  PrefixBounds<M> bounds(join_);
  double slack = 0, within_reach = 0;
  Place least_place = 0;
  for (Place place = 0; place < sets_.size(); ++place) {
    const std::uint32_t size = sets_.full_size(place);
    if (bounds.at(size)) {
      least_place = sets_.first_of_size(M::min_size(size, join_.options.threshold), place);
    }
    within_reach += static_cast<double>(place - least_place) / (place + 1.0);
    slack += static_cast<double>(bounds.slack_in_index);
    const auto tokens = sets_.tokens(place);
    List* const own = lists_.data() + std::size_t{sets_.side(place)} * universe_;
    List* const other = lists_.data() + std::size_t{sets_.partner_side(place)} * universe_;
    const std::uint32_t indexed = visible_prefix(sets_, place, bounds.least_in_index);
    const std::uint32_t probed = visible_prefix(sets_, place, bounds.least_in_probe);
    for (std::uint32_t k = 0; k < indexed; ++k) ++own[tokens[k]].last;
    // Who enters a list without looking at it counts too, so that one who does is the second.
    for (std::uint32_t k = 0; k < std::max(indexed, probed); ++k) ++other[tokens[k]].after;
  }

  // In a join with itself a list's only owner looks at it too.
  const std::uint32_t enough_looks = sets_.sides() == 1 ? 2 : 1;
  double meetings = 0;
  std::uint64_t room = kPadding;
  for (std::size_t at = 0; at < lists; ++at) {
    const auto [count, lookers] = lists_[at];
    lists_[at] = {};
    if (count == 0 || lookers < enough_looks) continue;
    meetings += 0.5 * count * lookers;
    entries_ += count;
    longest_list_ = std::max(longest_list_, count);
    lists_[at].last = static_cast<std::uint32_t>(room + 1);  // after the posting of nobody
    room += std::uint64_t{count} + 1;
    if (room > std::numeric_limits<std::uint32_t>::max()) {
      throw Error(ErrorCode::limit, "the index would have more than 2^32 entries; --memory SIZE makes smaller ones");
    }
  }
  // Of these sizes no allowance is cut off, so that slack minus allowance is the position.
  constexpr std::uint32_t kMostSizes = 1u << 16;
  for (std::uint32_t size = 0; size <= std::min(sets_.largest_size(), kMostSizes); ++size) {
    const std::int64_t most = in_16ths(M::slack_of_smaller(size, join_.options.threshold));
    if (most > kMostSlack) break;
    slacks_.push_back(static_cast<std::int32_t>(most));
  }
  if (entries_ > 0) {
    // Both partners have their share of the slack.
    words_ = suitable_words(2 * slack / 16 / sets_.size(),
                            meetings * within_reach / sets_.size() / static_cast<double>(entries_));
  }
  postings_ = base::ZeroedArray<std::uint64_t>(room);
  signatures_ = base::ZeroedArray<std::uint64_t>(room * words_);
}

void SignatureIndex::know(Place first, Place last) {
  first_known_ = first;
  known_ = last - first;
  whole_.resize(known_ * kept_words());
  const auto make = [&](Place place) {
    const auto tokens = sets_.tokens(place);
    kernels_.parity(tokens.data(), tokens.size(), kept_words(), whole_.data() + (place - first) * kept_words());
  };
  if (known_ == 1) return make(first);
  tbb::parallel_for(tbb::blocked_range<Place>(first, last), [&](const tbb::blocked_range<Place>& range) {
    for (Place place = range.begin(); place < range.end(); ++place) make(place);
  });
}

// Two sets that have nothing in common differ in about half of the bits, and that should be well above what partners of
// average size may fail to share. More bits than that cost more to read and to write than they dismiss; so do any
// beyond the folded ones where a posting is hardly looked at. The more often it is, the rarer should a mistake be. (The
// numbers are where one more step began to pay, on 15 collections of 60 thousand to two million sets.)
std::size_t SignatureIndex::suitable_words(double average_slack, double looks_at_each) {
  if (looks_at_each < 1.5) return 0;
  const double wanted = average_slack + std::log2(looks_at_each);
  return wanted <= 7.9 ? 0 : wanted <= 24 ? 1 : wanted <= 50 ? 2 : wanted <= 80 ? 4 : 8;
}

std::uint64_t SignatureIndex::bytes() const {
  return lists_.size() * sizeof(List) + (postings_.size() + signatures_.size()) * sizeof(std::uint64_t);
}

}  // namespace neardup::joins
