// What do AllPairs, ppjoin and ppjoin+ have in common?
//
// Two sets that share enough tokens share one of their rarest, too. So each set, in ascending order of size, looks its
// prefix up in an inverted index, gathers the earlier sets it meets there, compares itself with those that a rule lets
// pass, and enters the index. (Xiao et al. 2008, Algorithm 1; without the rule Bayardo et al. 2007.)
//
// Positions and prefix lengths count hidden tokens, which come first and are never shared. What matters is how many
// tokens are left from a position on, and those are all visible.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/system.h"
#include "join/algorithms.h"
#include "join/overlap.h"
#include "join/reporting.h"
#include "join/size_bounds.h"
#include "similarity/measures.h"

namespace neardup::joins {

// A set that has a token in its indexed prefix, and how many of its tokens are left there, this one included.
struct Posting {
  Place place;
  std::uint32_t left;
};

// The lists of all tokens in one array, each with the room it will need. It grows while it is probed.
//
// Sets of two collections have lists of their own, and meet only the lists of the other side.
class PrefixIndex {
 public:
  // `indexed(place)` says how many of a set's visible tokens will be added.
  template <class Indexed>
  PrefixIndex(const OrderedSets& sets, Indexed indexed)
      : universe_(sets.universe()), lists_(std::uint64_t{sets.universe()} * sets.sides()) {
    for (Place place = 0; place < sets.size(); ++place) {
      for (const Rank rank : sets.tokens(place).first(indexed(place))) ++list(rank, sets.side(place)).end;
    }
    std::uint64_t begin = 0;
    for (List& list : lists_) {
      const std::uint64_t room = list.end;
      list = {begin, begin};
      begin += room;
    }
    postings_.resize(begin);
  }

  // The postings of sets from place `first` on. `first` must not fall from call to call: sets before it are dropped.
  std::span<const Posting> find(Rank rank, unsigned side, Place first) {
    List& found = list(rank, side);
    while (found.begin != found.end && postings_[found.begin].place < first) ++found.begin;
    return {postings_.data() + found.begin, static_cast<std::size_t>(found.end - found.begin)};
  }
  void add(Rank rank, unsigned side, Posting posting) { postings_[list(rank, side).end++] = posting; }

  [[nodiscard]] std::uint64_t entries() const { return postings_.size(); }
  [[nodiscard]] std::uint64_t bytes() const {
    return postings_.size() * sizeof(Posting) + lists_.size() * sizeof(List);
  }

 private:
  struct List {
    std::uint64_t begin = 0, end = 0;
  };
  List& list(Rank rank, unsigned side) { return lists_[rank + std::uint64_t{universe_} * side]; }

  Rank universe_;
  std::vector<List> lists_;
  std::vector<Posting> postings_;
};

// The set x meets y in the list of a token.
struct Meeting {
  Place x, y;
  std::uint32_t x_left, y_left;  // tokens from there on, this one included
  std::uint32_t overlap;         // tokens already shared before
  std::uint32_t needed;          // to be shared in all

  // Positional filter: enough tokens are left.
  [[nodiscard]] bool is_within_reach() const { return overlap + std::min(x_left, y_left) >= needed; }
};

// Lemma 3: a set must share with a partner at least as large no less than with its own copy. It holds because sets are
// indexed in ascending order of size, those of two collections in one common order, so that the probing set is never
// smaller. An index of one whole collection, probed by the other, would need the longer prefix.
struct ShortIndex {
  template <similarity::SetMeasure M>
  static similarity::Size indexed_overlap(similarity::Size size, const Threshold& threshold) {
    return M::min_overlap(size, size, threshold);
  }
};

// A Rule says what distinguishes the algorithm:
//   indexed_overlap<M>(size, threshold)   a set is indexed up to the last token that can be the first of so many shared
//   admits(meeting)                       false: the pair is out for good
//   count(survivors, filters)             adds its filters to the statistics
template <similarity::SetMeasure M, class Rule>
class PrefixJoin {
 public:
  PrefixJoin(const SetJoin& join, Rule rule)
      : join_(join),
        sets_(join.sets),
        rule_(std::move(rule)),
        reporter_(join),
        prefixes_(prefixes(join)),
        index_(join.sets, [&](Place place) { return visible(place, prefixes_[sets_.full_size(place)].indexed); }),
        bounds_(join.sets, join.options.threshold) {
    partners_.reserve(sets_.size());
    for (Place place = 0; place < sets_.size(); ++place) partners_.push_back({.size = sets_.full_size(place)});
  }

  void run() {
    Pulse pulse(join_);
    for (Place x = 0; x < sets_.size() && pulse.next_record(); ++x) {
      bounds_.move_to(x);
      gather_and_index(x);
      verify(x);
    }
    pulse.finish();
    reporter_.finish();
    join_.stats.index.entries = index_.entries();
    join_.stats.index.bytes = index_.bytes();
    join_.stats.filters = {{"size", met_}, {"prefix", pairs_met_}};
    rule_.count(survivors_, join_.stats.filters);
    join_.stats.candidates = candidates_count_;
  }

 private:
  static constexpr Place kNobody = UINT32_MAX;
  static constexpr std::uint32_t kPruned = UINT32_MAX;

