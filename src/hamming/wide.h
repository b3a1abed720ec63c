// How do the same tables serve fingerprints of 64 and of 128 bits?
//
// Inside, a fingerprint is a number: its leading bits are what a sorted table is searched by.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "hamming/distinct.h"
#include "hamming/sorted_codes.h"
#include "neardup/hamming.h"
#include "simd/dispatch.h"

namespace neardup::hamming {

inline std::uint64_t to_code(std::uint64_t bits) { return bits; }
inline Code128 to_code(const WideBits& bits) { return Code128{bits.high} << 64 | bits.low; }

template <class Bits>
using CodeOf = decltype(to_code(Bits{}));

inline unsigned distance_of(std::uint64_t a, std::uint64_t b) { return static_cast<unsigned>(std::popcount(a ^ b)); }
inline unsigned distance_of(Code128 a, Code128 b) {
  const Code128 different = a ^ b;
  return static_cast<unsigned>(std::popcount(static_cast<std::uint64_t>(different >> 64)) +
                               std::popcount(static_cast<std::uint64_t>(different)));
}

// The places, ascending, of the codes that differ from the query in at most `most` bits. `out` has room for 8 more than
// there are codes.
inline std::size_t filter_codes(std::span<const std::uint64_t> codes, std::uint64_t query, unsigned most,
                                std::uint32_t* out) {
  return simd::kernels().filter_signatures(codes.data(), codes.size(), query, most, out);
}
inline std::size_t filter_codes(std::span<const Code128> codes, Code128 query, unsigned most, std::uint32_t* out) {
  std::size_t found = 0;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    out[found] = static_cast<std::uint32_t>(i);
    found += distance_of(codes[i], query) <= most ? 1 : 0;
  }
  return found;
}

// What RowLists is to 64 bits; it need not be as small.
class WideRows {
 public:
  WideRows() = default;
  WideRows(std::vector<Row> rows, std::vector<Row> starts) : rows_(std::move(rows)), starts_(std::move(starts)) {}

  [[nodiscard]] Row first(Entry entry) const { return rows_[starts_[entry]]; }
  template <class Visit>
  void each(Entry entry, Visit visit) const {
    for (std::size_t i = starts_[entry]; i < starts_[entry + 1]; ++i) visit(rows_[i]);
  }
  [[nodiscard]] std::uint64_t total_rows() const { return rows_.size(); }
  [[nodiscard]] std::uint64_t memory_bytes() const { return (rows_.size() + starts_.size()) * sizeof(Row); }

 private:
  std::vector<Row> rows_;    // by entry, ascending within
  std::vector<Row> starts_;  // by entry, and the end
};

struct WideDistinct {
  std::vector<Code128> codes;
  WideRows rows;
};

inline WideDistinct find_distinct(std::span<const WideBits> bits, const Context& context) {
  const auto sorted = sorted_codes<Code128>(bits.size(), context, [&](std::size_t i) { return to_code(bits[i]); });
  std::vector<Code128> codes;
  std::vector<Row> rows, starts;
  rows.reserve(sorted.size());
  for (const Numbered<Code128>& each : sorted) {
    if (codes.empty() || codes.back() != each.code) {
      codes.push_back(each.code);
      starts.push_back(static_cast<Row>(rows.size()));
    }
    rows.push_back(each.number);
  }
  starts.push_back(static_cast<Row>(rows.size()));
  return {.codes = std::move(codes), .rows = {std::move(rows), std::move(starts)}};
}

template <class Bits>
using RowsOf = decltype(find_distinct(std::span<const Bits>{}, std::declval<const Context&>()).rows);

}  // namespace neardup::hamming
