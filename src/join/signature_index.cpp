#include "join/signature_index.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <limits>

#include "base/system.h"
#include "neardup/error.h"
#include "simd/dispatch.h"
#include "similarity/measures.h"

namespace neardup::joins {
namespace {

constexpr std::size_t kPadding = 8;  // postings that kernels may read behind the last

// Bounds that depend on a set's size only. Sizes come in ascending order, so the last one asked for is remembered.
template <class M>
class PrefixBounds {
 public:
  explicit PrefixBounds(const Threshold& threshold) : threshold_(threshold) {}
  void at(std::uint32_t size) {
    if (size == size_) return;
    size_ = size;
    least_in_index = M::min_overlap(size, size, threshold_);
    least_in_probe = M::min_overlap_any(size, threshold_);
    slack = M::slack_of_smaller(size, threshold_);
  }
  std::uint64_t least_in_index = 0, least_in_probe = 0;  // overlaps, which give the prefixes
  std::int64_t slack = 0;

 private:
  Threshold threshold_;
  std::uint32_t size_ = 0;
};

}  // namespace

SignatureIndex::SignatureIndex(const SetJoin& join) : join_(join), sets_(join.sets), universe_(join.sets.universe()) {
  similarity::with_measure(join.options.measure, [&]<class M>() { make_room<M>(); });
}

void SignatureIndex::insert(Place first, Place last) {
  const Threshold& threshold = join_.options.threshold;
  similarity::with_measure(join_.options.measure, [&]<class M>() {
    if (words_ > 0) {
      const neardup_kernels& kernels = simd::kernels();
      tbb::parallel_for(tbb::blocked_range<Place>(first, last), [&](const tbb::blocked_range<Place>& range) {
        PrefixBounds<M> bounds(threshold);
        for (Place place = range.begin(); place < range.end(); ++place) {
          bounds.at(sets_.full_size(place));
          if (visible_prefix(sets_, place, bounds.least_in_probe) == 0) continue;
          const auto tokens = sets_.tokens(place);
          kernels.parity(tokens.data(), tokens.size(), words_, whole_.data() + std::size_t{place} * words_);
        }
      });
    }
    // Every thread goes through all sets of the block and takes care of its own share of the tokens.
    const unsigned shares = base::threads(join_.context);
    tbb::parallel_for(0u, shares, [&](unsigned share) {
      const auto border = [&](unsigned at) { return static_cast<Rank>(std::uint64_t{universe_} * at / shares); };
      insert<M>(first, last, border(share), border(share + 1));
    });
  });
}

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
  choose_words(sets_.size() == 0 ? 0 : slack / static_cast<double>(sets_.size()), looks);
  postings_ = base::ZeroedArray<std::uint64_t>(entries_ + kPadding);
  signatures_ = base::ZeroedArray<std::uint64_t>((entries_ + kPadding) * words_);
  whole_ = base::ZeroedArray<std::uint64_t>(std::size_t{sets_.size()} * words_);
}

template <class M>
void SignatureIndex::insert(Place first, Place last, Rank low, Rank high) {
  const Threshold& threshold = join_.options.threshold;
  const std::uint64_t least_size = first < last ? M::min_size(sets_.full_size(first), threshold) : 0;
  PrefixBounds<M> bounds(threshold);
  std::array<std::uint64_t, 8> rest{};
  for (Place place = first; place < last; ++place) {
    bounds.at(sets_.full_size(place));
    const auto tokens = sets_.tokens(place);
    const std::uint32_t indexed = visible_prefix(sets_, place, bounds.least_in_index);
    const std::uint32_t hidden = sets_.hidden(place);
    List* const own = lists_.data() + std::size_t{sets_.side(place)} * universe_;
    if (words_ > 0 && indexed > 0) std::copy_n(signature(place), words_, rest.begin());
    for (std::uint32_t k = 0; k < indexed && tokens[k] < high; ++k) {
      if (words_ > 0) {
        const SignatureBit flip = signature_bit(tokens[k], words_);
        rest[flip.word] ^= flip.bit;
      }
      if (tokens[k] < low) continue;
      List& list = own[tokens[k]];
      if (list.first > list.last) continue;
      while (list.first < list.last && sets_.full_size(this->place(list.first)) < least_size) ++list.first;
      postings_[list.last] =
          std::uint64_t{static_cast<std::uint32_t>(allowance(bounds.slack, hidden + k))} << 32 | place;
      for (std::size_t w = 0; w < words_; ++w) signatures_[w * stride() + list.last] = rest[w];
      ++list.last;
    }
  }
}

// More bits tell more sets apart; about two bits for each token that partners may fail to share are enough.
void SignatureIndex::choose_words(double average_slack, double expected_looks) {
  if (expected_looks * 4 < static_cast<double>(sets_.total_tokens())) {
    words_ = 0;
  } else {
    words_ = average_slack <= 28 ? 1 : average_slack <= 56 ? 2 : average_slack <= 115 ? 4 : 8;
  }
}

std::uint64_t SignatureIndex::bytes() const {
  return lists_.size() * sizeof(List) + (postings_.size() + signatures_.size() + whole_.size()) * sizeof(std::uint64_t);
}

}  // namespace neardup::joins
