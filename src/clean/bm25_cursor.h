// Where does a search stand in the list of a term?
#pragma once

#include <algorithm>
#include <cstdint>

#include "clean/bm25_index.h"

namespace neardup::clean {

// Moves forward only. Unpacks a block when it is asked for what is in it.
class Cursor {
 public:
  // Precondition: the list is not empty.
  void start(const TermList& list, std::uint32_t times) {
    list_ = &list;
    times_ = times;
    block_ = 0;
    position_ = 0;
    rows_of_ = counts_of_ = kNone;
  }

  [[nodiscard]] const TermList& list() const { return *list_; }
  [[nodiscard]] Units times() const { return times_; }
  [[nodiscard]] Units bound() const { return list_->bound * times_; }
  [[nodiscard]] bool at_end() const { return block_ == list_->block_count; }

  // To the block that holds the first posting from `row` on.
  void advance(DocumentNumber row) {
    if (at_end() || block().last >= row) return;
    const Block* const end = list_->blocks + list_->block_count;
    const Block* from = list_->blocks + block_;
    std::ptrdiff_t step = 1;
    for (; end - from > step && from[step].last < row; step *= 2) from += step;
    const Block* const to = end - from > step ? from + step : end;
    block_ = static_cast<std::uint32_t>(
        std::lower_bound(from, to, row, [](const Block& each, DocumentNumber wanted) { return each.last < wanted; }) -
        list_->blocks);
    position_ = 0;
  }
  // The next block; precondition: not at the end.
  void next_block() {
    ++block_;
    position_ = 0;
  }

  [[nodiscard]] const Block& block() const { return list_->blocks[block_]; }
  [[nodiscard]] Units block_bound() const { return static_cast<Units>(block().bound) * times_; }
  [[nodiscard]] DocumentNumber block_first() const { return before() + 1; }  // or earlier than its first row

  // The most that a posting before `end` adds.
  [[nodiscard]] Units bound_before(DocumentNumber end) const {
    float most = 0;
    DocumentNumber first = block_first();
    for (std::uint32_t i = block_; i < list_->block_count && first < end; ++i) {
      most = std::max(most, list_->blocks[i].bound);
      first = list_->blocks[i].last + 1;
    }
    return static_cast<Units>(most) * times_;
  }

  // No posting from `row` on stands before this one. Exact where the block is unpacked. Precondition: not at the end,
  // and advanced to `row`.
  [[nodiscard]] DocumentNumber next_row(DocumentNumber row) {
    if (rows_of_ != block_) return std::max(block_first(), row);
    seek(row);
    return rows_[position_];
  }

  // Unpacks the block's rows.
  const BlockValues& rows() {
    if (rows_of_ != block_) {
      read_rows(list_->data, block(), before(), rows_);
      rows_of_ = block_;
    }
    return rows_;
  }
  const BlockValues& counts() {
    if (counts_of_ != block_) {
      read_counts(list_->data, block(), counts_);
      counts_of_ = block_;
    }
    return counts_;
  }
  // Position of the block's first row from `row` on. Precondition: the block's last row is not before it.
  unsigned seek(DocumentNumber row) {
    rows();
    while (rows_[position_] < row) ++position_;
    return position_;
  }
  // How often the term occurs in `row`; 0: it does not. Precondition: advanced to it, not at the end.
  std::uint32_t count_at(DocumentNumber row) {
    if (rows()[seek(row)] != row) return 0;
    return counts_of_ == block_ ? counts_[position_] : read_count(list_->data, block(), position_);
  }

 private:
  static constexpr std::uint32_t kNone = ~0u;
  [[nodiscard]] DocumentNumber before() const {
    return block_ == 0 ? ~DocumentNumber{0} : list_->blocks[block_ - 1].last;
  }

  const TermList* list_ = nullptr;
  Units times_ = 0;
  std::uint32_t block_ = 0;
  unsigned position_ = 0;
  std::uint32_t rows_of_ = kNone, counts_of_ = kNone;  // the blocks that are unpacked
  BlockValues rows_{}, counts_{};
};

}  // namespace neardup::clean
