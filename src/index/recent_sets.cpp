#include "index/recent_sets.h"

#include <algorithm>
#include <random>
#include <utility>

#include "base/random.h"

namespace neardup::indexing {

RecentSets::RecentSets(const Verifier& verifier, const SearchLimits& limits, std::shared_ptr<const SetSegment> guide)
    : verifier_(verifier),
      limits_(limits),
      guide_(std::move(guide)),
      key_(std::uint64_t{std::random_device{}()} << 32 | 1),
      heads_(64, kNone) {}

std::size_t RecentSets::head_of(Feature feature) const { return base::mix64(feature ^ key_) & (heads_.size() - 1); }

void RecentSets::grow() {
  heads_.assign(heads_.size() * 2, kNone);
  for (std::uint32_t i = 0; i < postings_.size(); ++i) {
    std::uint32_t& head = heads_[head_of(postings_[i].feature)];
    postings_[i].next = head;
    head = i;
  }
}

std::span<const Feature> RecentSets::prefix(std::span<const Feature> set, std::vector<Feature>& buffer) const {
  const std::size_t length = std::min<std::uint64_t>(verifier_.prefix_size(set.size()), set.size());
  if (!guide_) return set.first(length);
  guide_->rarest(set, length, buffer);
  return buffer;
}

void RecentSets::insert(UnitId id, std::span<const Feature> set) {
  const auto slot = static_cast<std::uint32_t>(units_.size());
  units_.push_back({.id = id, .begin = features_.size(), .size = set.size()});
  features_.insert(features_.end(), set.begin(), set.end());
  std::vector<Feature> buffer;
  for (const Feature feature : prefix(set, buffer)) {
    if (postings_.size() == heads_.size()) grow();
    std::uint32_t& head = heads_[head_of(feature)];
    postings_.push_back({.feature = feature, .slot = slot, .next = head});
    head = static_cast<std::uint32_t>(postings_.size() - 1);
  }
}

void RecentSets::candidates(std::span<const Feature> set, std::vector<UnitId>& out) const {
  thread_local std::vector<std::uint32_t> slots;
  thread_local std::vector<Feature> buffer;
  slots.clear();
  for (const Feature feature : prefix(set, buffer)) {
    for (std::uint32_t at = heads_[head_of(feature)]; at != kNone; at = postings_[at].next) {
      const Posting& posting = postings_[at];
      if (posting.feature == feature && verifier_.sizes_can_match(set.size(), units_[posting.slot].size))
        slots.push_back(posting.slot);
    }
  }
  std::sort(slots.begin(), slots.end());
  slots.erase(std::unique(slots.begin(), slots.end()), slots.end());
  for (const std::uint32_t slot : slots) {
    if (verifier_.verify(set, set_of(slot))) out.push_back(units_[slot].id);
  }
}

std::uint64_t RecentSets::memory_bytes() const {
  return units_.capacity() * sizeof(Unit) + features_.capacity() * sizeof(Feature) +
         heads_.capacity() * sizeof(std::uint32_t) + postings_.capacity() * sizeof(Posting);
}

}  // namespace neardup::indexing
