// How do documents become postings, on one of many threads?
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "clean/bm25_index.h"
#include "clean/bm25_postings.h"
#include "clean/bm25_terms.h"

namespace neardup::clean {

// Terms are worked on in groups, so that what a finished group took while it was built can be let go.
inline constexpr std::uint32_t kTermGroups = 64;
inline std::uint32_t terms_per_group(std::uint32_t terms) { return (terms + kTermGroups - 1) / kTermGroups; }

class Bm25Builder::Part {
 public:
  // Postings by term. Each term: its distance from the one before it in the group (from the group's first), how many
  // postings, how many bytes, the postings; rows count from the segment's first.
  struct Segment {
    DocumentNumber first;  // within the part
    std::vector<std::byte> bytes;
    std::array<std::uint32_t, kTermGroups> group_ends;
  };
  std::vector<std::uint32_t> lengths;  // by row: dl
  std::vector<Segment> segments;
};

std::unique_ptr<Bm25Builder::Counter> make_bm25_counter(const TermTable&, const Bm25Options&);

}  // namespace neardup::clean
