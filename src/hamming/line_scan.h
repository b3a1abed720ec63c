// Tables of lines that together show every fingerprint within three bits, and how a few queries look at them at once.
//
// Three bits that differ, over two halves, leave one half with at most one of them: its tables lead to all such halves.
// A match belongs to the high half's tables if that has at most one, and there to the table whose key says so.
#pragma once

#include <fmt/format.h>

#include <array>
#include <bit>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "hamming/line_keys.h"
#include "hamming/line_table.h"
#include "hamming/match_queue.h"
#include "simd/dispatch.h"

namespace neardup::hamming {

// Threads: const members may run concurrently.
template <class Key>
class LineTables {
 public:
  static constexpr unsigned kTables = 2 * Key::kTablesPerHalf;
  static constexpr unsigned kMostDistance = 3;

  LineTables(std::span<const std::uint64_t> codes, unsigned line_bits, const Context& context) {
    std::array<std::optional<LineTable<Key>>, kTables> built;
    base::parallel_for(context, kTables, [&](std::size_t first, std::size_t last) {
      for (auto table = static_cast<unsigned>(first); table < last; ++table) {
        built[table].emplace(codes, half_of(table), line_bits, Key(table % Key::kTablesPerHalf, line_bits));
      }
    });
    for (auto& table : built) tables_.push_back(std::move(*table));
  }

  static KeyHalf half_of(unsigned table) { return table < Key::kTablesPerHalf ? KeyHalf::high : KeyHalf::low; }
  [[nodiscard]] const LineTable<Key>& operator[](unsigned table) const { return tables_[table]; }
  // Its order is that of entry numbers.
  [[nodiscard]] const LineTable<Key>& numbering() const { return tables_.front(); }
  [[nodiscard]] std::uint64_t memory_bytes() const {
    std::uint64_t bytes = 0;
    for (const auto& table : tables_) bytes += table.store().memory_bytes();
    return bytes;
  }

  [[nodiscard]] std::string describe() const {
    return fmt::format("{} tables of 2^{} lines", kTables, numbering().store().line_bits());
  }
  // How many entries a query that is one of the fingerprints looks at, on average, where it has one line a table; and
  // if they were spread evenly.
  [[nodiscard]] double expected_compared() const {
    double squares = 0;
    for (const auto& table : tables_) squares += table.store().sum_of_squares();
    return squares / std::max(1.0, static_cast<double>(numbering().store().size()));
  }
  [[nodiscard]] double even_compared() const {
    const LineStore& store = numbering().store();
    return kTables * (1 + static_cast<double>(store.size()) / static_cast<double>(store.line_count()));
  }
  // Calls visit(codes, number of the first) for blocks of all entries, in order, while it returns true.
  template <class Visit>
  void each_block(const Visit& visit) const {
    constexpr std::uint32_t kLines = kBlock<std::uint64_t> / 16;
    std::vector<std::uint64_t> block;
    for (std::uint32_t line = 0; line < numbering().store().line_count(); line += kLines) {
      block.clear();
      numbering().each(line, line + kLines, [&](std::uint64_t code) { block.push_back(code); });
      if (!visit(std::span<const std::uint64_t>(block), numbering().store().start(line))) return;
    }
  }

  void prepare_find(std::uint64_t code) const {
    const auto half = static_cast<std::uint32_t>(code >> 32);
    numbering().store().prefetch(numbering().key().place(half).line);
  }
  void fetch_find(std::uint64_t) const {}
  [[nodiscard]] Entry find(std::uint64_t code) const { return *numbering().find(code); }

 private:
  std::vector<LineTable<Key>> tables_;
};

template <class Key>
class LineScan {
 public:
  using Tables = LineTables<Key>;
  static constexpr std::size_t kMostLines = Tables::kTables * Key::kMostLines;  // of a query
  static constexpr std::size_t kGroup = kMostLines > 8 ? 8 : 4;
  static constexpr std::size_t kStages = 1;
  static constexpr bool kFetches = false;

  struct Probe {
    std::uint64_t code;
    std::uint32_t count;
    std::array<std::uint32_t, kMostLines> lines;
    std::array<std::uint8_t, kMostLines> tables;
  };

  LineScan(const Tables& tables, const SearchOptions& options, MatchQueue<Tables>& matches, Found& found)
      : tables_(tables), distance_(options.distance), matches_(matches), found_(found) {}

  void prepare(std::uint64_t code, Probe& probe) const {
    probe.code = code;
    probe.count = 0;
    for (unsigned t = 0; t < Tables::kTables; ++t) {
      const auto half = static_cast<std::uint32_t>(turned(code, Tables::half_of(t)) >> 32);
      const unsigned count = tables_[t].key().lines(half, probe.lines.data() + probe.count);
      for (unsigned i = 0; i < count; ++i) {
        tables_[t].store().prefetch(probe.lines[probe.count]);
        probe.tables[probe.count++] = static_cast<std::uint8_t>(t);
      }
    }
  }
  void fetch(Probe&) const {}

