// Fingerprints that come and go.
//
// Every distinct fingerprint has a slot. Two tables of 64-byte lines, one for each half, lead to slots: a line has the
// fingerprints whose half lies around one codeword (line_keys.h), and more lines are chained behind it when it is full.
// Only the first line of a chain is ever partly filled, and slots know their places, so that insertion and removal
// take the same time however long a chain is. Tables double when they fill up.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/guard.h"
#include "base/large_pages.h"
#include "base/open_table.h"
#include "base/random.h"
#include "hamming/compare_all.h"
#include "hamming/line_keys.h"
#include "hamming/searching.h"
#include "neardup/error.h"
#include "simd/dispatch.h"

namespace neardup {
namespace hamming {
namespace {

using Slot = std::uint32_t;
constexpr std::uint32_t kNone = UINT32_MAX;

// What a slot represents.
struct Record {
  std::uint64_t code = 0;
  DocId row = 0;                             // the lowest; a free slot: the next free one
  std::array<std::uint32_t, 2> where{0, 0};  // by table: line * 8 + place
};

using Records = base::LargeVector<Record>;

// One table: which slots have a half like this?
class SlotLines {
 public:
  static constexpr unsigned kPlaces = 7;

  SlotLines(unsigned table, unsigned line_bits)
      : table_(table), key_(0, line_bits), lines_(std::size_t{1} << line_bits, Line{}) {}

  [[nodiscard]] std::uint64_t memory_bytes() const { return lines_.capacity() * sizeof(Line); }

  // For one more slot.
  [[nodiscard]] bool has_room() const { return free_ != kNone || lines_.size() < kMostLines; }
  void insert(Slot slot, Records& records) {
    const std::uint64_t code = seen(records[slot].code);
    const std::uint32_t first = key_.place(static_cast<std::uint32_t>(code >> 32)).line;
    if (lines_[first].count == kPlaces) push_down(first, records);
    put(first, lines_[first].count++, slot, static_cast<std::uint32_t>(code), records);
  }

  void remove(Slot slot, Records& records) {
    const auto half = static_cast<std::uint32_t>(seen(records[slot].code) >> 32);
    const std::uint32_t first = key_.place(half).line;
    if (lines_[first].count == 0) pull_up(first, records);
    // The last of the first line takes the place that becomes free.
    const std::uint32_t hole = records[slot].where[table_];
    const Line last = lines_[first];
    const unsigned place = --lines_[first].count;
    if (last.slots[place] != slot) {
      put(hole / kStep, hole % kStep, last.slots[place], last.others[place], records);
    }
  }

  // Calls visit(scan, line) for every line that may have a half within a bit of the code's, chained ones included.
  template <class Visit>
  void each_line(std::uint64_t code, const Visit& visit) const {
    std::array<std::uint32_t, HammingKey::kMostLines> lines;
    const std::uint64_t turned_code = seen(code);
    const unsigned count = key_.lines(static_cast<std::uint32_t>(turned_code >> 32), lines.data());
    for (unsigned i = 0; i < count; ++i) {
      for (std::uint32_t line = lines[i]; line != kNone; line = lines_[line].next_plus_one - 1) {
        visit(neardup_half_scan{lines_[line].others, lines_[line].count, static_cast<std::uint32_t>(turned_code)},
              line);
      }
    }
  }
  void prefetch(std::uint64_t code) const {
    std::array<std::uint32_t, HammingKey::kMostLines> lines;
    const unsigned count = key_.lines(static_cast<std::uint32_t>(seen(code) >> 32), lines.data());
    for (unsigned i = 0; i < count; ++i) __builtin_prefetch(lines_.data() + lines[i], 0, 2);
  }
  [[nodiscard]] Slot slot(std::uint32_t line, std::uint32_t place) const { return lines_[line].slots[place]; }

 private:
  static constexpr std::uint32_t kStep = 8;
  static constexpr std::size_t kMostLines = (std::size_t{1} << 32) / kStep;  // a place has 32 bits
  struct Line {
    std::uint32_t others[kPlaces];
    std::uint32_t count;
    Slot slots[kPlaces];
    std::uint32_t next_plus_one;
  };
  static_assert(sizeof(Line) == 64);

