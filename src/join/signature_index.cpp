#include "join/signature_index.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
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
  const Threshold& threshold = join_.options.threshold;
  if (words_ > 0) {
    tbb::parallel_for(tbb::blocked_range<Place>(first, last), [&](const tbb::blocked_range<Place>& range) {
      for (Place place = range.begin(); place < range.end(); ++place) make_signature(place);
    });
  }
  const Place least_place = sets_.first_of_size(M::min_size(sets_.full_size(first), threshold), first);
  // Every thread goes through all sets of the block and takes care of its own share of the tokens.
  const unsigned shares = base::threads(join_.context);
  tbb::parallel_for(0u, shares, [&](unsigned share) {
    const auto border = [&](unsigned at) { return static_cast<Rank>(std::uint64_t{universe_} * at / shares); };
    const Rank low = border(share), high = border(share + 1);
    PrefixBounds<M> bounds(threshold);
    for (Place place = first; place < last; ++place) {
      bounds.at(sets_.full_size(place));
      prefetch(place, last, visible_prefix(sets_, place, bounds.least_in_index), low, high);
      insert(place, bounds, least_place, low, high);
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
  // While counting, a list's `first` is how many postings it will have, and its `last` how many sets will look at it.
  PrefixBounds<M> bounds(join_.options.threshold);
  double slack = 0;
  for (Place place = 0; place < sets_.size(); ++place) {
    bounds.at(sets_.full_size(place));
    slack += static_cast<double>(bounds.slack) / 128;
    const auto tokens = sets_.tokens(place);
    List* const own = lists_.data() + std::size_t{sets_.side(place)} * universe_;
    List* const other = lists_.data() + std::size_t{sets_.partner_side(place)} * universe_;
    const std::uint32_t indexed = visible_prefix(sets_, place, bounds.least_in_index);
    const std::uint32_t probed = visible_prefix(sets_, place, bounds.least_in_probe);
    for (std::uint32_t k = 0; k < indexed; ++k) ++own[tokens[k]].first;
    for (std::uint32_t k = 0; k < probed; ++k) ++other[tokens[k]].last;
  }

  // In a join with itself a list's only owner looks at it too.
  const std::uint32_t enough_looks = sets_.sides() == 1 ? 2 : 1;
  double looks = 0;
  for (std::size_t at = 0; at < lists; ++at) {
    const auto [count, lookers] = lists_[at];
    if (count == 0 || lookers < enough_looks) {
      lists_[at] = kUseless;
      continue;
    }
    looks += 0.5 * count * lookers;
    lists_[at] = {static_cast<std::uint32_t>(entries_), static_cast<std::uint32_t>(entries_)};
    entries_ += count;
    if (entries_ > std::numeric_limits<std::uint32_t>::max() - 64) {
      throw Error(ErrorCode::limit, "the index would have more than 2^32 entries; --memory SIZE makes smaller ones");
    }
  }
  // Below this size no allowance was cut off, so that slack minus allowance is the position.
  constexpr std::uint32_t kTellingSizes = 1u << 16;
  slacks_.resize(std::min(kTellingSizes, sets_.largest_size() + 1));
  for (std::uint32_t size = 1; size < slacks_.size(); ++size) {
    slacks_[size] = allowance(M::slack_of_smaller(size, join_.options.threshold), 0);
  }
  choose_words(sets_.size() == 0 ? 0 : slack / static_cast<double>(sets_.size()), looks);
  pitch_ = words_ > 0 ? 2 : 1;
  postings_ = base::ZeroedArray<std::uint64_t>(stride() * pitch_);
  more_words_ = base::ZeroedArray<std::uint64_t>(words_ > 1 ? stride() * (words_ - 1) : 0);
  whole_ = base::ZeroedArray<std::uint64_t>(std::size_t{sets_.size()} * words_);
}

// Lists that the next sets, which have about as long a prefix, will enter, on their way from memory.
void SignatureIndex::prefetch(Place place, Place last, std::uint32_t prefix, Rank low, Rank high) const {
  constexpr Place kFar = 8, kNear = 4;
  constexpr std::size_t kMost = 64;
  if (place + kFar >= last) return;
  const std::size_t count = std::min<std::size_t>(kMost, prefix + 1);
  const auto far = sets_.tokens(place + kFar), near = sets_.tokens(place + kNear);
  const List* const far_lists = lists(sets_.side(place + kFar));
  const List* const near_lists = lists(sets_.side(place + kNear));
  for (std::size_t k = 0; k < std::min(count, far.size()); ++k) __builtin_prefetch(far_lists + far[k], 1);
  for (std::size_t k = 0; k < std::min(count, near.size()); ++k) {
    if (near[k] < low || near[k] >= high) continue;  // another thread is writing there
    const List& list = near_lists[near[k]];
    if (list.first > list.last) continue;
    __builtin_prefetch(address(list.last), 1);
  }
}

// A look at a posting without a signature costs a look at its set, so that only very few are better off without. Of the
// others, about one bit for each token that partners may fail to share is enough where lists are short; where they are
// long, more bits dismiss more.
void SignatureIndex::choose_words(double average_slack, double expected_looks) {
  const double sets = std::max<double>(1, sets_.size()), tokens = static_cast<double>(sets_.total_tokens());
  if (expected_looks < 2 * sets) {
    words_ = 0;
    return;
  }
  const double bits = average_slack * (expected_looks > 4 * tokens ? 3 : expected_looks > tokens ? 1.5 : 1);
  words_ = bits <= 40 ? 1 : bits <= 80 ? 2 : bits <= 160 ? 4 : 8;
}

std::uint64_t SignatureIndex::bytes() const {
  return lists_.size() * sizeof(List) + (postings_.size() + more_words_.size() + whole_.size()) * sizeof(std::uint64_t);
}

}  // namespace neardup::joins
