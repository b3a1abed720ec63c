// Which rows have the highest scores so far, and which score is no longer enough?
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "clean/bm25_postings.h"

namespace neardup::clean {

// The best `depth`, among equals the earliest rows. Takes some more than that before it sorts out the worst: linear in
// all, and what it says is enough is at most a little too low. Scores are distinguished by their digits, not by
// comparisons, half of which a processor would guess wrongly.
class BestRows {
 public:
  struct Scored {
    Units score;
    DocumentNumber row;
  };

  // Only scores above `enough` are wanted at all. Precondition: depth is at least 1.
  void start(std::size_t depth, Units enough);
  // A score up to this one cannot be among the best if its row comes after all that were added.
  [[nodiscard]] Units enough() const { return enough_; }
  // Precondition: the score is more than enough; rows ascend.
  void add(Units score, DocumentNumber row) {
    rows_.push_back({score, row});
    if (rows_.size() >= limit_) cut();
  }
  [[nodiscard]] std::size_t size() const { return rows_.size(); }
  // Best first.
  std::span<const Scored> finish();

 private:
  void cut();

  std::size_t depth_ = 0, limit_ = 0;
  Units enough_ = 0;
  std::vector<Scored> rows_;  // rows ascend
  std::vector<Scored> other_;
  std::vector<Units> scores_;
};

}  // namespace neardup::clean