  [[nodiscard]] std::uint64_t seen(std::uint64_t code) const {
    return turned(code, table_ == 0 ? KeyHalf::high : KeyHalf::low);
  }
  void put(std::uint32_t line, std::uint32_t place, Slot slot, std::uint32_t other, Records& records) {
    lines_[line].others[place] = other;
    lines_[line].slots[place] = slot;
    records[slot].where[table_] = line * kStep + place;
  }
  void copy(std::uint32_t from, std::uint32_t to, Records& records) {
    const Line line = lines_[from];
    for (std::uint32_t place = 0; place < line.count; ++place) {
      put(to, place, line.slots[place], line.others[place], records);
    }
    lines_[to].count = line.count;
    lines_[to].next_plus_one = line.next_plus_one;
  }
  // A full first line moves behind a new, empty one.
  void push_down(std::uint32_t first, Records& records) {
    std::uint32_t line = free_;
    if (line != kNone) {
      free_ = lines_[line].next_plus_one - 1;
    } else {
      line = static_cast<std::uint32_t>(lines_.size());
      lines_.push_back({});
    }
    copy(first, line, records);
    lines_[first].count = 0;
    lines_[first].next_plus_one = line + 1;
  }
  // An empty first line takes what is behind it.
  void pull_up(std::uint32_t first, Records& records) {
    const std::uint32_t line = lines_[first].next_plus_one - 1;
    copy(line, first, records);
    lines_[line].count = 0;
    lines_[line].next_plus_one = free_ + 1;
    free_ = line;
  }

  unsigned table_;
  HammingKey key_;
  base::LargeVector<Line> lines_;
  std::uint32_t free_ = kNone;
};

}  // namespace
}  // namespace hamming

class MutableHammingIndex::Impl {
 public:
  void insert(DocId row, std::uint64_t bits) {
    const hamming::Slot slot = find(bits);
    if (slot == hamming::kNone) {
      add(bits, row);
      ++size_;
      return;
    }
    hamming::Record& record = records_[slot];
    if (record.row == row) return;
    const DocId other = std::max(row, record.row);
    if (!copies_[slot].insert(other).second) return;
    record.row = std::min(row, record.row);
    ++size_;
  }

  bool remove(DocId row, std::uint64_t bits) {
    const hamming::Slot slot = find(bits);
    if (slot == hamming::kNone) return false;
    hamming::Record& record = records_[slot];
    const auto copies = copies_.find(slot);
    if (record.row != row) {
      if (copies == copies_.end() || copies->second.erase(row) == 0) return false;
    } else if (copies != copies_.end()) {
      record.row = *copies->second.begin();
      copies->second.erase(copies->second.begin());
    } else {
      erase(slot);
    }
    if (copies != copies_.end() && copies->second.empty()) copies_.erase(copies);
    --size_;
    return true;
  }

  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] std::uint64_t memory_bytes() const {
    constexpr std::uint64_t kNode = 5 * sizeof(void*);  // about, of a tree
    std::uint64_t bytes = sizeof(*this) + records_.capacity() * sizeof(hamming::Record) + by_code_.memory_bytes() +
                          tables_[0].memory_bytes() + tables_[1].memory_bytes();
    for (const auto& [slot, rows] : copies_) bytes += 2 * kNode + rows.size() * kNode;
    return bytes;
  }

  SearchStats search(std::span<const std::uint64_t> queries, const SearchOptions& options, PairSink& sink,
                     const Context& context) const {
    hamming::check_distance(options.distance, 64);
    if (options.distance > kMostDistance) return compare_all(queries, options, sink, context);
    return hamming::run_search(queries.size(), sink, context, 64,
                               [&](std::size_t first, std::size_t last, hamming::Found& found) {
                                 for (std::size_t i = first; i < last && !found.enough(); ++i) {
                                   if (i + kAhead < last) prefetch(queries[i + kAhead]);
                                   search_one(queries[i], i, options, found);
                                 }
                               });
  }

