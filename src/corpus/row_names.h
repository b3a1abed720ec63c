// What is a record called in every output?
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/random.h"
#include "base/row.h"
#include "base/state.h"
#include "io/collection.h"
#include "neardup/memory.h"

namespace neardup::corpus {

// The record's id or place; the second record with an id is `id#2`, and so on, past names that are taken by an id.
std::string name_of(const io::Source&, std::uint64_t number, std::string_view key, std::uint32_t occurrence);

// The same for a record whose name is known.
std::string repeated_name(std::string name, std::uint32_t occurrence);

// What a name is compared by.
struct NameHash {
  std::uint64_t name = 0;   // 0: a name that is certainly unique
  std::uint64_t taken = 0;  // not 0: the name reads as the one that a repeated id would get: numbered(that id, number)

  static std::uint64_t numbered(std::uint64_t name, std::uint64_t number) { return base::mix64(name + number) | 1; }
};

// NameHash::name of a name that another record may have.
std::uint64_t hash_name(std::string_view name);

// Finds names that occur twice, by a hash.
class NameHasher {
 public:
  explicit NameHasher(const Collection&);
  // Equal for records that would have the same name. Most records without an id are named by a place of their own.
  [[nodiscard]] NameHash hash(const io::Source&, std::uint64_t number, std::string_view key) const;

 private:
  bool places_repeat_;  // a file is given twice, or a JSON array, whose elements can share a line, is among the inputs
};

// Which records repeat an id. Ids are distinguished by 64-bit hashes: 8 bytes a record from the first with an id.
class RepeatedIds {
 public:
  void add(const NameHash&);  // in row order
  void finish();
  // 1 for the first record with its id, 2 for the second, and so on; numbers that would make a name which another
  // record has as its id are left out.
  [[nodiscard]] std::uint32_t occurrence(Row) const;
  [[nodiscard]] std::size_t count() const { return repeats_.size(); }
  [[nodiscard]] std::size_t memory_bytes() const {
    return (hashes_.capacity() + taken_.capacity()) * sizeof(std::uint64_t) + repeats_.capacity() * sizeof(Repeat);
  }
  [[nodiscard]] std::size_t finishing_bytes() const { return hashes_.size() * sizeof(std::uint64_t); }  // besides that
  void save(base::StateWriter&) const;  // after finish()
  void load(base::StateReader&, std::size_t rows);

 private:
  std::uint32_t first_row_ = 0;  // rows before it have no hash
  std::vector<std::uint64_t> hashes_;
  std::vector<std::uint64_t> taken_;  // NameHash::taken
  struct Repeat {
    Row row;
    std::uint32_t occurrence;
    friend auto operator<=>(const Repeat&, const Repeat&) = default;
  };
  std::vector<Repeat> repeats_;  // by row
};

// Names records as they come, where later ones are not known yet: those of repeated ids get a number that no record
// before them has. About 32 bytes per record that has an id.
class NamesInOrder {
 public:
  explicit NamesInOrder(Reservation memory) : memory_(std::move(memory)) {}
  // `hash` is NameHash::name of the name.
  std::string unique(std::string name, std::uint64_t hash);
  void hold_memory();  // to be called now and then
  [[nodiscard]] std::uint64_t repeats() const { return repeats_; }

 private:
  std::unordered_map<std::uint64_t, std::uint32_t> counts_;
  std::uint64_t repeats_ = 0;
  Reservation memory_;
};

// What people are told of them.
std::string repeated_ids_warning(std::uint64_t count);

// Texts of chosen rows: names, or the values of a field. Appended in row order.
class RowTexts {
 public:
  RowTexts() = default;
  explicit RowTexts(Reservation memory) : memory_(std::move(memory)) {}
  void add(Row, std::string_view text);
  [[nodiscard]] std::string_view operator[](Row) const;
  [[nodiscard]] bool has(Row row) const {
    return index(row) / 64 < has_.size() && (has_[index(row) / 64] >> index(row) % 64 & 1) != 0;
  }
  [[nodiscard]] bool has_text() const { return !text_.empty(); }
  void save(base::StateWriter&) const;
  void load(base::StateReader&);

 private:
  std::vector<std::uint64_t> has_;     // a bit a row
  std::vector<std::uint64_t> before_;  // by word of has_: the texts of earlier rows
  std::vector<std::uint64_t> ends_;
  std::string text_;
  Reservation memory_;
};

}  // namespace neardup::corpus
