// Which documents are exact copies of each other, and what is remembered of each?
//
// A unit is a distinct feature set (for edit: a distinct string; for hamming: a distinct fingerprint, and where lengths
// matter a distinct length). Copies cost one table entry each and never a pair.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "base/numbering.h"
#include "base/open_table.h"
#include "base/row.h"
#include "base/state.h"
#include "neardup/cluster.h"
#include "neardup/features.h"

namespace neardup::corpus {

// 128 bits that represent a feature set.
struct SetHash {
  std::uint64_t low, high;
  friend bool operator==(const SetHash&, const SetHash&) = default;
};
SetHash hash_set(std::span<const Feature>);
SetHash hash_bytes(std::span<const char>);

// Tells, on any thread, whether a set is seen for the first time.
class FirstSight {
 public:
  // True for one caller among all that bring this hash; for the hash zero, which marks a free slot, always.
  bool claim(const SetHash&);
  [[nodiscard]] std::size_t memory_bytes() const { return bytes_; }

 private:
  static constexpr std::size_t kShards = 64;
  struct Shard {
    std::mutex mutex;
    base::OpenTable<SetHash, SetHash{}, 66> seen;
  };
  std::array<Shard, kShards> shards_;
  std::atomic<std::size_t> bytes_ = 0;
};

// Fingerprints come as they are, and similar ones share their low bits.
struct SpreadSetHash {
  std::uint64_t operator()(const SetHash& hash) const { return base::mix64(hash.low); }
};

// Numbers distinct sets in the order they come.
using UnitNumbering = base::Numbering<SetHash, SpreadSetHash, Unit>;

// What is known of the records of a collection, by row, and of their distinct feature sets, by unit.
struct Units {
  PerRow<Unit> unit_of_row;  // kNoUnit unless the row's status is `document`
  PerRow<RowStatus> status;
  PerUnit<Row> first_row;
  PerUnit<std::uint32_t>
      size;  // features in the set; for edit bytes of the string; 1 where nothing is compared by size
  PerUnit<std::uint64_t> bits;  // for hamming; for containment the features of short documents (keeps_short_lengths())
  PerUnit<std::uint32_t> length;  // in code points, where lengths matter; for containment that of short documents
  // Where features are ignored: the size with them, and the hash of the value within which they are counted.
  PerUnit<std::uint32_t> whole_size;
  PerUnit<std::uint64_t> group;
  PerUnit<std::uint64_t> salt;  // added to every feature; units are compared only where it is equal. Mostly none
  PerUnit<std::uint64_t> twin;  // equal for units with equal features; only where other fields distinguish them

  [[nodiscard]] std::size_t rows() const { return unit_of_row.size(); }
  [[nodiscard]] std::size_t units() const { return first_row.size(); }
  [[nodiscard]] bool has_unit(Row row) const { return status[row] == RowStatus::document; }
  [[nodiscard]] bool is_first(Row row) const { return has_unit(row) && first_row[unit_of_row[row]] == row; }
  [[nodiscard]] std::uint64_t features() const;        // over all units
  [[nodiscard]] std::uint64_t whole_features() const;  // those that do not count included
  [[nodiscard]] std::uint64_t group_of(Unit unit) const { return group.empty() ? 0 : group[unit]; }
  [[nodiscard]] std::size_t memory_bytes() const;

  // Adds the next row; a document whose unit is new also adds that.
  void add(RowStatus);
  void add(Unit);
  void add_unit(Row first, std::uint32_t unit_size);

  void save(base::StateWriter&) const;
  void load(base::StateReader&);
};

}  // namespace neardup::corpus
