// Which designs of tables are worth a look, and which one suits size and memory?
#pragma once

#include <cstdint>
#include <string_view>

#include "neardup/hamming.h"

namespace neardup::hamming {

// What tables take, in bytes.
struct TableSizes {
  std::uint64_t rows = 0;  // whatever the design
  std::uint64_t first = 0, further = 0;
  [[nodiscard]] std::uint64_t of(std::size_t tables) const { return rows + first + (tables - 1) * further; }
};

// As choose_design(n, width, distance, memory_bytes), for tables of known sizes. The plan has no tables when no design
// leaves fewer to compare than there are. Throws Error{limit}.
PlanChoice choose_plan(std::string_view kind, std::uint64_t n, unsigned width, unsigned distance,
                       std::uint64_t memory_bytes, const TableSizes&);

}  // namespace neardup::hamming
