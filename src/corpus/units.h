// Which documents are exact copies of each other, and what is remembered of each?
//
// A unit is a distinct feature set (for hamming: a distinct fingerprint, and where lengths
// matter a distinct length). Copies cost one table entry each and never a
// pair. Rows are 32 bits here: a collection of more than four thousand million records is refused.
#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <cstdint>
#include <limits>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/numbering.h"
#include "base/open_table.h"
#include "base/row.h"
#include "base/state.h"
#include "neardup/features.h"

namespace neardup::corpus {

inline constexpr Unit kNoUnit = std::numeric_limits<Unit>::max();         // a document without features
inline constexpr Unit kBadRecord = std::numeric_limits<Unit>::max() - 1;  // not a document at all
inline constexpr Unit kLeftOut = std::numeric_limits<Unit>::max() - 2;    // removed before any search (--against)

// 128 bits that stand for a feature set.
struct SetHash {
  std::uint64_t low, high;
  friend bool operator==(const SetHash&, const SetHash&) = default;
};
SetHash hash_set(std::span<const Feature>);
SetHash hash_bytes(std::span<const char>);

// Tells, on any thread, whether a set is seen for the first time.
class FirstSight {
 public:
  static constexpr std::size_t kBytesPerUnit = 48;
  // True for one caller among all that bring this hash; for the hash zero, which stands for a free slot, always.
  bool claim(const SetHash&);

 private:
  static constexpr std::size_t kShards = 64;
  struct Shard {
    std::mutex mutex;
    base::OpenTable<SetHash, SetHash{}, 66> seen;
  };
  std::array<Shard, kShards> shards_;
};

// Fingerprints come as they are, and similar ones share their low bits.
struct SpreadSetHash {
  std::uint64_t operator()(const SetHash& hash) const { return base::mix64(hash.low); }
};

// Numbers distinct sets in the order they come.
class UnitNumbering {
 public:
  static constexpr std::size_t kBytesPerUnit = 24;
  // The set's unit, and whether it is new.
  std::pair<Unit, bool> number(const SetHash& hash) { return numbering_.number(hash); }

 private:
  base::Numbering<SetHash, SpreadSetHash> numbering_;
};

// What pass one leaves behind.
struct UnitTable {
  std::vector<Unit> unit_of_row;
  std::vector<Row> first_row;           // by unit
  std::vector<std::uint32_t> set_size;  // by unit
  std::vector<std::uint64_t> bits;      // by unit, for hamming only
  std::vector<std::uint32_t> length;    // by unit, in code points; where lengths matter

  void save(base::StateWriter&) const;
  void load(base::StateReader&);

  [[nodiscard]] std::size_t rows() const { return unit_of_row.size(); }
  [[nodiscard]] std::size_t units() const { return first_row.size(); }
  [[nodiscard]] bool has_unit(Row row) const { return unit_of_row[row] < kLeftOut; }
  [[nodiscard]] bool is_first(Row row) const { return has_unit(row) && first_row[unit_of_row[row]] == row; }
};

// Remembers which records repeat an id. Ids are told apart by 64-bit hashes: 8 bytes a record from the first with an
// id.
class RepeatedIds {
 public:
  void add(std::uint64_t name_hash);  // in row order; 0: a name that nobody else has
  void finish();
  // 1 for the first record with its id, 2 for the second, ...
  [[nodiscard]] std::uint32_t occurrence(Row) const;
  [[nodiscard]] std::size_t count() const { return repeats_.size(); }
  void save(base::StateWriter&) const;  // after finish()
  void load(base::StateReader&);

 private:
  Row first_row_ = 0;  // rows before it have no hash
  std::vector<std::uint64_t> hashes_;
  struct Repeat {
    Row row;
    std::uint32_t occurrence;
    friend auto operator<=>(const Repeat&, const Repeat&) = default;
  };
  std::vector<Repeat> repeats_;  // by row
};

// The same for records that must be named as they come: about 32 bytes a record.
class RepeatedNames {
 public:
  // How often this name has been seen, this time included.
  std::uint32_t count(std::uint64_t name_hash) { return name_hash == 0 ? 1 : ++counts_[name_hash]; }

 private:
  std::unordered_map<std::uint64_t, std::uint32_t> counts_;
};

// The names of the documents that will be spoken of, by row. Appended in row order.
class Names {
 public:
  void add(Row, std::string_view name);
  [[nodiscard]] std::string_view operator[](Row) const;
  [[nodiscard]] bool has_text() const { return !text_.empty(); }
  void save(base::StateWriter&) const;
  void load(base::StateReader&);
  [[nodiscard]] bool has(Row row) const { return row / 64 < has_.size() && (has_[row / 64] >> row % 64 & 1) != 0; }

 private:
  std::vector<std::uint64_t> has_;     // a bit a row
  std::vector<std::uint64_t> before_;  // by word of has_: the names of earlier rows
  std::vector<std::uint64_t> ends_;
  std::string text_;
};

}  // namespace neardup::corpus
