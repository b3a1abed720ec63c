#include "join/token_dictionary.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <vector>

#include "base/random.h"
#include "neardup/error.h"

namespace neardup::joins {
namespace {

// How far a key may be from its home. At three quarters full a few hundred slots are the most it takes; a table in
// which it takes more is as good as full.
constexpr std::uint64_t kOverflowSlots = 2048;
constexpr std::size_t kSlotsAhead = 16;  // tokens whose slots are on their way from memory

// Different tokens have different keys, but for the one token whose key would mean "free": it shares another's.
std::uint64_t key_of(std::uint64_t token, std::uint64_t seed) {
  const std::uint64_t key = base::mix64(token ^ seed);
  return key != 0 ? key : 1;
}

}  // namespace

std::uint64_t TokenDictionary::slots_for(std::uint64_t expected) {
  const std::uint64_t homes = expected + expected / 3 + 1024;
  if (homes + kOverflowSlots >= kHidden) {
    throw Error(ErrorCode::limit, "more than 3,200,000,000 different features are shared; split the collection");
  }
  return homes;
}

std::uint64_t TokenDictionary::bytes_for(std::uint64_t expected) {
  return (slots_for(expected) + kOverflowSlots) * (sizeof(Entry) + sizeof(Rank)) + expected * sizeof(Slot);
}

TokenDictionary::TokenDictionary(unsigned sides, std::uint64_t expected_tokens, std::uint64_t seed)
    : sides_(sides), seed_(seed), homes_(slots_for(expected_tokens)), entries_(homes_ + kOverflowSlots) {}

bool TokenDictionary::encode(unsigned side, std::span<const std::uint64_t> set, std::vector<Slot>& out) {
  const auto home_of = [&](std::uint64_t key) {
    return static_cast<std::uint64_t>((static_cast<unsigned __int128>(key) * homes_) >> 64);
  };
  const std::uint32_t flag = sides_ == 1 ? 0 : TokenCount::kSideFlag << side;
  std::array<std::uint64_t, kSlotsAhead> keys{};
  const auto announce = [&](std::size_t i) {
    const std::uint64_t key = keys[i % kSlotsAhead] = key_of(set[i], seed_);
    __builtin_prefetch(&entries_[home_of(key)], 1);
  };
  for (std::size_t i = 0; i < std::min(kSlotsAhead, set.size()); ++i) announce(i);
  for (std::size_t i = 0; i < set.size(); ++i) {
    const std::uint64_t key = keys[i % kSlotsAhead];
    if (i + kSlotsAhead < set.size()) announce(i + kSlotsAhead);
    const std::uint64_t home = home_of(key);
    std::uint64_t slot = home;
    for (;; ++slot) {
      if (slot == home + kOverflowSlots) return false;
      const std::atomic_ref<std::uint64_t> place(entries_[slot].key);
      std::uint64_t found = place.load(std::memory_order_relaxed);
      if (found == 0 && place.compare_exchange_strong(found, key, std::memory_order_relaxed)) break;
      if (found == key) break;
    }
    TokenCount::add(entries_[slot].count, flag);
    out.push_back(static_cast<Slot>(slot));
  }
  return true;
}

bool TokenDictionary::is_visible(std::uint32_t count) const {
  return sides_ == 1 ? count > 1 : TokenCount::is_on_both_sides(count);
}

Rank TokenDictionary::make_ranks() {
  // Tokens by frequency: a counting sort, which keeps the order of the slots among equals. What is more frequent than
  // the histogram is long shares its last place and is sorted one by one.
  constexpr std::uint32_t kHistogram = 1 << 14;
  std::vector<std::uint64_t> begin(kHistogram + 1, 0);
  const auto bin = [&](std::uint32_t count) { return std::min(TokenCount::sets(count), kHistogram - 1); };
  for (const Entry& entry : std::span<const Entry>(entries_)) {
    if (is_visible(entry.count)) ++begin[bin(entry.count) + 1];
  }
  for (std::size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
  std::vector<Slot> by_rank(begin.back());
  std::vector<std::uint64_t> next(begin.begin(), begin.end() - 1);
  for (std::size_t slot = 0; slot < entries_.size(); ++slot) {
    const std::uint32_t count = entries_[slot].count;
    if (is_visible(count)) by_rank[next[bin(count)]++] = static_cast<Slot>(slot);
  }
  // Where keys crowd, slots depend on the order of arrival. By key they do not.
  const auto before = [&](Slot a, Slot b) {
    const std::uint32_t count_a = TokenCount::sets(entries_[a].count), count_b = TokenCount::sets(entries_[b].count);
    return count_a != count_b ? count_a < count_b : entries_[a].key < entries_[b].key;
  };
  for (std::size_t i = 1; i < begin[kHistogram - 1]; ++i) {
    const Slot moved = by_rank[i];
    std::size_t at = i;
    for (; at > 0 && before(moved, by_rank[at - 1]); --at) by_rank[at] = by_rank[at - 1];
    by_rank[at] = moved;
  }
  std::sort(by_rank.begin() + static_cast<std::ptrdiff_t>(begin[kHistogram - 1]), by_rank.end(), before);

  ranks_ = base::ZeroedArray<Rank>(entries_.size());
  entries_ = {};
  for (std::size_t slot = 0; slot < ranks_.size(); ++slot) ranks_[slot] = kHidden;
  for (std::size_t rank = 0; rank < by_rank.size(); ++rank) ranks_[by_rank[rank]] = static_cast<Rank>(rank);
  return static_cast<Rank>(by_rank.size());
}

}  // namespace neardup::joins
