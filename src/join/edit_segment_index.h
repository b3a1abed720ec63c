// Where do strings share a segment?
//
// A string is cut into T + 1 segments. T edits spoil at most T of them, so a string within T edits contains one of them
// whole, and near its place. (Li, Deng, Wang and Feng 2011.) There is one table for each length, side and segment: from
// the hash of a segment to the strings that have it. Two segments with one hash only make a list longer.
//
// Every entry carries its string's signature, so that most of a long list is passed over without examining the strings.
// A signature counts symbols: one bit for each, or two in Gray code for the frequent ones. An insertion or a deletion
// changes one bit of it and a replacement two, so T edits of strings whose lengths differ by D change at most 2T - D.
//
// Memory: twelve bytes an entry and about fourteen for each different segment of a table.
// Threads: const members may run concurrently.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "join/edit_hash_lists.h"
#include "join/edit_strings.h"

namespace neardup::joins {

// Segment `number` of so many: the first ones are shorter by one where the length does not divide evenly.
struct Segment {
  std::uint32_t start, length;
};
Segment segment_of(std::uint32_t string_length, std::uint32_t segments, std::uint32_t number);

// Reads up to seven bytes past the end.
template <class Symbol>
std::uint32_t hash_segment(const Symbol* symbols, std::size_t size);

class SegmentTable {
 public:
  SegmentTable() = default;
  // Entries are hash << 32 | place; signatures are by place.
  SegmentTable(std::vector<std::uint64_t> entries, std::span<const std::uint64_t> signatures);

  // Places of strings, ascending, and their signatures.
  struct List {
    const StringPlace* places;
    const std::uint64_t* signatures;
    std::size_t size;
  };
  [[nodiscard]] List find(std::uint32_t hash) const {
    const HashLists::Range range = lists_.find(hash);
    return {places_.data() + range.begin, signatures_.data() + range.begin, range.end - range.begin};
  }
  [[nodiscard]] std::uint64_t entries() const { return places_.size(); }
  [[nodiscard]] std::uint64_t bytes() const {
    return lists_.bytes() + places_.size() * (sizeof(StringPlace) + sizeof(std::uint64_t));
  }
  [[nodiscard]] const HashLists& lists() const { return lists_; }

 private:
  HashLists lists_;
  std::vector<StringPlace> places_;
  std::vector<std::uint64_t> signatures_;
};

class SegmentIndex {
 public:
  // Groups of fewer strings than `strings_per_lookup` for each lookup they would take are not indexed: a scan of their
  // signatures is faster. Nor are strings that are too short for T + 1 segments.
  SegmentIndex(const StringSet&, std::uint32_t max_distance, std::uint64_t strings_per_lookup, const Context&);

  // By segment; empty when the group is not indexed.
  [[nodiscard]] std::span<const SegmentTable> tables(const StringSet::Group& group) const {
    return tables_[static_cast<std::size_t>(&group - groups_)];
  }
  [[nodiscard]] std::span<const std::uint64_t> signatures() const { return signatures_; }  // by place
  [[nodiscard]] std::uint64_t entries() const;
  [[nodiscard]] std::uint64_t bytes() const;

 private:
  template <class Symbol>
  void build(const StringSet&, std::uint32_t max_distance, std::uint64_t strings_per_lookup, const Context&);

  const StringSet::Group* groups_;
  std::vector<std::uint64_t> signatures_;
  std::vector<std::vector<SegmentTable>> tables_;  // by group
};

}  // namespace neardup::joins
