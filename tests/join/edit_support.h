// The textbook's edit distance, and joins by it without any cleverness.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "join/edit_join.h"
#include "neardup/join.h"
#include "text/utf8.h"

namespace neardup::test {

inline std::uint32_t plain_distance(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
  std::vector<std::uint32_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (const std::uint32_t x : a) {
    std::uint32_t diagonal = row[0]++;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::uint32_t replaced = diagonal + (x == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

inline std::vector<std::uint32_t> code_points(const std::string& text) {
  std::vector<std::uint32_t> points;
  for (const char *at = text.data(), *end = at + text.size(); at != end;) points.push_back(text::decode(at, end));
  return points;
}

using Found = std::tuple<DocId, DocId, double>;  // left, right, distance
using Texts = std::vector<std::string>;

inline std::vector<Found> plain_join(const Texts& left, const Texts& right, std::uint64_t most) {
  std::vector<Found> found;
  const bool within_one = &left == &right;
  for (std::size_t i = 0; i < left.size(); ++i) {
    for (std::size_t j = within_one ? i + 1 : 0; j < right.size(); ++j) {
      if (left[i].empty() || right[j].empty()) continue;
      const std::uint32_t distance = plain_distance(code_points(left[i]), code_points(right[j]));
      if (distance <= most) found.emplace_back(i, j, distance);
    }
  }
  return found;
}

class FoundPairs : public PairSink {
 public:
  bool accept(std::span<const Pair> pairs) override {
    for (const Pair& pair : pairs) found.emplace_back(pair.left, pair.right, pair.score);
    return true;
  }
  [[nodiscard]] std::vector<Found> sorted() {
    std::sort(found.begin(), found.end());
    return found;
  }
  std::vector<Found> found;  // as they came
};

}  // namespace neardup::test
