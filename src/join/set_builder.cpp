#include "join/set_builder.h"

#include <tbb/parallel_sort.h>

#include <algorithm>

#include "base/parallel.h"
#include "base/radix_sort.h"

namespace neardup::joins {
namespace {

// Comparing is quicker for short lists.
void sort_ranks(std::span<Rank> ranks, std::vector<Rank>& scratch) {
  constexpr std::size_t kFewEnoughToCompare = 192;
  if (ranks.size() < kFewEnoughToCompare) {
    std::sort(ranks.begin(), ranks.end());
  } else {
    base::sort_by_digits(ranks, scratch);
  }
}

}  // namespace

SetBuilder::SetBuilder(const Expected& expected) : sides_(expected.sides) {
  dictionary_.emplace(expected.sides, expected.distinct_tokens, expected.seed);
  tokens_.reserve(expected.tokens);
  sets_.reserve(expected.sets);
  begins_.reserve(expected.sets + 1);
}

std::uint64_t SetBuilder::bytes_for(const Expected& expected) {
  constexpr std::uint64_t kBytesPerSet = 64, kIndexBytesPerToken = 3;
  const std::uint64_t tokens = expected.tokens * sizeof(Rank);
  return std::max(tokens + TokenDictionary::bytes_for(expected.distinct_tokens), 2 * tokens) +
         expected.tokens * kIndexBytesPerToken + expected.sets * kBytesPerSet;
}

void SetBuilder::add(unsigned side, std::uint32_t number, std::uint32_t full_size, std::span<const Slot> slots) {
  tokens_.insert(tokens_.end(), slots.begin(), slots.end());
  begins_.push_back(tokens_.size());
  sets_.push_back({.full_size = full_size, .number = number, .side = side});
}

void SetBuilder::rank_tokens(const Context& context) {
  universe_ = dictionary_->make_ranks();
  visible_.resize(sets_.size());
  base::parallel_for(context, sets_.size(), [&](std::size_t first, std::size_t last) {
    std::vector<Rank> scratch;
    for (std::size_t set = first; set < last; ++set) {
      Rank* const begin = tokens_.data() + begins_[set];
      Rank* end = begin;
      const Slot* const last_slot = tokens_.data() + begins_[set + 1];
      for (const Slot* slot = begin; slot != last_slot; ++slot) {
        constexpr std::ptrdiff_t kAhead = 16;
        if (last_slot - slot > kAhead) __builtin_prefetch(dictionary_->rank_address(slot[kAhead]));
        *end = dictionary_->rank(*slot);
        end += *end != TokenDictionary::kHidden ? 1 : 0;
      }
      sort_ranks({begin, end}, scratch);
      visible_[set] = static_cast<std::uint32_t>(end - begin);
    }
  });
  dictionary_.reset();
}

// By size; among equals those that begin with the same token are adjacent.
std::vector<std::uint32_t> SetBuilder::places_in_order() const {
  struct Key {
    std::uint64_t size_and_token;
    std::uint32_t set;
  };
  std::vector<Key> keys(sets_.size());
  for (std::uint32_t set = 0; set < sets_.size(); ++set) {
    const Rank first = visible_[set] > 0 ? tokens_[begins_[set]] : universe_;
    keys[set] = {std::uint64_t{sets_[set].full_size} << 32 | first, set};
  }
  tbb::parallel_sort(keys.begin(), keys.end(), [](const Key& a, const Key& b) {
    return a.size_and_token != b.size_and_token ? a.size_and_token < b.size_and_token : a.set < b.set;
  });
  std::vector<std::uint32_t> order(keys.size());
  std::transform(keys.begin(), keys.end(), order.begin(), [](const Key& key) { return key.set; });
  return order;
}

OrderedSets SetBuilder::finish(const Context& context) {
  rank_tokens(context);
  std::vector<std::uint32_t> order;
  base::with_threads(context, [&] { order = places_in_order(); });

  std::vector<OrderedSets::Set> sets(order.size());
  std::vector<std::uint32_t> numbers(order.size());
  std::vector<std::uint8_t> on_side(sides_ == 2 ? order.size() : 0);
  std::uint64_t begin = 0;
  for (std::size_t place = 0; place < order.size(); ++place) {
    const std::uint32_t set = order[place];
    sets[place] = {begin, sets_[set].full_size, visible_[set]};
    numbers[place] = sets_[set].number;
    if (sides_ == 2) on_side[place] = static_cast<std::uint8_t>(sets_[set].side);
    begin += visible_[set];
  }
  std::vector<OrderedSets::Entry>().swap(sets_);
  std::vector<std::uint32_t>().swap(visible_);
  std::vector<Rank> tokens(begin + OrderedSets::kPadding);
  base::parallel_for(context, order.size(), [&](std::size_t first, std::size_t last) {
    for (std::size_t place = first; place < last; ++place) {
      std::copy_n(tokens_.data() + begins_[order[place]], sets[place].visible, tokens.data() + sets[place].begin);
    }
  });
  std::vector<Rank>().swap(tokens_);
  return {sides_, universe_, std::move(sets), std::move(numbers), std::move(on_side), std::move(tokens)};
}

}  // namespace neardup::joins
