// How does a match get its rows without waiting for memory?
//
// Tables other than the numbering one tell a match's fingerprint but not its number, and rows are found by number: two
// or three distant places, one after the other. Matches therefore wait in line, a step further with every group of
// queries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "hamming/compare_all.h"
#include "hamming/distinct.h"
#include "hamming/searching.h"

namespace neardup::hamming {

// Tables: prepare_find(code), fetch_find(code), Entry find(code).
template <class Tables>
class MatchQueue {
 public:
  // Queries are counted from 0 here and sent as first_query and on.
  MatchQueue(const Tables& tables, const RowLists& rows, MatchKind matches, std::size_t first_query,
             std::size_t queries, Found& found)
      : tables_(tables), rows_(rows), matches_(matches), first_query_(first_query), found_(found) {
    if (matches == MatchKind::first) lowest_.resize(queries);
  }

  void add_found(std::uint32_t query, std::uint64_t code, unsigned distance) {
    tables_.prepare_find(code);
    fresh_.push_back({code, query, distance});
    if (fresh_.size() == kMostWaiting) step();
  }
  void add_numbered(std::uint32_t query, Entry entry, unsigned distance) {
    rows_.prefetch(entry);
    numbered_.push_back({entry, query, distance});
    if (numbered_.size() == kMostWaiting) step();
  }

  void step() {
    for (const Waiting& match : numbered_) {
      LowestRow unused;
      LowestRow& lowest = lowest_.empty() ? unused : lowest_[match.query];
      take_match(rows_, match.what, first_query_ + match.query, match.distance, matches_, lowest, found_);
    }
    numbered_.clear();
    for (const Waiting& match : fetched_) {
      const Entry entry = tables_.find(match.what);
      rows_.prefetch(entry);
      numbered_.push_back({entry, match.query, match.distance});
    }
    fetched_.clear();
    for (const Waiting& match : fresh_) tables_.fetch_find(match.what);
    fetched_.swap(fresh_);
  }

  void finish() {
    for (int steps = 0; steps < 3; ++steps) step();
    for (std::size_t i = 0; i < lowest_.size(); ++i) lowest_[i].send(first_query_ + i, found_);
  }

 private:
  static constexpr std::size_t kMostWaiting = 1024;
  struct Waiting {
    std::uint64_t what;  // its fingerprint or its number
    std::uint32_t query, distance;
  };

  const Tables& tables_;
  const RowLists& rows_;
  MatchKind matches_;
  std::size_t first_query_;
  Found& found_;
  std::vector<Waiting> fresh_, fetched_, numbered_;
  std::vector<LowestRow> lowest_;  // by query, when one match each is asked for
};

}  // namespace neardup::hamming
