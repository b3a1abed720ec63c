// What does the signature join know of a set before it looks at it?
//
// Inverted lists over the index prefixes, as ppjoin has them. A posting also carries the parity signature of what
// follows its token in the set: each later token flips one bit. Two sets whose first common token stands at positions
// i and j (from 0) cannot share the i + j tokens before it, and of those after it they fail to share at least as many
// as their signatures differ in bits. So they are no partners when
//
//   i + j + popcount(sx ^ sy)  >  |x| + |y| - 2 min_overlap(|x|, |y|).
//
// The right side is bounded by a share of each set (measures.h), so that the posting can hold its own part: share minus
// position. A list is then scanned in order, without a look at any set.
//
// What is read is what it costs. So a posting is one word, with its signature folded to 16 bits, and the whole
// signature, where 16 bits are too few, stands elsewhere and is read for postings that pass the folded one. A list
// knows the last set that entered it: most lists that a set looks up hold none that is large enough, and are left
// alone. The others are scanned from the last posting back to the first one that is large enough.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "base/zeroed_array.h"
#include "join/algorithms.h"
#include "join/ordered_sets.h"
#include "simd/dispatch.h"

namespace neardup::joins {

// Allowances are in 16ths. Sets with more slack than this are told nothing by 512 bits: they pass, whatever they meet.
constexpr std::int64_t kMostSlack = 2047 * 16;

// Measures have it in 256ths. Rounded up.
inline std::int64_t in_16ths(std::int64_t slack) { return (slack + 15) / 16; }

// What a posting may still differ in, in 16 bits. What is cut off below lets more pass, not less.
inline std::int32_t allowance(std::int64_t slack, std::uint64_t position) {
  if (slack > kMostSlack) return kMostSlack;
  return static_cast<std::int32_t>(std::max<std::int64_t>(slack - static_cast<std::int64_t>(position) * 16, INT16_MIN));
}
// The same of a set that looks for partners. No slack of a smaller set exceeds that of a larger one, so that a posting
// that was cut off is met by such sets only as let everything pass.
inline std::int32_t budget(std::int64_t slack, std::uint64_t position) {
  constexpr std::int32_t kEverything = 1 << 20;
  return slack > kMostSlack ? kEverything : allowance(slack, position);
}

// The parity signature of some tokens. kernels.h has the same hash.
class Signature {
 public:
  static constexpr std::size_t kMostWords = 8;

  Signature() = default;
  // `words` may be 0, and still there is one to fold.
  Signature(const std::uint64_t* whole, std::size_t words) {
    std::copy_n(whole, words, words_.begin());
    std::uint64_t folded = whole[0];
    for (std::size_t w = 1; w < words; ++w) folded ^= whole[w];
    folded ^= folded >> 32;
    folded_ = static_cast<std::uint16_t>(folded ^ folded >> 16);
  }
  void flip(Rank token, std::size_t words) {
    const std::uint32_t h = token * 0x9e3779b1u >> 16;
    folded_ = static_cast<std::uint16_t>(folded_ ^ 1u << (h & 15));
    if (words > 0) words_[(h >> 6) & (words - 1)] ^= std::uint64_t{1} << (h & 63);
  }
  [[nodiscard]] std::uint16_t folded() const { return folded_; }
  [[nodiscard]] const std::array<std::uint64_t, kMostWords>& words() const { return words_; }

 private:
  std::array<std::uint64_t, kMostWords> words_{};
  std::uint16_t folded_ = 0;
};

// How many of a set's visible tokens belong to its prefix of a given length.
inline std::uint32_t visible_prefix(const OrderedSets& sets, Place place, std::uint64_t min_overlap) {
  const std::uint64_t size = sets.full_size(place);
  if (min_overlap > size) return 0;
  const std::uint64_t prefix = size - min_overlap + 1, hidden = sets.hidden(place);
  return prefix > hidden ? static_cast<std::uint32_t>(prefix - hidden) : 0;
}

// Bounds that depend on a set's size only. Sizes come in ascending order, so the last one asked for is remembered.
//
// Sets of one collection are distinct: where only copies would reach the threshold, those of the same size are no
// partners. At high thresholds small sets then have no possible partner at all.
template <class M>
class PrefixBounds {
 public:
  explicit PrefixBounds(const SetJoin& join) : threshold_(join.options.threshold), distinct_(join.sets.sides() == 1) {}
  // False when nothing has changed.
  bool at(std::uint32_t size) {
    if (size == size_) return false;
    size_ = size;
    least_in_index = M::min_overlap(size, size, threshold_);
    least_in_probe = M::min_overlap_any(size, threshold_);
    slack_in_index = in_16ths(M::slack_of_smaller(size, threshold_));
    slack_in_probe = in_16ths(M::slack_of_larger(size, threshold_));
    const bool none_of_this_size = distinct_ && least_in_index >= size;
    if (none_of_this_size && M::max_size(size, threshold_) <= size) least_in_index = kOutOfReach;
    if (none_of_this_size && M::min_size(size, threshold_) >= size) least_in_probe = kOutOfReach;
    return true;
  }
  std::uint64_t least_in_index = 0, least_in_probe = 0;  // overlaps, which give the prefixes
  std::int64_t slack_in_index = 0, slack_in_probe = 0;   // in 16ths

