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

#include <cstdint>

#include "base/zeroed_array.h"
#include "join/algorithms.h"
#include "join/ordered_sets.h"

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

// Sets enter in ascending order of place, block by block; between two blocks any number of threads may look.
class SignatureIndex {
 public:
  // Makes room for all sets. Throws Error{limit} when there are more postings than 32 bits can count.
  explicit SignatureIndex(const SetJoin&);

  // Adds the sets [first, last) on all threads, and forgets postings of sets too small for them and all that follow.
  void insert(Place first, Place last);

  // Words of a signature: 0 (lists so short that signatures would not pay), 1, 2, 4 or 8.
  [[nodiscard]] std::size_t words() const { return words_; }
  [[nodiscard]] std::size_t stride() const { return postings_.size(); }

  // A list's postings, in ascending order of place: [first, last).
  struct List {
    std::uint32_t first, last;
    [[nodiscard]] bool empty() const { return first >= last; }
    [[nodiscard]] std::uint32_t size() const { return last - first; }
  };
  // The lists of one side, by token.
  [[nodiscard]] const List* lists(unsigned side) const { return lists_.data() + std::size_t{side} * universe_; }
  [[nodiscard]] Place place(std::uint32_t posting) const { return static_cast<Place>(postings_[posting]); }
  [[nodiscard]] const std::uint64_t* postings() const { return postings_.data(); }
  [[nodiscard]] const std::uint64_t* signatures() const { return signatures_.data(); }
  // The signature of a whole set that was inserted. Precondition: words() > 0.
  [[nodiscard]] const std::uint64_t* signature(Place place) const {
    return whole_.data() + std::size_t{place} * words_;
  }

  [[nodiscard]] std::uint64_t entries() const { return entries_; }
  [[nodiscard]] std::uint64_t bytes() const;

 private:
  // A list that nobody but its only owner would look at has no room, and is told by first > last.
  static constexpr List kUseless{1, 0};

  template <class M>
  void make_room();
  template <class M>
  void insert(Place first, Place last, Rank low, Rank high);
  void choose_words(double average_slack, double expected_looks);

  const SetJoin& join_;
  const OrderedSets& sets_;
  Rank universe_;
  std::size_t words_ = 0;
  std::uint64_t entries_ = 0;
  base::ZeroedArray<List> lists_;
  base::ZeroedArray<std::uint64_t> postings_;    // allowance << 32 | place; a few unused ones at the end
  base::ZeroedArray<std::uint64_t> signatures_;  // word after word, each for all postings
  base::ZeroedArray<std::uint64_t> whole_;       // by place
};

// How many of a set's visible tokens belong to its prefix of a given length.
inline std::uint32_t visible_prefix(const OrderedSets& sets, Place place, std::uint64_t min_overlap) {
  const std::uint64_t size = sets.full_size(place);
  if (min_overlap > size) return 0;
  const std::uint64_t prefix = size - min_overlap + 1, hidden = sets.hidden(place);
  return prefix > hidden ? static_cast<std::uint32_t>(prefix - hidden) : 0;
}

}  // namespace neardup::joins
