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

// In 256ths; what exceeds the range lets everything pass, as signatures of at most 512 bits cannot tell more.
inline std::int32_t allowance(std::int64_t slack, std::uint64_t position) {
  constexpr std::int64_t kMost = std::int64_t{1} << 29;
  if (slack > kMost) return kMost;
  const std::int64_t left = slack - static_cast<std::int64_t>(position) * 256;
  return static_cast<std::int32_t>(left < -kMost ? -kMost : left);
}

// The bit of a signature that a token flips. kernels.h has the same.
struct SignatureBit {
  std::uint32_t word;
  std::uint64_t bit;
};
inline SignatureBit signature_bit(Rank token, std::size_t words) {
  const std::uint32_t h = token * 0x9e3779b1u >> 16;
  return {static_cast<std::uint32_t>((h >> 6) & (words - 1)), std::uint64_t{1} << (h & 63)};
}

// How many of a set's visible tokens belong to its prefix of a given length.
inline std::uint32_t visible_prefix(const OrderedSets& sets, Place place, std::uint64_t min_overlap) {
  const std::uint64_t size = sets.full_size(place);
  if (min_overlap > size) return 0;
  const std::uint64_t prefix = size - min_overlap + 1, hidden = sets.hidden(place);
  return prefix > hidden ? static_cast<std::uint32_t>(prefix - hidden) : 0;
}

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

// Sets enter in ascending order of place, one by one or in blocks; in between any number of threads may look.
class SignatureIndex {
 public:
  // Makes room for all sets. Throws Error{limit} when there are more postings than 32 bits can count.
  explicit SignatureIndex(const SetJoin&);

  // Adds the sets [first, last), on all threads.
  template <class M>
  void insert_block(Place first, Place last);
  // Adds one set's tokens with ranks in [low, high), and forgets postings of sets before `least_place` in their lists.
  // The set's own signature must be there.
  template <class M>
  void insert(Place, const PrefixBounds<M>&, Place least_place, Rank low, Rank high);
  void make_signature(Place);

  // Words of a signature: 0 (lists so short that signatures would not pay), 1, 2, 4 or 8.
  [[nodiscard]] std::size_t words() const { return words_; }
  [[nodiscard]] std::size_t stride() const { return entries_ + kPadding; }

  // A list's postings, in ascending order of place: [first, last).
  struct List {
    std::uint32_t first, last;
    [[nodiscard]] bool empty() const { return first >= last; }
    [[nodiscard]] std::uint32_t size() const { return last - first; }
  };
  // The lists of one side, by token.
  [[nodiscard]] const List* lists(unsigned side) const { return lists_.data() + std::size_t{side} * universe_; }
  [[nodiscard]] Place place(std::uint32_t posting) const { return static_cast<Place>(head(posting)); }
  // Its allowance << 32 | place.
  [[nodiscard]] std::uint64_t head(std::uint32_t posting) const { return postings_[posting * pitch_]; }
  [[nodiscard]] const void* address(std::uint32_t posting) const { return postings_.data() + posting * pitch_; }
  // Where the list's token stands among the visible tokens of the posting's set.
  [[nodiscard]] std::uint32_t position(std::uint32_t posting, Place place, Rank token) const {
    const std::uint32_t size = sets_.full_size(place);
    if (size < slacks_.size()) {
      const auto allowed = static_cast<std::int32_t>(head(posting) >> 32);
      return static_cast<std::uint32_t>((slacks_[size] - allowed) / 256) - sets_.hidden(place);
    }
    const auto tokens = sets_.tokens(place);
    return static_cast<std::uint32_t>(std::lower_bound(tokens.begin(), tokens.end(), token) - tokens.begin());
  }
  [[nodiscard]] const std::uint64_t* postings() const { return postings_.data(); }
  [[nodiscard]] const std::uint64_t* more_words() const { return more_words_.data(); }
  // The signature of a whole set that was inserted. Precondition: words() > 0.
  [[nodiscard]] const std::uint64_t* signature(Place place) const {
    return whole_.data() + std::size_t{place} * words_;
  }

  [[nodiscard]] std::uint64_t entries() const { return entries_; }
  [[nodiscard]] std::uint64_t bytes() const;

 private:
  static constexpr std::size_t kPadding = 8;  // postings that kernels may read behind the last
  // A list that nobody but its only owner would look at has no room, and is told by first > last.
  static constexpr List kUseless{1, 0};

  template <class M>
  void make_room();
  void prefetch(Place place, Place last, std::uint32_t prefix, Rank low, Rank high) const;
  void choose_words(double average_slack, double expected_looks);

  const SetJoin& join_;
  const OrderedSets& sets_;
  const neardup_kernels& kernels_;
  Rank universe_;
  std::size_t words_ = 0;
  std::uint64_t entries_ = 0;
  std::vector<std::int32_t> slacks_;  // by size, as far as allowances tell positions
  base::ZeroedArray<List> lists_;
  std::size_t pitch_ = 1;                        // words from one posting to the next
  base::ZeroedArray<std::uint64_t> postings_;    // the head, and the first word of the signature
  base::ZeroedArray<std::uint64_t> more_words_;  // word after word, each for all postings
  base::ZeroedArray<std::uint64_t> whole_;       // by place
};

inline void SignatureIndex::make_signature(Place place) {
  const auto tokens = sets_.tokens(place);
  kernels_.parity(tokens.data(), tokens.size(), words_, whole_.data() + std::size_t{place} * words_);
}

template <class M>
void SignatureIndex::insert(Place place, const PrefixBounds<M>& bounds, Place least_place, Rank low, Rank high) {
  constexpr std::uint32_t kLong = 64;  // a list in which it pays to forget
  const auto tokens = sets_.tokens(place);
  const std::uint32_t indexed = visible_prefix(sets_, place, bounds.least_in_index);
  const std::uint32_t hidden = sets_.hidden(place);
  List* const own = lists_.data() + std::size_t{sets_.side(place)} * universe_;
  std::array<std::uint64_t, 8> rest{};
  if (words_ > 0 && indexed > 0) std::copy_n(signature(place), words_, rest.begin());
  for (std::uint32_t k = 0; k < indexed && tokens[k] < high; ++k) {
    if (words_ > 0) {
      const SignatureBit flip = signature_bit(tokens[k], words_);
      rest[flip.word] ^= flip.bit;
    }
    if (tokens[k] < low) continue;
    List& list = own[tokens[k]];
    if (list.first > list.last) continue;
    if (list.size() >= kLong) {
      while (list.first < list.last && this->place(list.first) < least_place) ++list.first;
    }
    std::uint64_t* const posting = postings_.data() + list.last * pitch_;
    posting[0] = std::uint64_t{static_cast<std::uint32_t>(allowance(bounds.slack, hidden + k))} << 32 | place;
    if (words_ > 0) posting[1] = rest[0];
    for (std::size_t w = 1; w < words_; ++w) more_words_[(w - 1) * stride() + list.last] = rest[w];
    ++list.last;
  }
}

}  // namespace neardup::joins