 private:
  static constexpr unsigned kMostDistance = 3;
  static constexpr unsigned kLeastBits = 4;
  static constexpr std::size_t kAhead = 2;
  static constexpr std::size_t kFull = 4;  // slots a line, on average, when tables double

  // The order of the table depends on a number of this object's own, so that no one can choose fingerprints that
  // collide.
  [[nodiscard]] std::uint64_t hash(hamming::Slot slot) const { return mixed_(records_[slot].code); }
  [[nodiscard]] const hamming::Slot& find(std::uint64_t bits) const {
    return by_code_.find(mixed_(bits), [&](hamming::Slot slot) { return records_[slot].code == bits; });
  }

  void add(std::uint64_t bits, DocId row) {
    if (by_code_.size() == kFull << line_bits_ && line_bits_ < hamming::HammingKey::kMostBits) rebuild(line_bits_ + 1);
    const bool has_slot = free_ != hamming::kNone || records_.size() < hamming::kNone;
    if (!has_slot || !tables_[0].has_room() || !tables_[1].has_room()) {
      throw Error(
          ErrorCode::limit,
          fmt::format("this index can hold at most {} distinct fingerprints; use several indexes", by_code_.size()));
    }
    by_code_.make_room([&](hamming::Slot slot) { return hash(slot); });
    hamming::Slot slot = free_;
    if (slot != hamming::kNone) {
      free_ = static_cast<hamming::Slot>(records_[slot].row);
    } else {
      slot = static_cast<hamming::Slot>(records_.size());
      records_.push_back({});
      taken_.push_back(false);
    }
    by_code_.insert(find(bits), slot);
    records_[slot] = {bits, row, {}};
    taken_[slot] = true;
    for (auto& table : tables_) table.insert(slot, records_);
  }

  void erase(hamming::Slot slot) {
    by_code_.erase(find(records_[slot].code), [&](hamming::Slot other) { return hash(other); });
    for (auto& table : tables_) table.remove(slot, records_);
    records_[slot].row = free_;
    taken_[slot] = false;
    free_ = slot;
  }

  void rebuild(unsigned line_bits) {
    line_bits_ = line_bits;
    tables_ = {hamming::SlotLines(0, line_bits), hamming::SlotLines(1, line_bits)};
    for (hamming::Slot slot = 0; slot < records_.size(); ++slot) {
      if (!taken_[slot]) continue;
      for (auto& table : tables_) table.insert(slot, records_);
    }
  }

  void prefetch(std::uint64_t query) const {
    for (const auto& table : tables_) table.prefetch(query);
  }

  void search_one(std::uint64_t query, std::size_t number, const SearchOptions& options, hamming::Found& found) const {
    constexpr std::size_t kAtOnce = 64;
    std::array<neardup_half_scan, kAtOnce> scans;
    std::array<std::uint32_t, kAtOnce> lines;
    std::array<neardup_hit, kAtOnce * hamming::SlotLines::kPlaces> hits;
    hamming::LowestRow lowest;
    for (unsigned t = 0; t < tables_.size(); ++t) {
      std::size_t count = 0;
      const auto look = [&] {
        const std::size_t near = simd::kernels().near_halves(scans.data(), count, options.distance, hits.data());
        for (std::size_t h = 0; h < near; ++h) {
          const hamming::Slot slot = tables_[t].slot(lines[hits[h].scan], hits[h].posting);
          const std::uint64_t different = records_[slot].code ^ query;
          const auto distance = static_cast<unsigned>(std::popcount(different));
          const auto in_key = static_cast<std::uint32_t>(t == 0 ? different >> 32 : different);
          const auto in_high = static_cast<std::uint32_t>(different >> 32);
          // The high half's table has those with at most one bit there, the low half's the others.
          if (distance > options.distance || !at_most_one(in_key) || (t == 1 && at_most_one(in_high))) continue;
          take(slot, number, distance, options.matches, lowest, found);
        }
        count = 0;
      };
      tables_[t].each_line(query, [&](const neardup_half_scan& scan, std::uint32_t line) {
        ++found.probes;
        found.compared += scan.count;
        scans[count] = scan;
        lines[count++] = line;
        if (count == kAtOnce) look();
      });
      look();
    }
    lowest.send(number, found);
  }

