// Where do rows wait that do not fit into memory and cannot be produced again?
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "arrow/rows.h"
#include "base/system.h"
#include "neardup/files.h"

namespace neardup::arrow {

// Rows in one temporary file, block by block; a block comes back with one read. Memory: 24 bytes a block.
// Threads: add() and finish() one at a time; load() may run concurrently after finish().
class RowSpool {
 public:
  // Of rows as this plan makes them.
  RowSpool(std::shared_ptr<const Plan>, const Context&);

  void add(const Rows&, std::uint64_t weight);
  void finish();  // after the last add

  [[nodiscard]] std::size_t blocks() const { return blocks_.size(); }
  [[nodiscard]] std::uint64_t weight(std::size_t block) const { return blocks_[block].weight; }
  // The rows of a block; views lead into `bytes`. Of the plan's fields those that are numbered here, in this order;
  // nothing: the field is absent.
  void load(std::size_t block, std::span<const std::optional<std::size_t>> fields, Rows& out,
            std::vector<std::uint64_t>& bytes) const;

 private:
  struct Block {
    std::uint64_t offset, bytes, weight;
  };

  [[nodiscard]] std::uint64_t number_of(const char* problem);

  std::shared_ptr<const Plan> plan_;  // also holds what problems lead to
  base::TempFolder temp_;
  FileSystem& files_;
  std::unique_ptr<OutputFile> out_;
  std::unique_ptr<InputFile> in_;
  std::vector<Block> blocks_;
  std::vector<const char*> problems_;
  std::vector<std::uint64_t> numbers_;  // reused
  std::vector<char> bytes_;             // reused
  std::uint64_t written_ = 0;
};

}  // namespace neardup::arrow
