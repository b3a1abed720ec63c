// How are the documents of a term stored in few bytes, how does a search read only some of them, and what does each add
// to a score?
//
// Rows ascend and counts are small, so both are written in as many bits as the largest of 128 neighbours needs: rows as
// the gap to the one before, less one (a term of every document takes no bits), counts less one. The values of a block
// are in four adjacent lanes, which four-wide registers unpack. A header next to a block says where it ends and
// how much it can add to a score, so that it is skipped unread.
//
// While an index is built, postings are bytes instead: lists are short, and read again just once.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "clean/results.h"

namespace neardup::clean {

inline constexpr unsigned kBlock = 128;  // postings
using BlockValues = std::array<std::uint32_t, kBlock>;

struct Block {
  DocumentNumber last;  // its largest row
  std::uint32_t place;  // in units of 16 bytes from the beginning of the term's data
  float bound;          // no posting adds more than this many 2^-30 to a score
  std::uint8_t count;   // postings, 1 to 128
  std::uint8_t row_bits, count_bits;
};

// Puts the postings of a term into blocks. `before` is the last row of the block before it, -1 as a DocumentNumber for
// the first. Precondition: rows ascend from `before`, counts are at least 1. Sets everything but the bound.
Block write_block(std::span<const DocumentNumber> rows, std::span<const std::uint32_t> counts, DocumentNumber before,
                  std::vector<std::byte>& data);

// After the last row come rows larger than any.
void read_rows(const std::byte* data, const Block&, DocumentNumber before, BlockValues& rows);
void read_counts(const std::byte* data, const Block&, BlockValues& counts);
[[nodiscard]] std::uint32_t read_count(const std::byte* data, const Block&, unsigned position);

// A score in units of 2^-30: sums are exact, whatever their order.
using Units = std::int64_t;
inline constexpr double kUnitsPerOne = 1 << 30;
inline constexpr double kLargestK1 = 1000;  // keeps what a term adds below 2^45 units

// A count beyond this is taken as this, which signed lanes can hold.
inline constexpr std::uint32_t kMostCount = (1u << 31) - 1;

// weight * count / (count + norm), rounded. Never nothing, so that a document that has a word of the query has a score.
inline Units contribution(double weight, std::uint32_t count, double norm) {
  constexpr double kRounder = 0x1.8p52;  // nothing behind the point survives its addition
  const auto times = static_cast<double>(static_cast<std::int32_t>(count));
  double value = weight * times / (times + norm);
  value = value < 1.0 ? 1.0 : value;
  return std::bit_cast<Units>(value + kRounder) - std::bit_cast<Units>(kRounder);
}

// The same for postings first to last (excluded) of a block; the others are left as they are.
inline void contributions(double weight, const BlockValues& rows, const BlockValues& counts, const double* norms,
                          unsigned first, unsigned last, std::array<Units, kBlock>& out) {
  std::array<double, kBlock> norm;  // gathered first: the other loop then runs in vector registers
  for (unsigned i = first; i < last; ++i) norm[i] = norms[rows[i]];
  for (unsigned i = first; i < last; ++i) out[i] = contribution(weight, counts[i], norm[i]);
}

// Seven bits a byte, the lowest first.
void append_varint(std::vector<std::byte>& out, std::uint64_t value);
inline std::uint64_t read_varint(const std::byte*& from) {
  auto byte = static_cast<std::uint64_t>(*from++);
  if (byte < 128) return byte;
  std::uint64_t value = byte & 127;
  for (unsigned shift = 7;; shift += 7) {
    byte = static_cast<std::uint64_t>(*from++);
    value |= (byte & 127) << shift;
    if (byte < 128) return value;
  }
}

// One posting after the other: the gap and whether the word occurs more than once, and if so how often.
inline void append_posting(std::vector<std::byte>& out, DocumentNumber gap, std::uint32_t count) {
  append_varint(out, std::uint64_t{gap} << 1 | (count > 1 ? 1 : 0));
  if (count > 1) append_varint(out, count - 2);
}
struct GapAndCount {
  DocumentNumber gap;
  std::uint32_t count;
};
inline GapAndCount read_posting(const std::byte*& from) {
  const std::uint64_t code = read_varint(from);
  const auto count = (code & 1) != 0 ? static_cast<std::uint32_t>(read_varint(from)) + 2 : 1u;
  return {static_cast<DocumentNumber>(code >> 1), count};
}

// Bytes that are written once and released all together. What `add` returns stays where it is.
class ByteArena {
 public:
  struct Chunk {
    std::unique_ptr<std::byte[]> bytes;
    std::size_t used = 0, size = 0;
  };
  const std::byte* add(std::span<const std::byte>);
  [[nodiscard]] const std::vector<Chunk>& chunks() const { return chunks_; }
  [[nodiscard]] std::uint64_t memory_bytes() const;

 private:
  std::vector<Chunk> chunks_;
};

}  // namespace neardup::clean
