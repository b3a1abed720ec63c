// Where is what in the file of a segment?
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "index/bytes.h"
#include "index/set_segment.h"

namespace neardup::indexing {

inline constexpr std::uint64_t kSetSegmentMagic = 0x3130534745534E44;   // "DNSEGS01"
inline constexpr std::uint64_t kCodeSegmentMagic = 0x3130484745534E44;  // "DNSEGH01"
inline constexpr std::uint64_t kSegmentHeaderBytes = 128;
inline constexpr std::uint64_t kPart = 64;  // arrays begin at multiples of it

struct SegmentHeader {
  std::uint64_t magic = 0, definition = 0;
  SegmentFacts facts{};

  static SegmentHeader read(const char* bytes) {
    RowReader in({bytes, kSegmentHeaderBytes}, "the header");
    SegmentHeader header;
    header.magic = in.fixed();
    header.definition = in.fixed();
    for (std::uint64_t* value : {&header.facts.first, &header.facts.last, &header.facts.units, &header.facts.features,
                                 &header.facts.counters, &header.facts.buckets, &header.facts.postings}) {
      *value = in.fixed();
    }
    return header;
  }
  [[nodiscard]] std::string bytes() const {
    std::string out;
    append_fixed(out, magic);
    append_fixed(out, definition);
    for (const std::uint64_t value :
         {facts.first, facts.last, facts.units, facts.features, facts.counters, facts.buckets, facts.postings}) {
      append_fixed(out, value);
    }
    out.resize(kSegmentHeaderBytes);
    return out;
  }
};

// Where the arrays of a segment of sets begin.
struct SetArrays {
  explicit SetArrays(const SegmentFacts& facts) {
    constexpr std::uint64_t kMost = std::uint64_t{1} << 40;
    fits = facts.units <= UINT32_MAX && facts.counters < kMost && facts.buckets < kMost && facts.buckets > 0 &&
           facts.counters > 0 && facts.postings <= UINT32_MAX && facts.first <= facts.last &&
           facts.last - facts.first <= UINT32_MAX;
    if (!fits) return;
    std::uint64_t at = kSegmentHeaderBytes;
    const auto next = [&](std::uint64_t bytes) {
      const std::uint64_t begin = at;
      at += (bytes + kPart - 1) / kPart * kPart;
      return begin;
    };
    sizes = next(facts.units * sizeof(std::uint32_t));
    ids = next(facts.units * sizeof(std::uint32_t));
    counts = next((facts.counters + 1) / 2);
    offsets = next((facts.buckets + 1) * sizeof(std::uint32_t));
    remainders = next(facts.postings * sizeof(std::uint16_t));
    owners = next(facts.postings * sizeof(std::uint32_t));
    end = at;
  }
  bool fits = false;
  std::uint64_t sizes = 0, ids = 0, counts = 0, offsets = 0, remainders = 0, owners = 0, end = 0;
};

// Hashes are uniform: a place among `places`, and 16 bits of what the place does not say.
inline std::uint64_t place_in(Feature feature, std::uint64_t places) {
  return static_cast<std::uint64_t>((static_cast<unsigned __int128>(feature) * places) >> 64);
}
inline std::uint16_t remainder_in(Feature feature, std::uint64_t places) {
  return static_cast<std::uint16_t>((feature * places) >> 48);
}

// How common a feature is, in 4 bits: 0 never, 1 once, then doubling.
inline constexpr unsigned kCountClasses = 16;

// Features by how common they are; in the order of addition within a class.
class RarityClasses {
 public:
  void clear() {
    for (auto& features : classes_) features.clear();
  }
  void add(unsigned rarity, Feature feature) { classes_[rarity].push_back(feature); }
  // Appends the first ones, the rarest class first.
  void take(std::uint64_t count, std::vector<Feature>& out) const {
    for (const auto& features : classes_) {
      const std::uint64_t some = std::min<std::uint64_t>(count, features.size());
      out.insert(out.end(), features.begin(), features.begin() + static_cast<std::ptrdiff_t>(some));
      count -= some;
    }
  }

 private:
  std::array<std::vector<Feature>, kCountClasses> classes_;
};

}  // namespace neardup::indexing
