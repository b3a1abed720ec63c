// How do the matches of a probabilistic search become rows?
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>

#include "hamming/distinct.h"
#include "hamming/searching.h"

namespace neardup::hamming {

// Sends all rows of each match; they are fetched a while before.
class MatchBuffer {
 public:
  MatchBuffer(const RowLists& rows, Found& found) : rows_(rows), found_(found) {}
  void add(std::uint64_t query, Entry entry, unsigned distance) {
    rows_.prefetch(entry);
    matches_[count_++] = {query, entry, distance};
    if (count_ == kRoom) flush();
  }
  void flush() {
    for (std::size_t i = 0; i < count_; ++i) {
      const Match& match = matches_[i];
      rows_.each(match.entry, [&](Row row) { found_.add(match.query, row, match.distance); });
    }
    count_ = 0;
  }

 private:
  static constexpr std::size_t kRoom = 32;
  struct Match {
    std::uint64_t query;
    Entry entry;
    unsigned distance;
  };
  const RowLists& rows_;
  Found& found_;
  std::size_t count_ = 0;
  Match matches_[kRoom];
};

// One match of a query: the most probable, among equals the one with the lowest entry.
class BestMatch {
 public:
  void see(std::int64_t cost, Entry entry, unsigned distance) {
    if (std::pair(cost, entry) < std::pair(cost_, entry_)) {
      cost_ = cost;
      entry_ = entry;
      distance_ = distance;
    }
  }
  // Sends those of the queries from `first_query` on that have one.
  static void send_all(std::span<const BestMatch> best, std::uint64_t first_query, const RowLists& rows, Found& found) {
    constexpr std::size_t kAhead = 64;  // queries whose rows are on their way
    for (std::size_t i = 0; i < best.size() + kAhead; ++i) {
      if (i < best.size() && best[i].cost_ != kNone) rows.prefetch(best[i].entry_);
      if (i < kAhead || best[i - kAhead].cost_ == kNone) continue;
      const BestMatch& match = best[i - kAhead];
      found.add(first_query + i - kAhead, rows.first(match.entry_), match.distance_);
    }
  }

 private:
  static constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::max();
  std::int64_t cost_ = kNone;
  Entry entry_ = 0;
  unsigned distance_ = 0;
};

}  // namespace neardup::hamming
