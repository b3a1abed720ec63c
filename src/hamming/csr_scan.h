// How do a few queries look through their lists at once?
#pragma once

#include <array>
#include <bit>
#include <span>

#include "hamming/csr_tables.h"
#include "hamming/match_queue.h"
#include "simd/dispatch.h"

namespace neardup::hamming {

class CsrScan {
 public:
  using Tables = CsrTables;
  using Probe = CsrTables::Probe;
  static constexpr std::size_t kGroup = 16;  // queries whose lists are fetched together
  static constexpr std::size_t kStages = 2;  // groups between preparing and scanning
  static constexpr bool kFetches = true;     // a step between the two

  CsrScan(const CsrTables& tables, const SearchOptions& options, MatchQueue<CsrTables>& matches, Found& found)
      : tables_(tables),
        distance_(options.distance),
        lowest_only_(options.matches == MatchKind::first),
        matches_(matches),
        found_(found) {}

  void prepare(std::uint64_t code, Probe& probe) const { tables_.prepare(code, probe); }
  void fetch(Probe& probe) const { tables_.fetch(probe); }

  // probes[i] is query first_query + i.
  void scan(std::span<const Probe> probes, std::uint32_t first_query) {
    std::size_t count = 0;
    for (std::uint32_t i = 0; i < probes.size(); ++i) {
      for (std::uint32_t table = 0; table < CsrTables::kTables; ++table) {
        const auto list = tables_.list(probes[i], table);
        if (list.size() > kMostAtOnce) {
          scan_long(probes[i], first_query + i, table);
          continue;
        }
        found_.compared += list.size();
        scans_[count] = {list.data(), static_cast<std::uint32_t>(list.size()),
                         tables_.split(table).other(probes[i].code)};
        origins_[count++] = {static_cast<std::uint16_t>(i), static_cast<std::uint16_t>(table)};
      }
    }
    found_.probes += probes.size() * CsrTables::kTables;
    const std::size_t hits = simd::kernels().near_halves(scans_.data(), count, distance_, hits_.data());
    for (std::size_t h = 0; h < hits; ++h) {
      const Origin origin = origins_[hits_[h].scan];
      take(probes[origin.query], first_query + origin.query, origin.table, hits_[h].posting);
    }
  }
  void finish() const {}

 private:
  static constexpr std::uint32_t kMostAtOnce = 128;
  struct Origin {
    std::uint16_t query, table;
  };

  void scan_long(const Probe& probe, std::uint32_t query, std::uint32_t table) {
    const auto list = tables_.list(probe, table);
    const bool by_row = list.size() > CsrTables::kLong;
    // Where one match may end it, little is looked at in vain.
    const std::size_t at_once = by_row && lowest_only_ ? kMostAtOnce : hits_.size();
    for (std::size_t first = 0; first < list.size() && !found_.enough(); first += at_once) {
      const auto count = static_cast<std::uint32_t>(std::min(at_once, list.size() - first));
      const neardup_half_scan scan{list.data() + first, count, tables_.split(table).other(probe.code)};
      found_.compared += count;
      const std::size_t hits = simd::kernels().near_halves(&scan, 1, distance_, hits_.data());
      for (std::size_t h = 0; h < hits; ++h) {
        const bool mine = take(probe, query, table, static_cast<std::uint32_t>(first) + hits_[h].posting);
        if (mine && by_row && lowest_only_) return;
      }
    }
  }

  // False when it is not a match or another table's.
  bool take(const Probe& probe, std::uint32_t query, std::uint32_t table, std::uint32_t place) {
    const std::uint64_t code = tables_.code(probe, table, place), different = code ^ probe.code;
    const auto distance = static_cast<unsigned>(std::popcount(different));
    if (distance > distance_ || !tables_.split(table).owns(different)) return false;
    if (table == CsrTables::kNumbering) {
      matches_.add_numbered(query, probe.first[table] + place, distance);
    } else {
      matches_.add_found(query, code, distance);
    }
    return true;
  }

  const CsrTables& tables_;
  unsigned distance_;
  bool lowest_only_;
  MatchQueue<CsrTables>& matches_;
  Found& found_;
  std::array<neardup_half_scan, kGroup * CsrTables::kTables> scans_;
  std::array<Origin, kGroup * CsrTables::kTables> origins_;
  std::array<neardup_hit, kGroup * CsrTables::kTables * kMostAtOnce> hits_;
};

}  // namespace neardup::hamming
