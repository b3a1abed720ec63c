#include "clean/grouping.h"

#include <algorithm>

#include "neardup/hamming.h"

namespace neardup::clean {

void Grouper::unite(std::uint32_t a, std::uint32_t b) {
  out_->links.emplace_back(std::min(a, b), std::max(a, b));
  joined_.unite(a, b);
}

bool Grouper::meets(SetNumber a, SetNumber b) {
  if (judge_ == nullptr) return true;
  if (a > b) std::swap(a, b);
  return verdicts_.get(a, b, [&] { return judge_->meets(a, b); });
}

// Leaves the first of the copies of each set in entries_.
void Grouper::join_copies() {
  std::sort(entries_.begin(), entries_.end());
  std::size_t kept = 0;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (kept > 0 && entries_[kept - 1].set == entries_[i].set) {
      if (judge_ == nullptr || judge_->copies_meet(entries_[i].set)) unite(entries_[kept - 1].place, entries_[i].place);
    } else {
      entries_[kept++] = entries_[i];
    }
  }
  entries_.resize(kept);
}

void Grouper::join_sets(std::size_t class_a, std::size_t class_b) {
  for (std::uint32_t a = class_begin_[class_a]; a < class_begin_[class_a + 1]; ++a) {
    const std::uint32_t first = class_a == class_b ? a + 1 : class_begin_[class_b];
    for (std::uint32_t b = first; b < class_begin_[class_b + 1]; ++b) {
      const Entry &left = entries_[a], &right = entries_[b];
      if (!joined_.same(left.place, right.place) && meets(left.set, right.set)) unite(left.place, right.place);
    }
  }
}

void Grouper::join_classes(unsigned k) {
  class_bits_.clear();
  class_begin_.clear();
  for (std::uint32_t i = 0; i < entries_.size(); ++i) {
    if (!class_bits_.empty() && class_bits_.back() == entries_[i].bits) continue;
    class_bits_.push_back(entries_[i].bits);
    class_begin_.push_back(i);
  }
  class_begin_.push_back(static_cast<std::uint32_t>(entries_.size()));
  for (std::size_t c = 0; c < class_bits_.size(); ++c) join_sets(c, c);
  if (k == 0 || class_bits_.size() < 2) return;
  if (class_bits_.size() <= hamming::ShortList::kMost) {
    for (const auto& [a, b] : short_list_.near(class_bits_, k)) join_sets(a, b);
    return;
  }
  PairList near;
  Context alone{.threads = 1};
  hamming_self_join(class_bits_, k, near, alone);
  for (const Pair& pair : near.sorted()) join_sets(pair.left, pair.right);  // in an order of the pairs alone
}

void Grouper::group(std::span<const Hit> results, unsigned k, Groups& out) {
  out_ = &out;
  out.places.clear();
  out.begin.assign(1, 0);
  out.links.clear();
  entries_.clear();
  joined_ = cluster::UnionFind(results.size());
  for (std::uint32_t place = 0; place < results.size(); ++place) {
    const DocumentNumber row = results[place].row;
    if (repository_.set[row] != kNoSet) entries_.push_back({repository_.bits[row], repository_.set[row], place});
  }
  join_copies();
  join_classes(k);
  if (out.links.empty()) return;

  // Members by their group, which its first place names.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> members;
  for (std::uint32_t place = 0; place < results.size(); ++place) members.emplace_back(joined_.find(place), place);
  std::sort(members.begin(), members.end());
  for (std::size_t i = 0; i < members.size();) {
    std::size_t end = i + 1;
    while (end < members.size() && members[end].first == members[i].first) ++end;
    if (end - i > 1) {
      for (; i < end; ++i) out.places.push_back(members[i].second);
      out.begin.push_back(static_cast<std::uint32_t>(out.places.size()));
    }
    i = end;
  }
}

}  // namespace neardup::clean
