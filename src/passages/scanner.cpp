#include "passages/scanner.h"

#include <algorithm>

namespace neardup::passages {

void CutScanner::add(const JudgedWindow& window) {
  const std::uint32_t number = next_++;
  if (window.source == kStays) {
    stay_end_ = std::uint64_t{number} + window_;
    run_goes_on_ = false;
  } else if (window.source == kNeutral) {
    run_goes_on_ = false;
  } else {
    cut_end_ = std::uint64_t{number} + window_;
    if (window.continues) {
      run_.last = number;
      if (is_open_ && run_goes_on_) open_run_.last = number;
    } else {
      run_ = {.first = number, .last = number, .source = window.source};
      run_goes_on_ = false;
    }
  }
  if (window.protected_items > 0) stay_end_ = std::max(stay_end_, std::uint64_t{number} + window.protected_items);
  decide(number);
}

void CutScanner::add_tail(std::uint32_t protected_items) {
  const std::uint32_t item = next_++;
  if (protected_items > 0) stay_end_ = std::max(stay_end_, std::uint64_t{item} + protected_items);
  decide(item);
}

// Every window that begins at this item or before it is known.
void CutScanner::decide(std::uint32_t item) {
  if (item < stay_end_ || item >= cut_end_) {
    close();
    return;
  }
  if (is_open_ && item >= std::uint64_t{open_run_.last} + window_) close();
  if (!is_open_) {
    is_open_ = run_goes_on_ = true;
    open_run_ = run_;
    open_first_ = item;
    open_items_ = 0;
  }
  ++open_items_;
}

void CutScanner::close() {
  if (!is_open_) return;
  is_open_ = false;
  pieces_.push_back({.first = open_first_,
                     .items = open_items_,
                     .source = open_run_.source,
                     .lead = open_first_ - open_run_.first,
                     .passage_items = open_run_.last - open_run_.first + window_});
}

void CutScanner::finish(std::uint32_t items) {
  for (std::uint32_t item = next_; item < items; ++item) decide(item);
  close();
}

}  // namespace neardup::passages
