// How is one copy of the fingerprints stored so that those with given leading bits are found at once?
//
// Two layouts. The paper's (Sood & Loguinov 2011, section 6.2): ascending codes and a directory of 2^t places. Ours:
// lines of 64 bytes, so that a place costs one access to memory instead of two.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "hamming/flip_plan.h"
#include "hamming/line_walk.h"

namespace neardup::hamming {

// A place is one value of the `header_bits` leading bits. In both layouts entries are numbered in ascending order of
// their codes. Threads: const members may run concurrently.
class SortedLayout {
 public:
  // The paper stops after a number of sets that is the same for all queries, taken in order of probability.
  static constexpr bool kInOrder = true;

  SortedLayout(SortedCodes codes, unsigned header_bits);
  [[nodiscard]] unsigned header_bits() const { return header_bits_; }
  [[nodiscard]] std::uint64_t memory_bytes() const;
  [[nodiscard]] std::string describe() const;
  static std::uint64_t expected_bytes(std::uint64_t codes, unsigned header_bits) {
    return codes * 8 + (std::uint64_t{4} << header_bits);
  }

  // flips(query, emit) calls emit(mask) for the header bits to flip in each place. hit(query, code, entry) says whether
  // the query wants more.
  template <class Flips, class Hit>
  WalkCounts look(std::span<const std::uint64_t> queries, std::size_t first, std::size_t last, unsigned distance,
                  const Flips& flips, const Hit& hit) const {
    const neardup_kernels& kernels = simd::kernels();
    WalkCounts counts;
    std::vector<std::uint32_t> places;
    std::vector<std::uint32_t> near(kMostOfAPlace + 8);
    for (std::size_t query = first; query < last; ++query) {
      const std::uint64_t bits = queries[query];
      places.clear();
      flips(query, [&](std::uint32_t mask) {
        places.push_back(static_cast<std::uint32_t>(bits >> (64 - header_bits_)) ^ mask);
        __builtin_prefetch(&begins_[places.back()]);
      });
      for (const std::uint32_t place : places) __builtin_prefetch(&codes_[begins_[place]]);
      counts.most_places = std::max<std::uint64_t>(counts.most_places, places.size());
      bool wants_more = true;
      for (std::size_t i = 0; i < places.size() && wants_more; ++i) {
        const std::size_t begin = begins_[places[i]], size = begins_[places[i] + 1] - begin;
        const std::size_t part = std::min(size, kMostOfAPlace);
        ++counts.probes;
        counts.cut_short += part < size ? 1 : 0;
        counts.compared += part;
        const std::size_t found = kernels.filter_signatures(codes_.data() + begin, part, bits, distance, near.data());
        for (std::size_t j = 0; j < found && wants_more; ++j) {
          const std::size_t entry = begin + near[j];
          wants_more = hit(query, codes_[entry], static_cast<Entry>(entry));
        }
      }
    }
    return counts;
  }

 private:
  unsigned header_bits_;
  SortedCodes codes_;
  std::vector<std::uint32_t> begins_;  // by place, and the end
};

class LineLayout {
 public:
  // Every query stops where sets become less probable than a limit.
  static constexpr bool kInOrder = false;

  LineLayout(std::span<const std::uint64_t> codes, unsigned header_bits)
      : table_(codes, KeyHalf::high, header_bits, PlainKey(header_bits)) {}
  [[nodiscard]] unsigned header_bits() const { return table_.store().line_bits(); }
  [[nodiscard]] std::uint64_t memory_bytes() const { return table_.store().memory_bytes(); }
  [[nodiscard]] std::string describe() const;

  // As above, but hits come from many queries at a time, and all of them.
  template <class Flips, class Hit>
  WalkCounts look(std::span<const std::uint64_t> queries, std::size_t first, std::size_t last, unsigned distance,
                  const Flips& flips, const Hit& hit) const {
    LineWalk walk({&table_, nullptr});
    const unsigned shift = 64 - header_bits();
    return walk.run(
        queries, first, last, distance,
        [&](std::size_t query, const auto& emit) {
          const auto header = static_cast<std::uint32_t>(queries[query] >> shift);
          flips(query, [&](std::uint32_t mask) { emit(0, header ^ mask); });
        },
        [&](std::uint64_t query, std::uint32_t, std::uint64_t code, Entry entry) { hit(query, code, entry); });
  }

 private:
  PlainTable table_;
};

}  // namespace neardup::hamming