  // probes[i] is query first_query + i.
  void scan(std::span<const Probe> probes, std::uint32_t first_query) {
    std::size_t count = 0;
    for (std::uint32_t i = 0; i < probes.size(); ++i) {
      const Probe& probe = probes[i];
      for (std::uint32_t p = 0; p < probe.count; ++p) {
        const unsigned table = probe.tables[p];
        const auto other = static_cast<std::uint32_t>(turned(probe.code, Tables::half_of(table)));
        scans_[count] = tables_[table].store().scan(probe.lines[p], other);
        origins_[count++] = {static_cast<std::uint16_t>(i), static_cast<std::uint16_t>(p)};
      }
    }
    found_.probes += count;
    found_.compared += count * 8;  // lines are about so full
    const std::size_t hits = simd::kernels().near_lines(scans_.data(), count, distance_, hits_.data());
    for (std::size_t h = 0; h < hits; ++h) {
      const Origin origin = origins_[hits_[h].scan];
      const Probe& probe = probes[origin.query];
      Place at{probe.code, first_query + origin.query, probe.lines[origin.probe], probe.tables[origin.probe], 0};
      const LineStore& store = tables_[at.table].store();
      const std::uint32_t slot = hits_[h].posting;
      if (slot == LineStore::kOverflowSlot) {
        at.list = store.overflow_place(at.line);
        store.prefetch_overflow(at.list);
        later_.push_back(at);
      } else {
        take(at, store.residue(at.line, slot), store.other_half(at.line, slot), store.entry(at.line, slot));
      }
    }
    scan_overflow();
    waiting_.swap(later_);
  }

  void finish() { scan_overflow(); }

 private:
  struct Origin {
    std::uint16_t query, probe;
  };
  // A line, and its query.
  struct Place {
    std::uint64_t code;
    std::uint32_t query, line;
    std::uint32_t table, list;  // the line's overflow list
  };

  // A part of a list: whose, and where it begins.
  struct Piece {
    std::uint32_t waiting, first;
  };

  // The lists of the group before: by now they have arrived.
  void scan_overflow() {
    std::size_t total = 0;
    for (std::size_t i = 0; i < waiting_.size(); ++i) {
      const auto list = tables_[waiting_[i].table].store().overflow_others(waiting_[i].list);
      found_.compared += list.size();
      // Long ones in pieces, so that all hits find room.
      for (std::size_t from = 0; from < list.size() && !found_.enough();) {
        const std::size_t count = std::min(list.size() - from, hits_.size() - total);
        list_scans_.push_back({list.data() + from, static_cast<std::uint32_t>(count), other_half(waiting_[i])});
        pieces_.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(from)});
        from += count;
        total += count;
        if (total < hits_.size()) continue;
        take_from_lists();
        total = 0;
      }
    }
    take_from_lists();
    waiting_.clear();
  }

  void take_from_lists() {
    const std::size_t hits =
        simd::kernels().near_halves(list_scans_.data(), list_scans_.size(), distance_, hits_.data());
    for (std::size_t h = 0; h < hits; ++h) {
      const Piece& piece = pieces_[hits_[h].scan];
      const Place& at = waiting_[piece.waiting];
      const std::uint32_t place = piece.first + hits_[h].posting;
      const auto list = tables_[at.table].store().overflow(at.line);
      take(at, list.residues[place], list.other_halves[place], list.first + place);
    }
    list_scans_.clear();
    pieces_.clear();
  }

  static std::uint32_t other_half(const Place& at) {
    return static_cast<std::uint32_t>(turned(at.code, Tables::half_of(at.table)));
  }

  void take(const Place& at, std::uint32_t residue, std::uint32_t other_half, Entry entry) {
    const LineTable<Key>& table = tables_[at.table];
    const std::uint64_t code = table.code({at.line, residue}, other_half);
    const std::uint64_t different = code ^ at.code;
    const auto distance = static_cast<unsigned>(std::popcount(different));
    const auto in_key = static_cast<std::uint32_t>(turned(different, table.key_half()) >> 32);
    if (distance > distance_ || (in_key & (in_key - 1)) != 0 || !table.key().owns(in_key)) return;
    const auto in_high = static_cast<std::uint32_t>(different >> 32);
    if (table.key_half() == KeyHalf::low && (in_high & (in_high - 1)) == 0) return;
    if (at.table == 0) {
      matches_.add_numbered(at.query, entry, distance);
    } else {
      matches_.add_found(at.query, code, distance);
    }
  }

  const Tables& tables_;
  unsigned distance_;
  MatchQueue<Tables>& matches_;
  Found& found_;
  std::vector<Place> later_, waiting_;
  std::vector<neardup_half_scan> list_scans_;
  std::vector<Piece> pieces_;  // by scan
  std::array<neardup_line_scan, kGroup * kMostLines> scans_;
  std::array<Origin, kGroup * kMostLines> origins_;
  std::array<neardup_hit, kGroup * kMostLines * 12> hits_;
};

}  // namespace neardup::hamming
