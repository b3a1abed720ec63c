#include "join/edit_segment_index.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/parallel.h"

namespace neardup::joins {
namespace {

static_assert(std::endian::native == std::endian::little, "hash_segment masks the bytes past the end");

// The bits of a signature that count a symbol: two in Gray code (00, 01, 11, 10) or one.
class SignatureBits {
 public:
  // Symbols are in descending order of frequency. With few of them, more can have two bits.
  explicit SignatureBits(std::uint32_t alphabet)
      : double_bits_(alphabet <= 32 ? 32 : std::max<std::uint32_t>(kLeastDouble, 64 - std::min(64u, alphabet))) {}

  template <class Symbol>
  [[nodiscard]] std::uint64_t of(std::span<const Symbol> text) const {
    std::uint64_t signature = 0;
    for (const std::uint32_t symbol : text) {
      if (symbol < double_bits_) {
        const std::uint64_t bits = signature >> (2 * symbol) & 3;
        signature ^= std::uint64_t{1 + ((bits ^ bits >> 1) & 1)} << (2 * symbol);
      } else {
        const std::uint32_t single = 64 - 2 * double_bits_;
        signature ^= std::uint64_t{1} << (2 * double_bits_ + (symbol - double_bits_) % single);
      }
    }
    return signature;
  }

 private:
  static constexpr std::uint32_t kLeastDouble = 16;
  std::uint32_t double_bits_;
};

std::uint64_t lookups_per_string(std::uint64_t max_distance) {
  return max_distance * max_distance / 2 + max_distance + 1;
}

std::uint64_t folded_product(std::uint64_t a, std::uint64_t b) {
  const auto product = static_cast<unsigned __int128>(a) * b;
  return static_cast<std::uint64_t>(product >> 64) ^ static_cast<std::uint64_t>(product);
}

}  // namespace

Segment segment_of(std::uint32_t string_length, std::uint32_t segments, std::uint32_t number) {
  const std::uint32_t least = string_length / segments, longer = string_length % segments;
  const std::uint32_t shorter = segments - longer;
  if (number < shorter) return {number * least, least};
  return {number * least + (number - shorter), least + 1};
}

template <class Symbol>
std::uint32_t hash_segment(const Symbol* symbols, std::size_t size) {
  constexpr std::uint64_t kFirst = 0x9e3779b97f4a7c15, kSecond = 0xd6e8feb86659fd93;
  const char* at = reinterpret_cast<const char*>(symbols);
  std::size_t bytes = size * sizeof(Symbol);
  std::uint64_t hash = kFirst ^ bytes, word;
  for (; bytes > 8; bytes -= 8, at += 8) {
    std::memcpy(&word, at, 8);
    hash = folded_product(hash ^ word, kFirst);
  }
  std::memcpy(&word, at, 8);
  word &= ~std::uint64_t{0} >> (64 - 8 * bytes);
  return static_cast<std::uint32_t>(folded_product(hash ^ word, kSecond) >> 32);
}
template std::uint32_t hash_segment(const std::uint8_t*, std::size_t);
template std::uint32_t hash_segment(const std::uint16_t*, std::size_t);
template std::uint32_t hash_segment(const std::uint32_t*, std::size_t);

SegmentTable::SegmentTable(std::vector<std::uint64_t> entries, std::span<const std::uint64_t> signatures)
    : places_(entries.size()), signatures_(entries.size()) {
  std::sort(entries.begin(), entries.end());
  lists_ = HashLists(entries);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    places_[i] = static_cast<StringPlace>(entries[i]);
    signatures_[i] = signatures[places_[i]];
  }
}

SegmentIndex::SegmentIndex(const StringSet& strings, std::uint32_t max_distance, std::uint64_t strings_per_lookup,
                           const Context& context)
    : groups_(strings.groups().data()), signatures_(strings.size()), tables_(strings.groups().size()) {
  strings.with_symbol_type([&]<class Symbol>() { build<Symbol>(strings, max_distance, strings_per_lookup, context); });
}

template <class Symbol>
void SegmentIndex::build(const StringSet& strings, std::uint32_t max_distance, std::uint64_t strings_per_lookup,
                         const Context& context) {
  const Symbol* symbols = strings.symbols<Symbol>();
  const auto groups = strings.groups();
  const SignatureBits bits(strings.alphabet());
  base::parallel_for(context, strings.size(), [&](std::size_t first, std::size_t last) {
    const StringSet::Group* group = nullptr;
    for (auto place = static_cast<StringPlace>(first); place < last; ++place) {
      if (group == nullptr || place >= group->last) group = &strings.group_of(place);
      signatures_[place] = bits.of(symbols_of(symbols, *group, place));
    }
  });

  const std::uint32_t segments = max_distance + 1;
  const std::uint64_t lookups = lookups_per_string(max_distance);
  const auto is_small = [&](const StringSet::Group& group) {
    return strings_per_lookup != 0 && group.size() / strings_per_lookup < lookups;
  };
  std::vector<std::pair<std::size_t, std::uint32_t>> jobs;  // group, segment
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (groups[g].length < segments || is_small(groups[g])) continue;
    tables_[g].resize(segments);
    for (std::uint32_t s = 0; s < segments; ++s) jobs.emplace_back(g, s);
  }
  base::parallel_for(context, jobs.size(), [&](std::size_t first, std::size_t last) {
    for (const auto& [g, s] : std::span(jobs).subspan(first, last - first)) {
      const StringSet::Group& group = groups[g];
      const Segment segment = segment_of(group.length, segments, s);
      std::vector<std::uint64_t> entries(group.size());
      const Symbol* at = symbols + group.symbols_begin + segment.start;
      for (StringPlace place = group.first; place < group.last; ++place, at += group.length) {
        entries[place - group.first] = std::uint64_t{hash_segment(at, segment.length)} << 32 | place;
      }
      tables_[g][s] = SegmentTable(std::move(entries), signatures_);
    }
  });
}

std::uint64_t SegmentIndex::entries() const {
  std::uint64_t sum = 0;
  for (const auto& tables : tables_) {
    for (const SegmentTable& table : tables) sum += table.entries();
  }
  return sum;
}

std::uint64_t SegmentIndex::bytes() const {
  std::uint64_t sum = signatures_.size() * sizeof(std::uint64_t);
  for (const auto& tables : tables_) {
    for (const SegmentTable& table : tables) sum += table.bytes();
  }
  return sum;
}

}  // namespace neardup::joins
