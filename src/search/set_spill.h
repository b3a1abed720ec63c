// Where do sets wait on disk until their turn comes?
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/row.h"
#include "base/system.h"
#include "neardup/context.h"
#include "neardup/features.h"
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
  // After finish(). Threads: may run concurrently.
  void read(std::size_t i, std::vector<Feature>& set) const;
  void read(std::size_t i, Feature* to) const;  // room for entry(i).count

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

}  // namespace neardup::search
