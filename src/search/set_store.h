// Where do feature sets live while pairs are verified, when they may not all fit into memory?
//
// Sizes are known from pass one, so the place of every set is fixed beforehand. Sets that fit the budget stay in
// memory; otherwise they go to one temporary file and come back block by block.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/system.h"
#include "corpus/units.h"
#include "neardup/context.h"
#include "neardup/files.h"
#include "neardup/memory.h"

namespace neardup::search {

// Sets in one temporary file, in the order they come. Memory: 24 bytes a set.
class SetSpill {
 public:
  struct Entry {
    std::uint64_t offset;  // in features
    std::uint32_t count;
    Unit unit;
    std::uint32_t side;
  };

  explicit SetSpill(const Context&);

  void add(unsigned side, Unit, std::span<const Feature> set);
  void finish();  // after the last add

  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  [[nodiscard]] const Entry& entry(std::size_t i) const { return entries_[i]; }
  // After finish(); there is room for entry(i).count features. Threads: may run concurrently.
  void read(std::size_t i, Feature* to) const;

 private:
  void write_pending();
  void hold();

  base::TempFolder temp_;
  FileSystem& files_;
  std::unique_ptr<OutputFile> out_;
  std::unique_ptr<InputFile> in_;
  std::vector<Entry> entries_;
  std::vector<Feature> pending_;  // features not yet written
  std::uint64_t added_ = 0;       // features so far
  Reservation memory_;
};

class SetStore {
 public:
  // For the `needed` units, ascending. Their sets must be added in that order. Without a number of bytes they may take
  // what is left of the memory, but for a part that pairs need.
  SetStore(const corpus::Units&, std::span<const Unit> needed, const Context&);
  SetStore(const corpus::Units&, std::span<const Unit> needed, std::size_t most_bytes, const Context&);

  void add(Unit, std::span<const Feature> set);
  void finish();  // after the last add

  [[nodiscard]] bool in_memory() const { return !spill_; }
  // How many may be loaded at once.
  [[nodiscard]] std::uint64_t most_features() const;

  // Makes the sets of these units available through get(), in place of those loaded before. Nothing to do in memory.
  void load(std::span<const Unit> a, std::span<const Unit> b);
  // Precondition: loaded. Threads: may run concurrently with itself.
  [[nodiscard]] std::span<const Feature> get(Unit unit) const { return {sets_[unit], units_.size[unit]}; }
  // Any needed set, loaded or not; `buffer` holds it when it comes from disk.
  [[nodiscard]] std::span<const Feature> fetch(Unit, std::vector<Feature>& buffer) const;

 private:
  void hold();

  const corpus::Units& units_;
  PerUnit<const Feature*> sets_;   // null: not loaded
  std::vector<Feature> arena_;     // everything, or the loaded block
  std::vector<Unit> loaded_;       // whose sets the block holds
  std::optional<SetSpill> spill_;  // only when not in memory
  PerUnit<std::uint32_t> places_;  // in the spill
  std::size_t most_bytes_;
  Reservation memory_;
};

}  // namespace neardup::search
