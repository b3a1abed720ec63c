// Fingerprints of every awkward kind, and the plain answer to compare with.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "base/random.h"
#include "neardup/hamming.h"

namespace neardup::hamming {

using Codes = std::vector<std::uint64_t>;

struct Hit {
  std::uint64_t left, right;
  unsigned distance;
  friend auto operator<=>(const Hit&, const Hit&) = default;
};
inline void PrintTo(const Hit& hit, std::ostream* out) {
  *out << "(" << hit.left << ", " << hit.right << ", " << hit.distance << ")";
}
using Hits = std::vector<Hit>;

class Collect final : public PairSink {
 public:
  bool accept(std::span<const Pair> pairs) override {
    for (const Pair& pair : pairs) hits_.push_back({pair.left, pair.right, static_cast<unsigned>(pair.score)});
    return true;
  }
  Hits sorted() {
    std::sort(hits_.begin(), hits_.end());
    return hits_;
  }

 private:
  Hits hits_;
};

inline Hits naive_search(const Codes& base, const Codes& queries, unsigned distance, MatchKind matches) {
  Hits hits;
  for (std::size_t q = 0; q < queries.size(); ++q) {
    for (std::size_t i = 0; i < base.size(); ++i) {
      const auto d = static_cast<unsigned>(std::popcount(base[i] ^ queries[q]));
      if (d > distance) continue;
      hits.push_back({q, i, d});
      if (matches == MatchKind::first) break;
    }
  }
  return hits;
}

inline Hits naive_join(const Codes& codes, unsigned distance) {
  Hits hits;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    for (std::size_t j = i + 1; j < codes.size(); ++j) {
      const auto d = static_cast<unsigned>(std::popcount(codes[i] ^ codes[j]));
      if (d <= distance) hits.push_back({i, j, d});
    }
  }
  return hits;
}

inline std::uint64_t flipped(std::uint64_t code, unsigned bits, base::Random& random) {
  for (unsigned i = 0; i < bits; ++i) code ^= std::uint64_t{1} << random.below(64);
  return code;
}

struct Shape {
  std::string name;
  Codes (*make)(std::size_t n, std::uint64_t seed);
};

inline void PrintTo(const Shape& shape, std::ostream* out) { *out << shape.name; }

inline Codes uniform_codes(std::size_t n, std::uint64_t seed) {
  base::Random random(seed);
  Codes codes(n);
  for (auto& code : codes) code = random.next();
  return codes;
}
// Families of copies and of codes a few bits apart.
inline Codes clustered_codes(std::size_t n, std::uint64_t seed) {
  base::Random random(seed);
  Codes codes;
  while (codes.size() < n) {
    const std::uint64_t centre = random.next();
    for (std::uint64_t i = random.below(9); i > 0 && codes.size() < n; --i) {
      codes.push_back(flipped(centre, static_cast<unsigned>(random.below(5)), random));
    }
  }
  for (std::size_t i = n; i > 1; --i) std::swap(codes[i - 1], codes[random.below(i)]);
  return codes;
}
inline Codes masked_codes(std::size_t n, std::uint64_t seed, std::uint64_t mask) {
  Codes codes = uniform_codes(n, seed);
  for (auto& code : codes) code = 0x0123456789ABCDEF ^ (code & mask);
  return codes;
}

inline std::vector<Shape> shapes() {
  return {
      {"Uniform", uniform_codes},
      {"Clustered", clustered_codes},
      {"AllEqual", [](std::size_t n, std::uint64_t) { return Codes(std::min<std::size_t>(n, 300), 0xFEEDFACE); }},
      {"SharedHighHalf", [](std::size_t n, std::uint64_t s) { return masked_codes(n, s, 0xFFFFFFFF); }},
      {"SharedLowHalf", [](std::size_t n, std::uint64_t s) { return masked_codes(n, s, 0xFFFFFFFF00000000); }},
      {"Shared48Bits", [](std::size_t n, std::uint64_t s) { return masked_codes(n, s, 0xFFFF00); }},
      {"EveryThirdBit", [](std::size_t n, std::uint64_t s) { return masked_codes(n, s, 0x9249249249249249); }},
      {"OneBall",  // all within two bits of one another's centre
       [](std::size_t n, std::uint64_t s) {
         base::Random random(s);
         Codes codes(std::min<std::size_t>(n, 800));
         for (auto& code : codes) code = flipped(0x5555AAAA5555AAAA, 2, random);
         return codes;
       }},
  };
}

// Half of them from the base with up to five bits flipped, half of anything; copies among them.
inline Codes queries_for(const Codes& base, std::size_t n, std::uint64_t seed) {
  base::Random random(seed);
  Codes queries(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t from = base.empty() || i % 4 == 0 ? random.next() : base[random.below(base.size())];
    queries[i] = i % 16 == 7 ? queries[i / 2] : flipped(from, static_cast<unsigned>(random.below(6)), random);
  }
  return queries;
}

}  // namespace neardup::hamming
