// How are queries compared with every fingerprint there is?
//
// A block of fingerprints stays in the cache while all queries of a piece pass over it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "hamming/searching.h"
#include "hamming/wide.h"

namespace neardup::hamming {

// Half of the smallest first-level cache there is.
template <class Code>
constexpr std::size_t kBlock = (std::size_t{16} << 10) / sizeof(Code);

// The match that `first` asks for, among those seen so far.
class LowestRow {
 public:
  void see(std::uint64_t row, unsigned distance) {
    if (row < row_) {
      row_ = row;
      distance_ = distance;
    }
  }
  void send(std::uint64_t query, Found& found) const {
    if (row_ != kNone) found.add(query, row_, distance_);
  }

 private:
  static constexpr std::uint64_t kNone = UINT64_MAX;
  std::uint64_t row_ = kNone;
  unsigned distance_ = 0;
};

// Sends the rows of one matching entry, or notes the lowest of them.
template <class Rows>
void take_match(const Rows& rows, std::size_t entry, std::uint64_t query, unsigned distance, MatchKind matches,
                LowestRow& lowest, Found& found) {
  if (matches == MatchKind::first) {
    lowest.see(rows.first(static_cast<Entry>(entry)), distance);
  } else {
    rows.each(static_cast<Entry>(entry), [&](Row row) { found.add(query, row, distance); });
  }
}

enum class RowOrder {
  ascending,  // entries come in the order of their rows: a query's first match is also its lowest
  any,
};

// One piece of the queries on its way over all blocks.
template <class Code, RowOrder kOrder>
class CompareAll {
 public:
  // queries[i] is sent as query first_query + i.
  CompareAll(std::span<const Code> queries, std::size_t first_query, const SearchOptions& options, Found& found)
      : queries_(queries), first_query_(first_query), options_(options), found_(found), asking_(queries.size()) {
    for (std::size_t i = 0; i < asking_.size(); ++i) asking_[i] = static_cast<std::uint32_t>(i);
    if (options.matches == MatchKind::first) lowest_.resize(queries.size());
    found.probes += queries.size();
  }

  // The entry of block[i] is entry_of(i). Blocks come in the order of their entries, with kBlock codes at most.
  template <class Rows, class EntryOf>
  void with(std::span<const Code> block, const Rows& rows, const EntryOf& entry_of) {
    hits_.resize(block.size() + 8);
    found_.compared += block.size() * asking_.size();
    std::size_t still = 0;
    for (const std::uint32_t query : asking_) {
      const std::size_t count = filter_codes(block, queries_[query], options_.distance, hits_.data());
      const bool answered = take(query, block, std::span(hits_).first(count), rows, entry_of);
      asking_[still] = query;
      still += answered ? 0 : 1;
    }
    asking_.resize(still);
  }

  [[nodiscard]] bool done() const { return asking_.empty() || found_.enough(); }

  void finish() {
    for (std::size_t i = 0; i < lowest_.size(); ++i) lowest_[i].send(first_query_ + i, found_);
  }

 private:
  template <class Rows, class EntryOf>
  bool take(std::uint32_t query, std::span<const Code> block, std::span<const std::uint32_t> hits, const Rows& rows,
            const EntryOf& entry_of) {
    LowestRow unused;
    LowestRow& lowest = lowest_.empty() ? unused : lowest_[query];
    for (const std::uint32_t hit : hits) {
      take_match(rows, entry_of(hit), first_query_ + query, distance_of(block[hit], queries_[query]), options_.matches,
                 lowest, found_);
      if (kOrder == RowOrder::ascending && options_.matches == MatchKind::first) return true;
    }
    return false;
  }

  std::span<const Code> queries_;
  std::size_t first_query_;
  const SearchOptions& options_;
  Found& found_;
  std::vector<std::uint32_t> asking_;  // queries that want more
  std::vector<LowestRow> lowest_;      // by query, when one match each is asked for
  std::vector<std::uint32_t> hits_;
};

}  // namespace neardup::hamming
