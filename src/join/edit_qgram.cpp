// The paper's way with edit distance (Xiao et al. 2008, section 6): strings as sets of q-grams, joined like ppjoin.
//
// A string of n code points, padded with q - 1 marks on either side, has n + q - 1 q-grams; repeated ones are numbered,
// which makes them a set. One edit spoils at most q of them, so strings within T edits share at least
// max(|u|, |v|) + q - 1 - qT. Where this is not positive it says nothing about a pair, and the pair is compared.
//
// Grams are their hashes. Two with one hash count as the same gram from the start, numbering included, so that sets
// keep their sizes and shared grams only become more: pairs cannot be lost.
#include <tbb/parallel_sort.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>

#include "base/parallel.h"
#include "base/random.h"
#include "base/system.h"
#include "join/edit_hash_lists.h"
#include "join/edit_join.h"
#include "join/edit_probe.h"
#include "neardup/error.h"

namespace neardup::joins {
namespace {

using Gram = std::uint32_t;  // a numbered gram's hash

template <class Symbol>
class GramCutter {
 public:
  GramCutter(std::uint32_t gram_length, std::uint32_t alphabet)
      : length_(gram_length), front_mark_(alphabet + 1), back_mark_(alphabet + 2) {
    for (std::uint32_t i = 0; i < gram_length; ++i) leaving_ *= kBase;
  }

  // All grams of a string, in no particular order.
  void cut(std::span<const Symbol> text, std::vector<Gram>& out) {
    const std::size_t padding = length_ - 1;
    const auto at = [&](std::size_t i) -> std::uint64_t {  // of the padded string
      if (i < padding) return front_mark_;
      return i - padding < text.size() ? text[i - padding] + std::uint64_t{1} : back_mark_;
    };
    hashes_.clear();
    std::uint64_t rolling = 0;
    for (std::size_t i = 0; i < text.size() + 2 * padding; ++i) {
      rolling = rolling * kBase + at(i);
      if (i >= length_) rolling -= leaving_ * at(i - length_);
      if (i >= padding) hashes_.push_back(base::mix64(rolling));
    }
    std::sort(hashes_.begin(), hashes_.end());
    out.clear();
    std::uint64_t repeats = 0;
    for (std::size_t i = 0; i < hashes_.size(); ++i) {
      repeats = i > 0 && hashes_[i] == hashes_[i - 1] ? repeats + 1 : 0;
      out.push_back(static_cast<Gram>(base::mix64(hashes_[i] + repeats * kNumber) >> 32));
    }
  }

 private:
  static constexpr std::uint64_t kBase = 0x9e3779b97f4a7c15, kNumber = 0xd1342543de82ef95;
  std::uint32_t length_, front_mark_, back_mark_;  // symbols count from 1 here
  std::uint64_t leaving_ = 1;                      // kBase to the power of length_
  std::vector<std::uint64_t> hashes_;
};

// The first grams of every string, rarest first, and where each is found. Rarity is by counters that grams may share:
// any order does, as long as it is the same for all strings.
class GramIndex {
 public:
  GramIndex(const StringSet& strings, std::uint32_t gram_length, std::uint32_t max_distance, const Context& context)
      : strings_(strings), gram_length_(gram_length), max_distance_(max_distance) {
    strings.with_symbol_type([&]<class Symbol>() {
      count<Symbol>(context);
      take_prefixes<Symbol>(context);
    });
    counters_ = {};
    for (unsigned side = 0; side < strings.sides(); ++side) build_lists(side, context);
  }

  // Grams that T edits can change. Sets that are not larger share nothing for certain.
  [[nodiscard]] std::uint64_t spoiled() const { return std::uint64_t{gram_length_} * max_distance_; }
  [[nodiscard]] std::uint64_t set_size(std::uint32_t length) const { return std::uint64_t{length} + gram_length_ - 1; }
  [[nodiscard]] std::span<const Gram> prefix(const StringSet::Group& group, StringPlace place) const {
    const std::uint64_t size = prefix_size(group),
                        group_index = static_cast<std::size_t>(&group - strings_.groups().data());
    return std::span(grams_).subspan(begins_[group_index] + (place - group.first) * size, size);
  }

  // Strings of a side with the gram in their prefix, from `first` to before `last`, and its position there.
  struct List {
    std::span<const StringPlace> places;
    const std::uint16_t* positions;  // kFarthest represents all from there on
  };
  [[nodiscard]] List find(unsigned side, Gram gram, StringPlace first, StringPlace last) const {
    const Side& from = side_[side];
    const HashLists::Range range = from.lists.find(gram);
    const StringPlace *begin = from.places.data() + range.begin, *end = from.places.data() + range.end;
    begin = std::lower_bound(begin, end, first);
    end = std::lower_bound(begin, end, last);
    return {{begin, end}, from.positions.data() + (begin - from.places.data())};
  }

