#include "clean/bm25_postings.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace neardup::clean {

namespace {

constexpr unsigned kLanes = 4;
constexpr unsigned kGroups = kBlock / kLanes;
constexpr std::size_t kUnit = 16;  // bytes: a 32-bit word of every lane
constexpr std::size_t kSmallestChunk = std::size_t{4} << 10, kLargestChunk = std::size_t{1} << 20;

using Lanes [[gnu::vector_size(kUnit)]] = std::uint32_t;

Lanes load(const void* from) {
  Lanes lanes;
  std::memcpy(&lanes, from, sizeof lanes);
  return lanes;
}

std::size_t units(unsigned count, unsigned bits) { return ((count + kLanes - 1) / kLanes * bits + 31) / 32; }

constexpr std::uint32_t mask(unsigned bits) { return bits == 32 ? ~0u : (1u << bits) - 1; }

void pack(const BlockValues& values, unsigned count, unsigned bits, std::vector<std::byte>& data) {
  const std::size_t begin = data.size();
  data.resize(begin + units(count, bits) * kUnit);
  std::byte* out = data.data() + begin;
  Lanes word{};
  unsigned filled = 0;  // bits of `word`, the same in every lane
  for (unsigned first = 0; bits != 0 && first < count; first += kLanes) {
    const Lanes value = load(values.data() + first);
    word |= value << filled;
    filled += bits;
    if (filled < 32) continue;
    out = std::copy_n(reinterpret_cast<const std::byte*>(&word), kUnit, out);
    filled -= 32;
    word = filled == 0 ? Lanes{} : value >> (bits - filled);
  }
  if (filled != 0) std::memcpy(out, &word, kUnit);
}

template <unsigned kBits, unsigned kGroup>
void unpack_group(const std::byte* in, std::uint32_t* out) {
  constexpr unsigned kPlace = kGroup * kBits, kWord = kPlace / 32, kShift = kPlace % 32;
  Lanes value = load(in + kWord * kUnit) >> kShift;
  if constexpr (kShift + kBits > 32) value |= load(in + (kWord + 1) * kUnit) << (32 - kShift);
  if constexpr (kShift + kBits != 32) value &= mask(kBits);
  std::memcpy(out + kGroup * kLanes, &value, kUnit);
}

template <unsigned kBits>
void unpack_all(const std::byte* in, std::uint32_t* out) {
  if constexpr (kBits == 0) {
    std::fill_n(out, kBlock, 0u);
  } else {
    [&]<unsigned... kGroup>(std::integer_sequence<unsigned, kGroup...>) { (unpack_group<kBits, kGroup>(in, out), ...); }
    (std::make_integer_sequence<unsigned, kGroups>{});
  }
}

using Unpack = void (*)(const std::byte*, std::uint32_t*);
constexpr auto kUnpack = []<unsigned... kBits>(std::integer_sequence<unsigned, kBits...>) {
  return std::array<Unpack, sizeof...(kBits)>{unpack_all<kBits>...};
}
(std::make_integer_sequence<unsigned, 33>{});

std::uint32_t value_at(const std::byte* in, unsigned bits, unsigned position) {
  if (bits == 0) return 0;
  const unsigned place = position / kLanes * bits, shift = place % 32;
  const std::byte* word = in + place / 32 * kUnit + position % kLanes * 4;
  std::uint32_t low = 0, high = 0;
  std::memcpy(&low, word, 4);
  if (shift + bits > 32) std::memcpy(&high, word + kUnit, 4);
  return static_cast<std::uint32_t>((std::uint64_t{high} << 32 | low) >> shift) & mask(bits);
}

void unpack(const std::byte* in, unsigned count, unsigned bits, BlockValues& out) {
  if (count == kBlock) {
    kUnpack[bits](in, out.data());
  } else {
    for (unsigned i = 0; i < count; ++i) out[i] = value_at(in, bits, i);
  }
}

// Gaps less one become rows.
void add_up_gaps(BlockValues& values, DocumentNumber before) {
  Lanes last = Lanes{} + before;
  for (unsigned first = 0; first < kBlock; first += kLanes) {
    Lanes rows = load(values.data() + first) + 1;
    rows += __builtin_shufflevector(Lanes{}, rows, 0, 4, 5, 6);
    rows += __builtin_shufflevector(Lanes{}, rows, 0, 1, 4, 5);
    rows += last;
    std::memcpy(values.data() + first, &rows, kUnit);
    last = __builtin_shufflevector(rows, rows, 3, 3, 3, 3);
  }
}

unsigned bits_for(const BlockValues& values, unsigned count) {
  std::uint32_t all = 0;
  for (unsigned i = 0; i < count; ++i) all |= values[i];
  return static_cast<unsigned>(std::bit_width(all));
}

}  // namespace

