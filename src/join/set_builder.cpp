#include "join/set_builder.h"

#include <algorithm>
#include <utility>

#include "base/parallel.h"

namespace neardup::joins {

SetBuilder::SetBuilder(const Expected& expected) : sides_(expected.sides), may_repeat_(expected.may_repeat) {
  dictionary_.emplace(expected.sides, expected.distinct_tokens, expected.seed);
  tokens_.reserve(expected.tokens);
  sets_.reserve(expected.sets);
}

std::uint64_t SetBuilder::bytes_for(const Expected& expected) {
  constexpr std::uint64_t kBytesPerSet = 64, kIndexBytesPerToken = 3;
  const std::uint64_t tokens = expected.tokens * sizeof(Rank);
  return tokens + TokenDictionary::bytes_for(expected.distinct_tokens) + expected.tokens * kIndexBytesPerToken +
         expected.sets * kBytesPerSet;
}

void SetBuilder::add(unsigned side, std::uint32_t number, std::uint32_t full_size, std::span<const Slot> slots) {
  sets_.push_back({.begin = tokens_.size(),
                   .full_size = full_size,
                   .visible = static_cast<std::uint32_t>(slots.size()),
                   .number = number,
                   .side = side});
  tokens_.insert(tokens_.end(), slots.begin(), slots.end());
}

void SetBuilder::rank_tokens(const Context& context) {
  universe_ = dictionary_->make_ranks();
  base::parallel_for(context, sets_.size(), [&](std::size_t first, std::size_t last) {
    std::vector<Rank> scratch;
    for (OrderedSets::Member& set : std::span(sets_).subspan(first, last - first)) {
      Rank* const begin = tokens_.data() + set.begin;
      Rank* end = begin;
      const Slot* const last_slot = begin + set.visible;
      for (const Slot* slot = begin; slot != last_slot; ++slot) {
        constexpr std::ptrdiff_t kAhead = 16;
        if (last_slot - slot > kAhead) __builtin_prefetch(dictionary_->rank_address(slot[kAhead]));
        *end = dictionary_->rank(*slot);
        end += *end != TokenDictionary::kHidden ? 1 : 0;
      }
      sort_ranks({begin, end}, scratch);
      set.visible = static_cast<std::uint32_t>(end - begin);
    }
  });
  dictionary_.reset();
}

OrderedSets SetBuilder::finish(const Context& context) {
  rank_tokens(context);
  tokens_.resize(tokens_.size() + OrderedSets::kPadding);
  OrderedSets sets = OrderedSets::in_order(sides_, universe_, std::move(sets_), std::move(tokens_), context);
  sets.set_may_repeat(may_repeat_);
  return sets;
}

}  // namespace neardup::joins
