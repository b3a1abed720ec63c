// How are many queries compared with lines of one or two tables, while the lines of the next ones are on their way?
//
// Queries go in groups of some 256 places. While one group's lines are compared, the next group's are being fetched;
// overflow lists are fetched when their line says so, and compared a group later.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "hamming/flip_plan.h"
#include "hamming/line_table.h"
#include "simd/dispatch.h"

namespace neardup::hamming {

using PlainTable = LineTable<PlainKey>;

// What a walk did.
struct WalkCounts {
  std::uint64_t probes = 0, compared = 0, most_places = 0, cut_short = 0;  // lists too long to be looked through
};

class LineWalk {
 public:
  explicit LineWalk(std::array<const PlainTable*, 2> tables)  // the second may be null
      : tables_(tables), kernels_(simd::kernels()), hits_(std::make_unique_for_overwrite<neardup_hit[]>(kHits)) {}

  // places(query, emit) calls emit(table, line) for each place of a query, kMostPlaces at most. hit(query, table, code,
  // entry) is called for every fingerprint within the distance that is in one of them; those of one query come in
  // the same order however the queries are cut into pieces.
  template <class Places, class Hit>
  WalkCounts run(std::span<const std::uint64_t> queries, std::size_t first, std::size_t last, unsigned distance,
                 const Places& places, const Hit& hit) {
    counts_ = {};
    std::size_t next = first;
    fill(groups_[0], queries, next, last, places);
    for (unsigned current = 0; groups_[current].count != 0; current = 1 - current) {
      fill(groups_[1 - current], queries, next, last, places);
      overflows(queries, distance, hit);
      lines(groups_[current], queries, distance, hit);
    }
    overflows(queries, distance, hit);
    return counts_;
  }

 private:
  static constexpr std::size_t kGroupPlaces = 256, kRoom = kGroupPlaces + kMostPlaces, kHits = 12 * kRoom;
  struct Place {
    std::uint32_t line;
    std::uint32_t query_and_table;  // twice the query, counted from the group's first, plus the table
  };
  struct Group {
    std::size_t first_query = 0, count = 0;
    std::unique_ptr<Place[]> places = std::make_unique_for_overwrite<Place[]>(kRoom);
    std::unique_ptr<neardup_line_scan[]> scans = std::make_unique_for_overwrite<neardup_line_scan[]>(kRoom);
  };
  struct List {
    std::uint64_t query;
    std::uint32_t table, line;
  };
  struct Part {
    List list;
    std::size_t begin;
  };

  template <class Places>
  void fill(Group& group, std::span<const std::uint64_t> queries, std::size_t& next, std::size_t last,
            const Places& places) {
    group.first_query = next;
    std::size_t count = 0;
    for (; next < last && count < kGroupPlaces; ++next) {
      const std::size_t before = count;
      const auto low = static_cast<std::uint32_t>(queries[next]);
      const auto high = static_cast<std::uint32_t>(queries[next] >> 32);
      const auto offset = static_cast<std::uint32_t>(2 * (next - group.first_query));
      places(next, [&](std::uint32_t table, std::uint32_t line) {
        const LineStore& store = tables_[table]->store();
        store.prefetch(line);
        group.places[count] = {line, offset + table};
        group.scans[count] = store.scan(line, table == 0 ? low : high);
        ++count;
      });
      counts_.most_places = std::max<std::uint64_t>(counts_.most_places, count - before);
    }
    group.count = count;
    counts_.probes += count;
  }

  template <class Hit>
  void lines(const Group& group, std::span<const std::uint64_t> queries, unsigned distance, const Hit& hit) {
    const std::size_t found = kernels_.near_lines(group.scans.get(), group.count, distance, hits_.get());
    // The last word of a line says how many fingerprints it has.
    for (std::size_t i = 0; i < group.count; ++i) counts_.compared += group.scans[i].words[15] >> 28;
    for (std::size_t i = 0; i < found; ++i) {
      const Place place = group.places[hits_[i].scan];
      const std::uint32_t table = place.query_and_table & 1;
      const std::uint64_t query = group.first_query + place.query_and_table / 2;
      if (hits_[i].posting == LineStore::kOverflowSlot) {
        const LineStore& store = tables_[table]->store();
        store.prefetch_overflow(store.overflow_place(place.line));
        lists_.push_back({query, table, place.line});
        continue;
      }
      const std::uint64_t code = tables_[table]->code(place.line, hits_[i].posting);
      if (std::popcount(code ^ queries[query]) <= static_cast<int>(distance)) {
        hit(query, table, code, tables_[table]->store().entry(place.line, hits_[i].posting));
      }
    }
  }

  // Lists are cut into parts, and as many parts compared at once as there is room for hits.
  template <class Hit>
  void overflows(std::span<const std::uint64_t> queries, unsigned distance, const Hit& hit) {
    constexpr std::size_t kPart = 4096;
    std::size_t values = 0;
    for (const List& list : lists_) {
      const PlainTable& table = *tables_[list.table];
      const LineStore::Overflow more = table.store().overflow(list.line);
      const std::size_t size = std::min(more.other_halves.size(), kMostOfAPlace);
      counts_.cut_short += size < more.other_halves.size() ? 1 : 0;
      counts_.compared += size;
      const auto probe = static_cast<std::uint32_t>(turned(queries[list.query], table.key_half()));
      for (std::size_t begin = 0; begin < size; begin += kPart) {
        const std::size_t count = std::min(kPart, size - begin);
        if (values + count > kHits) {
          compare_parts(queries, distance, hit);
          values = 0;
        }
        values += count;
        parts_.push_back({list, begin});
        part_scans_.push_back({more.other_halves.data() + begin, static_cast<std::uint32_t>(count), probe});
      }
    }
    compare_parts(queries, distance, hit);
    lists_.clear();
  }

  template <class Hit>
  void compare_parts(std::span<const std::uint64_t> queries, unsigned distance, const Hit& hit) {
    const std::size_t found = kernels_.near_halves(part_scans_.data(), part_scans_.size(), distance, hits_.get());
    for (std::size_t i = 0; i < found; ++i) {
      const auto& [list, begin] = parts_[hits_[i].scan];
      const PlainTable& table = *tables_[list.table];
      const LineStore::Overflow more = table.store().overflow(list.line);
      const std::size_t at = begin + hits_[i].posting;
      const std::uint64_t code = table.code({list.line, more.residues[at]}, more.other_halves[at]);
      if (std::popcount(code ^ queries[list.query]) <= static_cast<int>(distance)) {
        hit(list.query, list.table, code, more.first + static_cast<Entry>(at));
      }
    }
    parts_.clear();
    part_scans_.clear();
  }

  std::array<const PlainTable*, 2> tables_;
  const neardup_kernels& kernels_;
  WalkCounts counts_;
  std::array<Group, 2> groups_;
  std::vector<List> lists_;
  std::vector<Part> parts_;
  std::vector<neardup_half_scan> part_scans_;  // of parts_
  std::unique_ptr<neardup_hit[]> hits_;
};

}  // namespace neardup::hamming
