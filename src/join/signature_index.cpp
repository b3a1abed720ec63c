#include "join/signature_index.h"

#include <algorithm>
#include <limits>

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

SignatureIndex::SignatureIndex(const SetJoin& join) : universe_(join.sets.universe()) {
  similarity::with_measure(join.options.measure, [&]<class M>() { build<M>(join); });
}

template <class M>
void SignatureIndex::build(const SetJoin& join) {
  const OrderedSets& sets = join.sets;
  const std::size_t lists = std::size_t{universe_} * sets.sides();
  // begins_[list + 2] counts what a list will hold, probes[list] who will look at it.
  begins_.assign(lists + 2, 0);
  std::vector<std::uint32_t> probes(lists, 0);
  PrefixBounds<M> bounds(join.options.threshold);
  double slack = 0;
  for (Place place = 0; place < sets.size(); ++place) {
    bounds.at(sets.full_size(place));
    slack += static_cast<double>(bounds.slack) / 128;
    const auto tokens = sets.tokens(place);
    const std::size_t own = std::size_t{sets.side(place)} * universe_;
    const std::size_t other = std::size_t{sets.partner_side(place)} * universe_;
    const std::uint32_t indexed = visible_prefix(sets, place, bounds.least_in_index);
    const std::uint32_t probed = visible_prefix(sets, place, bounds.least_in_probe);
    for (std::uint32_t k = 0; k < indexed; ++k) ++begins_[own + tokens[k] + 2];
    for (std::uint32_t k = 0; k < probed; ++k) ++probes[other + tokens[k]];
  }

  // In a join with itself a list's only owner looks at it too.
  const std::uint32_t enough_probes = sets.sides() == 1 ? 2 : 1;
  double looks = 0;
  std::uint64_t entries = 0;
  std::vector<bool> is_useful(lists);
  for (std::size_t list = 0; list < lists; ++list) {
    std::uint32_t& count = begins_[list + 2];
    is_useful[list] = probes[list] >= enough_probes;
    if (!is_useful[list]) count = 0;
    looks += 0.5 * count * probes[list];
    entries += count;
    if (entries > std::numeric_limits<std::uint32_t>::max() - 64) {
      throw Error(ErrorCode::limit, "the index would have more than 2^32 entries; --memory SIZE makes smaller ones");
    }
    count = static_cast<std::uint32_t>(entries);
  }
  std::vector<std::uint32_t>().swap(probes);
  entries_ = entries;
  choose_words(join, sets.size() == 0 ? 0 : slack / static_cast<double>(sets.size()), looks);

  postings_ = base::ZeroedArray<std::uint64_t>(entries + kPadding);
  signatures_ = base::ZeroedArray<std::uint64_t>((entries + kPadding) * words_);
  whole_ = base::ZeroedArray<std::uint64_t>(std::size_t{sets.size()} * words_);
  const neardup_kernels& kernels = simd::kernels();
  bounds = PrefixBounds<M>(join.options.threshold);
  std::vector<std::uint64_t> rest(words_);
  for (Place place = 0; place < sets.size(); ++place) {
    bounds.at(sets.full_size(place));
    const auto tokens = sets.tokens(place);
    const std::size_t own = std::size_t{sets.side(place)} * universe_;
    const std::uint32_t indexed = visible_prefix(sets, place, bounds.least_in_index);
    const std::uint32_t probed = visible_prefix(sets, place, bounds.least_in_probe);
    if (words_ > 0 && probed > 0) {
      std::uint64_t* whole = whole_.data() + std::size_t{place} * words_;
      kernels.parity(tokens.data(), tokens.size(), words_, whole);
      std::copy(whole, whole + words_, rest.begin());
    }
    for (std::uint32_t k = 0; k < indexed; ++k) {
      if (words_ > 0) {
        const SignatureBit flip = signature_bit(tokens[k], words_);
        rest[flip.word] ^= flip.bit;
      }
      const std::size_t list = own + tokens[k];
      if (!is_useful[list]) continue;
      std::uint32_t& next = begins_[list + 1];  // ends up at the list's end, which is where the next one begins
      postings_[next] =
          std::uint64_t{static_cast<std::uint32_t>(allowance(bounds.slack, sets.hidden(place) + k))} << 32 | place;
      for (std::size_t w = 0; w < words_; ++w) signatures_[w * stride() + next] = rest[w];
      ++next;
    }
  }
  begins_.pop_back();
}

// More bits tell more sets apart; about two bits for each token that partners may fail to share are enough.
void SignatureIndex::choose_words(const SetJoin& join, double average_slack, double expected_looks) {
  if (expected_looks * 4 < static_cast<double>(join.sets.total_tokens())) {
    words_ = 0;
  } else {
    words_ = average_slack <= 28 ? 1 : average_slack <= 56 ? 2 : average_slack <= 115 ? 4 : 8;
  }
}

std::uint64_t SignatureIndex::bytes() const {
  return begins_.size() * sizeof(std::uint32_t) +
         (postings_.size() + signatures_.size() + whole_.size()) * sizeof(std::uint64_t);
}

}  // namespace neardup::joins