  [[nodiscard]] std::uint64_t entries() const { return side_[0].places.size() + side_[1].places.size(); }
  [[nodiscard]] std::uint64_t bytes() const {
    return grams_.size() * sizeof(Gram) + entries() * (sizeof(StringPlace) + sizeof(std::uint16_t)) +
           side_[0].lists.bytes() + side_[1].lists.bytes();
  }

 private:
  static constexpr std::uint16_t kFarthest = std::numeric_limits<std::uint16_t>::max();
  struct Side {
    HashLists lists;
    std::vector<StringPlace> places;
    std::vector<std::uint16_t> positions;
  };

  [[nodiscard]] std::uint64_t prefix_size(const StringSet::Group& group) const {
    const std::uint64_t longest_partner =
        std::min<std::uint64_t>(strings_.longest(), group.length + std::uint64_t{max_distance_});
    if (longest_partner + gram_length_ - 1 <= spoiled()) return 0;  // is compared with all its partners
    return std::min(set_size(group.length), spoiled() + 1);
  }
  [[nodiscard]] std::uint32_t& counter(Gram gram) { return counters_[gram >> counter_shift_]; }

  // Calls visit(group, place, grams) for every string, on all threads.
  template <class Symbol, class Visit>
  void for_each_string(const Context& context, const Visit& visit) {
    base::parallel_for(context, strings_.size(), [&](std::size_t first, std::size_t last) {
      GramCutter<Symbol> cutter(gram_length_, strings_.alphabet());
      std::vector<Gram> grams;
      const StringSet::Group* group = nullptr;
      for (auto place = static_cast<StringPlace>(first); place < last; ++place) {
        if (group == nullptr || place >= group->last) group = &strings_.group_of(place);
        cutter.cut(symbols_of(strings_.symbols<Symbol>(), *group, place), grams);
        visit(*group, place, grams);
      }
    });
  }

  template <class Symbol>
  void count(const Context& context) {
    const auto bits = std::clamp(static_cast<unsigned>(std::bit_width(strings_.total_symbols() / 4)), 10u, 22u);
    counter_shift_ = 32 - bits;
    counters_.resize(std::size_t{1} << bits);
    for_each_string<Symbol>(context, [&](const StringSet::Group&, StringPlace, const std::vector<Gram>& grams) {
      for (const Gram gram : grams) std::atomic_ref(counter(gram)).fetch_add(1, std::memory_order_relaxed);
    });
  }

  template <class Symbol>
  void take_prefixes(const Context& context) {
    std::uint64_t size = 0;
    for (const StringSet::Group& group : strings_.groups()) {
      begins_.push_back(size);
      size += prefix_size(group) * group.size();
    }
    if (size > std::numeric_limits<std::uint32_t>::max()) {
      throw Error(ErrorCode::limit, "the q-grams of these strings do not fit in one index; use `algorithm=segments`",
                  "algorithm");
    }
    grams_.resize(size);
    for_each_string<Symbol>(context, [&](const StringSet::Group& group, StringPlace place, std::vector<Gram>& grams) {
      const std::span<const Gram> to = prefix(group, place);
      Gram* out = grams_.data() + (to.data() - grams_.data());
      std::partial_sort_copy(grams.begin(), grams.end(), out, out + to.size(), [&](Gram a, Gram b) {
        const std::uint32_t x = counter(a), y = counter(b);
        return x != y ? x < y : a < b;
      });
    });
  }

  void build_lists(unsigned side, const Context& context) {
    std::vector<std::uint64_t> entries;
    for (const StringSet::Group& group : strings_.groups()) {
      if (group.side != side) continue;
      for (StringPlace place = group.first; place < group.last; ++place) {
        for (const Gram gram : prefix(group, place)) entries.push_back(std::uint64_t{gram} << 32 | place);
      }
    }
    base::with_threads(context, [&] { tbb::parallel_sort(entries.begin(), entries.end()); });
    Side& to = side_[side];
    to.lists = HashLists(entries);
    to.places.resize(entries.size());
    to.positions.resize(entries.size());
    base::parallel_for(context, entries.size(), [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) {
        const auto place = static_cast<StringPlace>(entries[i]);
        const auto grams = prefix(strings_.group_of(place), place);
        const auto position =
            std::find(grams.begin(), grams.end(), static_cast<Gram>(entries[i] >> 32)) - grams.begin();
        to.places[i] = place;
        to.positions[i] = static_cast<std::uint16_t>(std::min<std::ptrdiff_t>(position, kFarthest));
      }
    });
  }

  const StringSet& strings_;
  std::uint32_t gram_length_;
  std::uint32_t max_distance_;
  unsigned counter_shift_ = 0;
  std::vector<std::uint32_t> counters_;
  std::vector<std::uint64_t> begins_;  // by group: where its prefixes begin
  std::vector<Gram> grams_;            // prefix after prefix
  std::array<Side, 2> side_;
};

template <class Symbol>
class GramSearch {
 public:
  GramSearch(EditProbe<Symbol>& probe, const GramIndex& index) : probe_(probe), index_(index) {}

