// How do many queries share the time that memory takes?
//
// Queries run in small groups. While one group is compared, the lists of the next are on their way, and of the one
// after that the places where its lists are written down.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "hamming/bit_order.h"
#include "hamming/match_queue.h"

namespace neardup::hamming {

// The queries [first, last) through one kind of tables. Scan: CsrScan, LineScan.
template <class Scan>
void search_tables(const typename Scan::Tables& tables, const RowLists& rows, const BitOrder& order,
                   std::span<const std::uint64_t> queries, std::size_t first, std::size_t last,
                   const SearchOptions& options, Found& found) {
  MatchQueue<typename Scan::Tables> matches(tables, rows, options.matches, first, last - first, found);
  Scan scan(tables, options, matches, found);
  constexpr std::size_t kRing = Scan::kStages + 1;
  std::array<std::array<typename Scan::Probe, Scan::kGroup>, kRing> ring;
  const std::size_t count = last - first, groups = (count + Scan::kGroup - 1) / Scan::kGroup;
  const auto group = [&](std::size_t number) {
    const std::size_t size = std::min(Scan::kGroup, count - number * Scan::kGroup);
    return std::span(ring[number % kRing]).first(size);
  };
  for (std::size_t step = 0; step < groups + Scan::kStages && !found.enough(); ++step) {
    if (step < groups) {
      std::size_t query = first + step * Scan::kGroup;
      for (auto& probe : group(step)) scan.prepare(order(queries[query++]), probe);
    }
    if constexpr (Scan::kFetches) {
      if (step >= 1 && step - 1 < groups) {
        for (auto& probe : group(step - 1)) scan.fetch(probe);
      }
    }
    if (step >= Scan::kStages) {
      const std::size_t ready = step - Scan::kStages;
      scan.scan(group(ready), static_cast<std::uint32_t>(ready * Scan::kGroup));
      matches.step();
    }
  }
  scan.finish();
  matches.finish();
}

}  // namespace neardup::hamming
