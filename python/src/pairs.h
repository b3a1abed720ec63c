// How do pairs that the library sends become columns?
#pragma once

#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

#include "arrays.h"
#include "neardup/pair.h"

namespace neardup::python {

using Rows = Array<std::int64_t>;
using PairArrays = std::tuple<Rows, Rows, Array<double>>;

// Pairs as three columns, in the order in which they come.
class PairColumns final : public PairSink {
 public:
  bool accept(std::span<const Pair> pairs) override {
    for (const Pair& pair : pairs) add(pair.left, pair.right, pair.score);
    return true;
  }
  void add(DocId left, DocId right, double score) {
    left_.push_back(static_cast<std::int64_t>(left));
    right_.push_back(static_cast<std::int64_t>(right));
    score_.push_back(score);
  }
  [[nodiscard]] PairArrays arrays() && {
    return {array_of(std::move(left_)), array_of(std::move(right_)), array_of(std::move(score_))};
  }

 private:
  std::vector<std::int64_t> left_, right_;
  std::vector<double> score_;
};

}  // namespace neardup::python
