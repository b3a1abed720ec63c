#include "join/copies.h"

#include <algorithm>
#include <numeric>

namespace neardup::joins {

Copies::Copies(std::span<const std::uint32_t> group_of, std::uint32_t groups) : begins_(groups + std::size_t{1}, 0) {
  for (const std::uint32_t group : group_of) {
    if (group < groups) ++begins_[group + 1];
  }
  std::inclusive_scan(begins_.begin(), begins_.end(), begins_.begin());
  members_.resize(begins_.back());
  std::vector<std::uint32_t> next(begins_.begin(), begins_.end() - 1);
  for (std::uint32_t record = 0; record < group_of.size(); ++record) {
    if (group_of[record] < groups) members_[next[group_of[record]]++] = record;
  }
}

Copies find_copies(std::span<const std::uint64_t> hashes, const std::function<bool(std::uint32_t)>& is_empty,
                   const std::function<bool(std::uint32_t, std::uint32_t)>& equal) {
  std::vector<std::uint32_t> order(hashes.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return hashes[a] != hashes[b] ? hashes[a] < hashes[b] : a < b; });
  // Where a record's group begins: its first member. Records with equal hashes almost always are equal.
  std::vector<std::uint32_t> first(hashes.size());
  std::vector<std::uint32_t> heads;  // different records with one hash
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i == 0 || hashes[order[i]] != hashes[order[i - 1]]) heads.clear();
    const auto head = std::ranges::find_if(heads, [&](std::uint32_t other) { return equal(other, order[i]); });
    first[order[i]] = head != heads.end() ? *head : order[i];
    if (head == heads.end()) heads.push_back(order[i]);
  }
  std::vector<std::uint32_t> group_of(hashes.size(), ~std::uint32_t{0});
  std::uint32_t groups = 0;
  for (std::uint32_t record = 0; record < hashes.size(); ++record) {
    if (!is_empty(record)) group_of[record] = first[record] == record ? groups++ : group_of[first[record]];
  }
  return {group_of, groups};
}

void ExpandingSink::add_copies(const std::function<std::optional<double>(std::uint32_t group)>& identity_score) {
  for (std::uint32_t group = 0; group < copies_[0].groups() && !stopped_; ++group) {
    const auto members = copies_[0].members(group);
    if (members.size() < 2) continue;
    const std::optional<double> score = identity_score(group);
    if (!score) continue;
    for (std::size_t i = 0; i < members.size() && !stopped_; ++i) {
      for (std::size_t j = i + 1; j < members.size() && !stopped_; ++j) add(members[i], members[j], *score);
    }
  }
}

bool ExpandingSink::accept(std::span<const Pair> pairs) {
  for (const Pair& pair : pairs) {
    const auto lefts = copies_.front().members(static_cast<std::uint32_t>(pair.left));
    const auto rights = copies_.back().members(static_cast<std::uint32_t>(pair.right));
    for (const std::uint32_t left : lefts) {
      for (const std::uint32_t right : rights) {
        if (stopped_) return false;
        if (copies_.size() == 1 && right < left) {
          add(right, left, pair.score);
        } else {
          add(left, right, pair.score);
        }
      }
    }
  }
  return !stopped_;
}

void ExpandingSink::flush() {
  if (in_batch_ > 0 && !sink_.accept(std::span(batch_).first(in_batch_))) stopped_ = true;
  in_batch_ = 0;
}

void ExpandingSink::finish() { flush(); }

}  // namespace neardup::joins
