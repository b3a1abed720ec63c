// Which rows have the highest scores so far, and which score is no longer enough?
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "clean/bm25_scoring.h"

namespace neardup::clean {

// The best `depth`, among equals the earliest rows. Takes some more than that before it sorts out the worst: linear in
// all, and what it says is enough is at most a little too low.
class BestRows {
 public:
  struct Scored {
    Units score;
    Row row;
  };

  // Only scores above `enough` are wanted at all. Precondition: depth is at least 1.
  void start(std::size_t depth, Units enough) {
    depth_ = depth;
    limit_ = depth + depth / 4 + 16;
    enough_ = enough;
    rows_.clear();
  }
  // A score up to this one cannot be among the best if its row comes after all that were added.
  [[nodiscard]] Units enough() const { return enough_; }
  // Precondition: the score is more than enough; rows ascend.
  void add(Units score, Row row) {
    rows_.push_back({score, row});
    if (rows_.size() >= limit_) cut();
  }
  [[nodiscard]] std::size_t size() const { return rows_.size(); }
  // Best first.
  const std::vector<Scored>& finish() {
    if (rows_.size() > depth_) cut();
    std::sort(rows_.begin(), rows_.end(), Before{});
    return rows_;
  }

 private:
  struct Before {
    bool operator()(const Scored& left, const Scored& right) const {
      return left.score != right.score ? left.score > right.score : left.row < right.row;
    }
  };
  void cut() {
    const auto last = rows_.begin() + static_cast<std::ptrdiff_t>(depth_) - 1;
    std::nth_element(rows_.begin(), last, rows_.end(), Before{});
    enough_ = last->score;
    rows_.resize(depth_);
  }

  std::size_t depth_ = 0, limit_ = 0;
  Units enough_ = 0;
  std::vector<Scored> rows_;
};

}  // namespace neardup::clean