  void operator()(StringPlace place, const StringSet::Group& group, std::span<const StringSet::Group* const> partners) {
    if (partners.empty()) return;
    for (const StringSet::Group* partner : partners) {
      probe_.counts.filters[0] += std::min(partner->last, place) - partner->first;
    }
    const std::uint64_t size = index_.set_size(group.length);
    if (size <= index_.spoiled()) {
      compare_all(place, partners);
    } else {
      count_shared(place, group, partners, size - index_.spoiled());
      compare_found(partners.front()->first);
    }
  }

 private:
  struct Found {
    StringPlace place;
    const StringSet::Group* group;
  };
  static constexpr std::uint32_t kPruned = std::numeric_limits<std::uint32_t>::max();

  void compare_all(StringPlace place, std::span<const StringSet::Group* const> partners) {
    for (const StringSet::Group* partner : partners) {
      const StringPlace last = std::min(partner->last, place);
      for (StringPlace other = partner->first; other < last && !probe_.enough(); ++other) {
        ++probe_.counts.filters[1];
        ++probe_.counts.filters[2];
        probe_.compare(other, *partner);
      }
    }
  }

  // Counts common grams of the prefixes. A partner is given up when these and all that can still follow are too few
  // (the paper's positional filter); grams that follow in the longer set are always enough.
  void count_shared(StringPlace place, const StringSet::Group& group, std::span<const StringSet::Group* const> partners,
                    std::uint64_t need) {
    const StringPlace window = partners.front()->first;
    if (shared_.size() < place - window + std::size_t{1}) shared_.resize(place - window + std::size_t{1});
    for (const Gram gram : index_.prefix(group, place)) {
      const GramIndex::List list = index_.find(partners.front()->side, gram, window, place);
      probe_.count_work(list.places.size() + 1);
      auto partner = partners.begin();
      for (std::size_t i = 0; i < list.places.size(); ++i) {
        const StringPlace other = list.places[i];
        while (other >= (*partner)->last) ++partner;
        std::uint32_t& shared = shared_[other - window];
        if (shared == 0) found_.push_back({other, *partner});
        if (shared == kPruned) continue;
        const std::uint64_t still = index_.set_size((*partner)->length) - list.positions[i];
        shared = shared + still >= need ? shared + 1 : kPruned;
      }
    }
  }

  void compare_found(StringPlace window) {
    probe_.counts.filters[1] += found_.size();
    for (const auto& [other, group] : found_) {
      const bool pruned = std::exchange(shared_[other - window], 0) == kPruned;
      if (pruned) continue;
      ++probe_.counts.filters[2];
      if (!probe_.enough()) probe_.compare(other, *group);
    }
    found_.clear();
  }

  EditProbe<Symbol>& probe_;
  const GramIndex& index_;
  std::vector<std::uint32_t> shared_;  // by place from the first possible partner on
  std::vector<Found> found_;
};

// Longer grams are rarer, but T edits spoil more of them: about two thirds of an average string's grams may go. Past
// four, measured on names and titles, the larger index costs more than it saves.
std::uint32_t chosen_gram_length(const StringSet& strings, std::uint32_t wanted, std::uint32_t max_distance) {
  if (strings.size() == 0) return 1;
  // A gram longer than every string is all padding but for one place, like one of that length.
  if (wanted != 0) return std::min(wanted, strings.longest());
  const std::uint64_t average = strings.total_symbols() / strings.size();
  return static_cast<std::uint32_t>(
      std::clamp<std::uint64_t>(average * 2 / (std::uint64_t{3} * std::max(1u, max_distance)), 2, 4));
}

}  // namespace

void edit_qgram(const EditJoin& join) {
  const base::Stopwatch watch;
  const StringSet& strings = join.strings;
  const std::uint32_t max_distance = max_edits(join);
  const std::uint32_t gram_length = chosen_gram_length(strings, join.options.gram_length, max_distance);
  const GramIndex index(strings, gram_length, max_distance, join.context);
  join.stats.index.entries = index.entries();
  join.stats.index.bytes = index.bytes();
  join.stats.seconds.index = watch.seconds();

  double comparisons = 0;
  for (const StringSet::Group& group : strings.groups()) {
    if (index.set_size(group.length) > index.spoiled()) break;
    for (const StringSet::Group* partner : strings.partner_groups(group, max_distance)) {
      comparisons += pairs_between(group, *partner);
    }
  }
  warn_if_many_comparisons(join, comparisons);

  const EditCounts counts = strings.with_symbol_type([&]<class Symbol>() {
    return probe_all<Symbol>(join, [&](EditProbe<Symbol>& probe) { return GramSearch<Symbol>(probe, index); });
  });
  counts.fill(join.stats, {"length", "prefix", "position"});
  join.stats.seconds.join = watch.seconds();
}

}  // namespace neardup::joins