  struct Prefix {
    std::uint32_t probed = 0, indexed = 0;
  };
  // What the current x knows of an earlier set; valid when `met_by` is x.
  struct Partner {
    std::uint32_t size;
    Place met_by = kNobody;
    std::uint32_t overlap = 0;  // or kPruned
  };

  // By size, for the sizes that occur. No prefix when a set is too small for any partner.
  static std::vector<Prefix> prefixes(const SetJoin& join) {
    std::vector<Prefix> prefixes(std::uint64_t{join.sets.largest_size()} + 1);
    const auto length = [](std::uint64_t size, std::uint64_t overlap) {
      return static_cast<std::uint32_t>(overlap > size ? 0 : size - overlap + 1);
    };
    for (Place place = 0; place < join.sets.size(); ++place) {
      const std::uint32_t size = join.sets.full_size(place);
      if (place > 0 && size == join.sets.full_size(place - 1)) continue;
      prefixes[size] = {.probed = length(size, M::min_overlap_any(size, join.options.threshold)),
                        .indexed = length(size, Rule::template indexed_overlap<M>(size, join.options.threshold))};
    }
    return prefixes;
  }

  [[nodiscard]] std::uint32_t visible(Place place, std::uint32_t prefix) const {
    const std::uint32_t hidden = sets_.hidden(place);
    return prefix > hidden ? prefix - hidden : 0;
  }

  void gather_and_index(Place x) {
    candidates_.clear();
    const std::span<const Rank> tokens = sets_.tokens(x);
    const unsigned own_side = sets_.side(x), other_side = sets_.partner_side(x);
    const Prefix prefix = prefixes_[sets_.full_size(x)];
    const std::uint32_t probed = visible(x, prefix.probed), indexed = visible(x, prefix.indexed);
    auto left = static_cast<std::uint32_t>(tokens.size());
    for (std::uint32_t k = 0; k < probed; ++k, --left) {
      const std::span<const Posting> postings = index_.find(tokens[k], other_side, bounds_.first());
      met_ += postings.size();
      for (const Posting posting : postings) meet(x, left, posting);
      if (k < indexed) index_.add(tokens[k], own_side, {x, left});
    }
  }

  void meet(Place x, std::uint32_t x_left, Posting posting) {
    Partner& partner = partners_[posting.place];
    if (partner.met_by != x) {
      partner.met_by = x;
      partner.overlap = 0;
      ++pairs_met_;
    } else if (partner.overlap == kPruned) {
      return;
    }
    if (!rule_.admits(Meeting{.x = x,
                              .y = posting.place,
                              .x_left = x_left,
                              .y_left = posting.left,
                              .overlap = partner.overlap,
                              .needed = bounds_.needed(partner.size)})) {
      partner.overlap = kPruned;
      return;
    }
    if (partner.overlap == 0) candidates_.push_back(posting.place);
    ++partner.overlap;
  }

  // Algorithm 2. Of the two prefixes, the one whose last token is smaller has met all it can meet in the other set; so
  // only what follows it is compared, and with the other set less as many tokens as are known to be shared. The prefix
  // of y is the one that is indexed (the paper leaves that open): what follows it was not met by x.
  void verify(Place x) {
    const std::span<const Rank> x_tokens = sets_.tokens(x);
    const std::uint32_t x_prefix = visible(x, prefixes_[sets_.full_size(x)].probed);
    for (const Place y : candidates_) {
      const Partner& partner = partners_[y];
      if (partner.overlap == kPruned) continue;
      ++survivors_;
      if (!reporter_.wanted(x, y)) continue;
      ++candidates_count_;
      const std::span<const Rank> y_tokens = sets_.tokens(y);
      const std::uint32_t y_prefix = visible(y, prefixes_[partner.size].indexed);
      const bool x_ends_first = x_tokens[x_prefix - 1] < y_tokens[y_prefix - 1];
      const std::uint32_t known = partner.overlap, needed = bounds_.needed(partner.size);
      const std::uint32_t overlap =
          x_ends_first ? overlap_at_least(x_tokens.subspan(x_prefix), y_tokens.subspan(known), known, needed)
                       : overlap_at_least(x_tokens.subspan(known), y_tokens.subspan(y_prefix), known, needed);
      if (overlap > 0) reporter_.report(x, y, overlap);
    }
  }

  const SetJoin& join_;
  const OrderedSets& sets_;
  Rule rule_;
  Reporter<M> reporter_;
  std::vector<Prefix> prefixes_;  // by size
  PrefixIndex index_;
  SizeBounds<M> bounds_;
  std::vector<Partner> partners_;  // by place
  std::vector<Place> candidates_;  // of the current x; some may have been pruned since
  std::uint64_t met_ = 0, pairs_met_ = 0, survivors_ = 0, candidates_count_ = 0;
};

template <class Rule>
void prefix_join(const SetJoin& join, const Rule& rule) {
  const base::Stopwatch watch;
  similarity::with_measure(join.options.measure, [&]<class M>() { PrefixJoin<M, Rule>(join, rule).run(); });
  join.stats.seconds.join = watch.seconds();
}

}  // namespace neardup::joins