 private:
  static constexpr std::uint64_t kOutOfReach = UINT64_MAX;

  Threshold threshold_;
  bool distinct_;
  std::uint32_t size_ = 0;
};

// Sets enter in ascending order of place, one by one or in blocks; in between any number of threads may look.
class SignatureIndex {
 public:
  // Makes room for all sets. Throws Error{limit} when there are more postings than 32 bits can count.
  explicit SignatureIndex(const SetJoin&);

  // Adds the sets [first, last), on all threads.
  template <class M>
  void insert_block(Place first, Place last);
  // Adds one set's tokens with ranks in [low, high).
  template <class M>
  void insert(Place, const PrefixBounds<M>&, Rank low, Rank high);

  // A list's postings, in ascending order of place, end before `last`; the last one's place is `after` - 1.
  struct List {
    std::uint32_t last, after;
  };
  // The lists of one side, by token.
  [[nodiscard]] const List* lists(unsigned side) const { return lists_.data() + std::size_t{side} * universe_; }
  [[nodiscard]] std::uint32_t longest_list() const { return longest_list_; }

  // Brings the end of a list near.
  void prefetch(std::uint32_t last) const {
    __builtin_prefetch(postings_.data() + last - 1);
    if (words_ > 0) __builtin_prefetch(signatures_.data() + last - 1);
  }

  // What kernels scan. Places are one more there, so that there is one before all of them.
  [[nodiscard]] neardup_postings postings() const { return {postings_.data(), signatures_.data(), stride(), words_}; }
  [[nodiscard]] Place place(std::uint32_t posting) const { return static_cast<Place>(postings_[posting] >> 32) - 1; }
  // Where the list's token stands among the visible tokens of the posting's set.
  [[nodiscard]] std::uint32_t position(std::uint32_t posting, Place place, Rank token) const {
    const std::uint32_t size = sets_.full_size(place);
    if (size < slacks_.size()) {
      const std::int32_t allowed = static_cast<std::int32_t>(postings_[posting]) >> 16;
      return static_cast<std::uint32_t>(slacks_[size] - allowed) / 16 - sets_.hidden(place);
    }
    const auto tokens = sets_.tokens(place);
    return static_cast<std::uint32_t>(std::lower_bound(tokens.begin(), tokens.end(), token) - tokens.begin());
  }
  // Words of a whole signature: 0 (16 bits are enough), 1, 2, 4 or 8.
  [[nodiscard]] std::size_t words() const { return words_; }
  // Of all tokens of a set. In a block that was inserted any thread may ask for those of the block; else one alone may
  // ask, for any set.
  Signature signature(Place place) {
    if (place - first_known_ >= known_) know(place, place + 1);
    return {whole_.data() + std::size_t{place - first_known_} * kept_words(), words_};
  }

  [[nodiscard]] std::uint64_t entries() const { return entries_; }
  [[nodiscard]] std::uint64_t bytes() const;

 private:
  static constexpr std::size_t kPadding = 8;  // postings that kernels may read before the first

  template <class M>
  void make_room();
  void know(Place first, Place last);
  static std::size_t suitable_words(double average_slack, double looks_at_each);
  [[nodiscard]] std::size_t stride() const { return postings_.size(); }
  [[nodiscard]] std::size_t kept_words() const { return std::max<std::size_t>(1, words_); }

  const SetJoin& join_;
  const OrderedSets& sets_;
  const neardup_kernels& kernels_;
  Rank universe_;
  std::size_t words_ = 0;
  std::uint64_t entries_ = 0;
  std::vector<std::int32_t> slacks_;  // by size, as far as allowances tell positions
  base::ZeroedArray<List> lists_;     // all zero: one that nobody but its only owner would look at
  std::uint32_t longest_list_ = 0;
  base::ZeroedArray<std::uint64_t> postings_;
  base::ZeroedArray<std::uint64_t> signatures_;  // word after word, each for all postings
  // Signatures of the whole sets [first_known_, first_known_ + known_).
  Place first_known_ = 0, known_ = 0;
  std::vector<std::uint64_t> whole_;
};

template <class M>
void SignatureIndex::insert(Place place, const PrefixBounds<M>& bounds, Rank low, Rank high) {
  const auto tokens = sets_.tokens(place);
  const std::uint32_t indexed = visible_prefix(sets_, place, bounds.least_in_index);
  const std::uint32_t hidden = sets_.hidden(place);
  List* const own = lists_.data() + std::size_t{sets_.side(place)} * universe_;
  Signature rest;
  std::uint32_t flipped = 0;
  for (std::uint32_t k = 0; k < indexed && tokens[k] < high; ++k) {
    if (tokens[k] < low) continue;
    List& list = own[tokens[k]];
    if (list.last == 0) continue;
    if (flipped == 0) rest = signature(place);
    for (; flipped <= k; ++flipped) rest.flip(tokens[flipped], words_);
    const auto allowed = static_cast<std::uint16_t>(allowance(bounds.slack_in_index, hidden + k));
    postings_[list.last] = (std::uint64_t{place} + 1) << 32 | std::uint32_t{allowed} << 16 | rest.folded();
    for (std::size_t w = 0; w < words_; ++w) signatures_[w * stride() + list.last] = rest.words()[w];
    list = {list.last + 1, place + 1};
  }
}

}  // namespace neardup::joins
