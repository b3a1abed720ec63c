// Fingerprints of several shapes, and what a search among them must find.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <ostream>
#include <span>
#include <tuple>
#include <vector>

#include "base/random.h"
#include "neardup/hamming.h"

namespace neardup {

// What a failed expectation shows.
inline void PrintTo(const Pair& pair, std::ostream* out) {
  *out << "(" << pair.left << ", " << pair.right << ", " << pair.score << ")";
}
inline void PrintTo(const HammingOptions& options, std::ostream* out) {
  *out << options.kind << ", design " << options.design << ", code " << options.code << ", distance "
       << options.distance;
}

}  // namespace neardup

namespace neardup::hamming::test {

using Codes = std::vector<std::uint64_t>;
using WideCodes = std::vector<WideBits>;

inline unsigned bits_apart(std::uint64_t a, std::uint64_t b) { return static_cast<unsigned>(std::popcount(a ^ b)); }
inline unsigned bits_apart(const WideBits& a, const WideBits& b) {
  return bits_apart(a.high, b.high) + bits_apart(a.low, b.low);
}

inline Codes random_codes(base::Random& random, std::size_t count, std::uint64_t mask = ~std::uint64_t{0}) {
  Codes codes(count);
  for (std::uint64_t& code : codes) code = random.next() & mask;
  return codes;
}

// The same code with up to `most` bits flipped.
inline std::uint64_t edited(base::Random& random, std::uint64_t code, unsigned most) {
  for (std::uint64_t flips = random.below(most + 1); flips > 0; --flips) code ^= std::uint64_t{1} << random.below(64);
  return code;
}

// Edited copies of `from`, and as many codes that resemble none.
inline Codes edited_codes(base::Random& random, const Codes& from, std::size_t count, unsigned most) {
  Codes codes;
  for (std::size_t i = 0; i < count && !from.empty(); ++i) {
    codes.push_back(edited(random, from[random.below(from.size())], most));
    codes.push_back(random.next());
  }
  return codes;
}

struct CollectPairs final : PairSink {
  bool accept(std::span<const Pair> batch) override {
    pairs.insert(pairs.end(), batch.begin(), batch.end());
    return true;
  }
  std::vector<Pair> pairs;
};

inline std::vector<Pair> in_order(std::vector<Pair> pairs) {
  std::ranges::sort(pairs, [](const Pair& a, const Pair& b) {
    return std::tie(a.left, a.right, a.score) < std::tie(b.left, b.right, b.score);
  });
  return pairs;
}

struct Searched {
  std::vector<Pair> pairs;  // in order
  SearchStats stats;
};

template <class Bits>
Searched search(const HammingIndexOf<Bits>& index, const std::vector<Bits>& queries, const SearchOptions& options,
                unsigned threads = 1) {
  CollectPairs sink;
  Context context{.threads = threads};
  SearchStats stats = index.search({.bits = queries}, options, sink, context);
  return {in_order(std::move(sink.pairs)), std::move(stats)};
}

// By comparing everything, without the library's help.
template <class Bits>
std::vector<Pair> naive_search(const std::vector<Bits>& rows, const std::vector<Bits>& queries,
                               const SearchOptions& options) {
  std::vector<Pair> pairs;
  for (std::size_t query = 0; query < queries.size(); ++query) {
    for (std::size_t row = 0; row < rows.size(); ++row) {
      const unsigned distance = bits_apart(rows[row], queries[query]);
      if (distance > options.distance) continue;
      pairs.push_back({.left = query, .right = row, .score = static_cast<double>(distance)});
      if (options.matches == MatchKind::first) break;
    }
  }
  return pairs;
}

}  // namespace neardup::hamming::test