  static bool at_most_one(std::uint32_t bits) { return (bits & (bits - 1)) == 0; }

  void take(hamming::Slot slot, std::size_t query, unsigned distance, MatchKind matches, hamming::LowestRow& lowest,
            hamming::Found& found) const {
    const DocId row = records_[slot].row;
    if (matches == MatchKind::first) {
      lowest.see(row, distance);
      return;
    }
    found.add(query, row, distance);
    const auto copies = copies_.find(slot);
    if (copies == copies_.end()) return;
    for (const DocId copy : copies->second) found.add(query, copy, distance);
  }

  SearchStats compare_all(std::span<const std::uint64_t> queries, const SearchOptions& options, PairSink& sink,
                          const Context& context) const {
    SearchStats stats = hamming::run_search(
        queries.size(), sink, context, 1, [&](std::size_t first, std::size_t last, hamming::Found& found) {
          constexpr std::size_t kAtOnce = hamming::kBlock<std::uint64_t>;
          std::vector<hamming::LowestRow> lowest(last - first);
          std::vector<std::uint64_t> block;
          std::vector<hamming::Slot> slots;
          std::vector<std::uint32_t> hits(kAtOnce + 8);
          const auto look = [&] {
            found.compared += block.size() * (last - first);
            for (std::size_t i = first; i < last && !found.enough(); ++i) {
              const std::size_t count = simd::kernels().filter_signatures(block.data(), block.size(), queries[i],
                                                                          options.distance, hits.data());
              for (std::size_t h = 0; h < count; ++h) {
                const auto distance = static_cast<unsigned>(std::popcount(block[hits[h]] ^ queries[i]));
                take(slots[hits[h]], i, distance, options.matches, lowest[i - first], found);
              }
            }
            block.clear();
            slots.clear();
          };
          for (hamming::Slot slot = 0; slot < records_.size(); ++slot) {
            if (!taken_[slot]) continue;
            block.push_back(records_[slot].code);
            slots.push_back(slot);
            if (block.size() == kAtOnce) look();
          }
          look();
          for (std::size_t i = first; i < last; ++i) lowest[i - first].send(i, found);
        });
    stats.fallback = fmt::format("these tables find distances up to {}; for {} everything was compared", kMostDistance,
                                 options.distance);
    return stats;
  }

  std::uint64_t size_ = 0;  // rows
  base::Mixed mixed_{base::mix64(reinterpret_cast<std::uintptr_t>(this))};
  unsigned line_bits_ = kLeastBits;
  hamming::Slot free_ = hamming::kNone;
  hamming::Records records_;
  std::vector<bool> taken_;
  base::OpenTable<hamming::Slot, hamming::kNone> by_code_{16};
  std::array<hamming::SlotLines, 2> tables_{hamming::SlotLines(0, kLeastBits), hamming::SlotLines(1, kLeastBits)};
  std::unordered_map<hamming::Slot, std::set<DocId>> copies_;  // rows after the lowest
};

MutableHammingIndex::MutableHammingIndex() : impl_(std::make_unique<Impl>()) {}
MutableHammingIndex::~MutableHammingIndex() = default;
MutableHammingIndex::MutableHammingIndex(MutableHammingIndex&&) noexcept = default;
MutableHammingIndex& MutableHammingIndex::operator=(MutableHammingIndex&&) noexcept = default;

void MutableHammingIndex::insert(DocId row, std::uint64_t bits) {
  base::guarded([&] { impl_->insert(row, bits); });
}
bool MutableHammingIndex::remove(DocId row, std::uint64_t bits) {
  return base::guarded([&] { return impl_->remove(row, bits); });
}
std::uint64_t MutableHammingIndex::size() const noexcept { return impl_->size(); }
std::uint64_t MutableHammingIndex::memory_bytes() const noexcept { return impl_->memory_bytes(); }
SearchStats MutableHammingIndex::search(std::span<const std::uint64_t> queries, const SearchOptions& options,
                                        PairSink& sink, const Context& context) const {
  return base::guarded([&] { return impl_->search(queries, options, sink, context); });
}

}  // namespace neardup