Block write_block(std::span<const DocumentNumber> rows, std::span<const std::uint32_t> counts, DocumentNumber before,
                  std::vector<std::byte>& data) {
  Block block{};
  const auto count = static_cast<unsigned>(rows.size());
  block.last = rows.back();
  block.place = static_cast<std::uint32_t>(data.size() / kUnit);
  block.count = static_cast<std::uint8_t>(count);
  BlockValues values{};
  for (unsigned i = 0; i < count; before = rows[i++]) values[i] = rows[i] - before - 1;
  unsigned bits = bits_for(values, count);
  block.row_bits = static_cast<std::uint8_t>(bits);
  pack(values, count, bits, data);
  values.fill(0);
  for (unsigned i = 0; i < count; ++i) values[i] = counts[i] - 1;
  bits = bits_for(values, count);
  block.count_bits = static_cast<std::uint8_t>(bits);
  pack(values, count, bits, data);
  return block;
}

void read_rows(const std::byte* data, const Block& block, DocumentNumber before, BlockValues& rows) {
  unpack(data + block.place * kUnit, block.count, block.row_bits, rows);
  add_up_gaps(rows, before);
  std::fill(rows.begin() + block.count, rows.end(), ~DocumentNumber{0});
}

void read_counts(const std::byte* data, const Block& block, BlockValues& counts) {
  const std::byte* place = data + (block.place + units(block.count, block.row_bits)) * kUnit;
  unpack(place, block.count, block.count_bits, counts);
  for (unsigned i = 0; i < block.count; ++i) ++counts[i];
}

std::uint32_t read_count(const std::byte* data, const Block& block, unsigned position) {
  const std::byte* place = data + (block.place + units(block.count, block.row_bits)) * kUnit;
  return value_at(place, block.count_bits, position) + 1;
}

void append_varint(std::vector<std::byte>& out, std::uint64_t value) {
  for (; value >= 128; value >>= 7) out.push_back(static_cast<std::byte>(value | 128));
  out.push_back(static_cast<std::byte>(value));
}

const std::byte* ByteArena::add(std::span<const std::byte> bytes) {
  if (chunks_.empty() || chunks_.back().size - chunks_.back().used < bytes.size()) {
    const std::size_t doubled = chunks_.empty() ? kSmallestChunk : std::min(2 * chunks_.back().size, kLargestChunk);
    const std::size_t size = std::max(doubled, bytes.size());
    chunks_.push_back({std::make_unique_for_overwrite<std::byte[]>(size), 0, size});
  }
  Chunk& chunk = chunks_.back();
  std::byte* begin = chunk.bytes.get() + chunk.used;
  std::copy(bytes.begin(), bytes.end(), begin);
  chunk.used += bytes.size();
  return begin;
}

std::uint64_t ByteArena::memory_bytes() const {
  std::uint64_t bytes = chunks_.capacity() * sizeof(Chunk);
  for (const Chunk& chunk : chunks_) bytes += chunk.used;  // the rest was never touched
  return bytes;
}

}  // namespace neardup::clean
