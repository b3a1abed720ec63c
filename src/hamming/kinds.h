// The kinds of index, one per file, and what they are made from.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "neardup/hamming.h"

namespace neardup::hamming {

template <class Bits>
struct BuildOf {
  std::span<const Bits> bits;
  const HammingOptions& options;
  const Context& context;
};
using Build = BuildOf<std::uint64_t>;

// Throws Error{usage} that names the kinds there are.
const HammingKind& kind_by_name(std::string_view);

// What an index takes in memory when its fingerprints are spread like random ones. Those that crowd may take more,
// which shows only when the index is built.
struct MemoryNeed {
  std::uint64_t fixed = 0, row = 0;  // of the index, and for each row
  std::uint64_t building = 0;        // for each row while the index is built, besides the index
  [[nodiscard]] std::uint64_t bytes(std::uint64_t rows) const { return fixed + rows * row; }
};
// The least with which an index can be built; memory_bytes of the options does not matter.
MemoryNeed memory_need(const HammingOptions&);

// Compares everything with everything. What the others are tested against.
std::unique_ptr<HammingIndex> make_scan(const Build&);
std::unique_ptr<WideHammingIndex> make_scan(const BuildOf<WideBits>&);
// Sorted permuted copies, searched by their leading bits (Manku et al. 2007, section 3.1).
std::unique_ptr<HammingIndex> make_block_tables(const Build&);
std::unique_ptr<WideHammingIndex> make_block_tables(const BuildOf<WideBits>&);
// The same tables, compressed, decoded block by block (section 3.2; and Elias-Fano).
std::unique_ptr<HammingIndex> make_compressed_tables(const Build&);
// Ours: direct addresses, few cache lines a query, many queries at once.
std::unique_ptr<HammingIndex> make_fast(const Build&);
// One copy of the data; the query's least certain bits are flipped first (Sood & Loguinov 2011).
std::unique_ptr<HammingIndex> make_volatile_bits(const Build&);
// Two copies, each searched at the query's least certain bits.
std::unique_ptr<HammingIndex> make_hybrid(const Build&);

}  // namespace neardup::hamming
