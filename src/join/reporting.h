// How does an algorithm say "this pair", and "this record is done"?
#pragma once

#include <cstdint>
#include <functional>
#include <utility>

#include "base/system.h"
#include "join/algorithms.h"
#include "similarity/measures.h"

namespace neardup::joins {

// Turns two places into the caller's pair: within one collection the smaller number is left, between two collections
// side 0 is. One a thread; finish() at the end.
template <similarity::SetMeasure M>
class Reporter {
 public:
  explicit Reporter(const SetJoin& join) : sets_(join.sets), skip_(join.options.skip), batch_(join.output) {}

  // To be asked before a pair is verified: pairs the caller does not want are not candidates.
  [[nodiscard]] bool wanted(Place x, Place y) const {
    if (!skip_) return true;
    const auto [left, right] = oriented(x, y);
    return !skip_(left, right);
  }

  void report(Place x, Place y, std::uint64_t overlap) {
    const auto [left, right] = oriented(x, y);
    const bool swap = left != sets_.number(x) || (sets_.sides() == 2 && sets_.side(x) == 1);
    const std::uint64_t x_size = sets_.full_size(x), y_size = sets_.full_size(y);
    batch_.add(left, right, swap ? M::score(overlap, y_size, x_size) : M::score(overlap, x_size, y_size));
  }

  void finish() { batch_.finish(); }

 private:
  [[nodiscard]] std::pair<DocId, DocId> oriented(Place x, Place y) const {
    const DocId a = sets_.number(x), b = sets_.number(y);
    const bool swap = sets_.sides() == 1 ? b < a : sets_.side(x) == 1;
    return swap ? std::pair{b, a} : std::pair{a, b};
  }

  const OrderedSets& sets_;
  const std::function<bool(DocId, DocId)>& skip_;
  base::PairBatch batch_;
};

// Tells the observer about finished records and asks now and then whether to go on.
class Pulse {
 public:
  explicit Pulse(const SetJoin& join) : context_(join.context), output_(join.output) {}

  // To be called before each record: false when no more pairs are wanted. Throws Error{interrupted}.
  bool next_record() {
    if (records_ % kRecordsPerCheck == 0) base::check_stop(context_);
    if (records_ == kRecordsPerReport) tell();
    ++records_;
    return !output_.enough();
  }
  void finish() { tell(); }

 private:
  static constexpr std::uint64_t kRecordsPerCheck = 128;
  static constexpr std::uint64_t kRecordsPerReport = 4096;

  void tell() {
    if (context_.observer != nullptr && records_ > 0) context_.observer->advance(records_);
    records_ = 0;
  }

  const Context& context_;
  const base::PairOutput& output_;
  std::uint64_t records_ = 0;
};

}  // namespace neardup::joins
