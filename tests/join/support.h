// Small sets, ordered without the library's help, and the pairs an algorithm finds among them.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/pair_output.h"
#include "base/random.h"
#include "join/algorithms.h"
#include "join/ordered_sets.h"
#include "neardup/join.h"

namespace neardup::joins::test {

// What stores of tokens may take where memory is not what a test is about.
inline constexpr std::uint64_t kEnoughBytes = std::uint64_t{1} << 30;

using Set = std::vector<std::uint64_t>;  // ascending, without repeats
using Sets = std::vector<Set>;

inline Set letters(std::string_view text) {
  Set set(text.begin(), text.end());
  std::sort(set.begin(), set.end());
  return set;
}

inline Threshold fraction(std::uint64_t num, std::uint64_t den) {
  const std::uint64_t divisor = std::gcd(num, den);
  return {num / divisor, den / divisor};
}

// The ranks of all tokens that two partners can share: rarest first, ties by token.
inline std::map<std::uint64_t, Rank> ranks_by_rarity(std::span<const Sets> sides) {
  std::map<std::uint64_t, std::array<std::uint64_t, 2>> counts;
  for (std::size_t side = 0; side < sides.size(); ++side) {
    for (const Set& set : sides[side]) {
      for (const std::uint64_t token : set) ++counts[token][side];
    }
  }
  std::vector<std::pair<std::uint64_t, std::uint64_t>> shared;  // frequency, token
  for (const auto& [token, count] : counts) {
    if (sides.size() == 1 ? count[0] > 1 : count[0] > 0 && count[1] > 0)
      shared.emplace_back(count[0] + count[1], token);
  }
  std::sort(shared.begin(), shared.end());
  std::map<std::uint64_t, Rank> ranks;
  for (const auto& [frequency, token] : shared) ranks.emplace(token, static_cast<Rank>(ranks.size()));
  return ranks;
}

// One collection or two, in the order of sizes, ties as they come.
inline OrderedSets ordered(std::span<const Sets> sides) {
  const std::map<std::uint64_t, Rank> ranks = ranks_by_rarity(sides);
  std::vector<OrderedSets::Entry> entries;
  for (std::uint32_t side = 0; side < sides.size(); ++side) {
    for (std::uint32_t number = 0; number < sides[side].size(); ++number) {
      const auto size = static_cast<std::uint32_t>(sides[side][number].size());
      if (size > 0) entries.push_back({.full_size = size, .number = number, .side = side});
    }
  }
  std::stable_sort(entries.begin(), entries.end(),
                   [](const auto& a, const auto& b) { return a.full_size < b.full_size; });
  std::vector<std::uint64_t> begins{0};
  std::vector<Rank> tokens;
  for (const OrderedSets::Entry& entry : entries) {
    for (const std::uint64_t token : sides[entry.side][entry.number]) {
      if (const auto rank = ranks.find(token); rank != ranks.end()) tokens.push_back(rank->second);
    }
    std::sort(tokens.begin() + static_cast<std::ptrdiff_t>(begins.back()), tokens.end());
    begins.push_back(tokens.size());
  }
  tokens.resize(tokens.size() + OrderedSets::kPadding);
  return {static_cast<unsigned>(sides.size()), static_cast<Rank>(ranks.size()), std::move(entries), std::move(begins),
          std::move(tokens)};
}
inline OrderedSets ordered(const Sets& sets) { return ordered(std::span(&sets, 1)); }

// In exact fractions: do sets of sizes x and y that share o tokens meet the threshold?
inline bool is_similar(Measure measure, const Threshold& t, std::uint64_t o, std::uint64_t x, std::uint64_t y) {
  using Wide = unsigned __int128;
  switch (measure) {
    case Measure::jaccard:
      return o > 0 && Wide{o} * t.den >= Wide{t.num} * (x + y - o);
    case Measure::cosine:
      return o > 0 && Wide{o} * o * t.den * t.den >= Wide{t.num} * t.num * x * y;
    case Measure::dice:
      return o > 0 && Wide{2 * o} * t.den >= Wide{t.num} * (x + y);
    case Measure::containment:
      return o > 0 && Wide{o} * t.den >= Wide{t.num} * std::min(x, y);
    case Measure::contained:
      return o > 0 && Wide{o} * t.den >= Wide{t.num} * x;
    default:
      return o >= t.num;
  }
}

inline double score_of(Measure measure, std::uint64_t o, std::uint64_t x, std::uint64_t y) {
  const auto overlap = static_cast<double>(o), a = static_cast<double>(x), b = static_cast<double>(y);
  switch (measure) {
    case Measure::jaccard:
      return overlap / (a + b - overlap);
    case Measure::cosine:
      return overlap / std::sqrt(a * b);
    case Measure::dice:
      return 2 * overlap / (a + b);
    case Measure::containment:
      return overlap / std::min(a, b);
    case Measure::contained:
      return overlap / a;
    default:
      return overlap;
  }
}

// What every algorithm must find, by comparing all with all.
inline std::vector<Pair> naive_pairs(std::span<const Sets> sides, const JoinOptions& options) {
  const Sets &left = sides.front(), &right = sides.back();
  std::vector<Pair> pairs;
  for (std::size_t a = 0; a < left.size(); ++a) {
    for (std::size_t b = sides.size() == 1 ? a + 1 : 0; b < right.size(); ++b) {
      Set shared;
      std::set_intersection(left[a].begin(), left[a].end(), right[b].begin(), right[b].end(),
                            std::back_inserter(shared));
      const std::uint64_t o = shared.size(), x = left[a].size(), y = right[b].size();
      if (!is_similar(options.measure, options.threshold, o, x, y)) continue;
      pairs.push_back({.left = a, .right = b, .score = score_of(options.measure, o, x, y)});
    }
  }
  return pairs;
}

// Random sets of up to `max_size` tokens below `universe`; low tokens are commoner. Some are edited copies of others.
inline Sets random_sets(base::Random& random, std::size_t count, std::uint64_t max_size, std::uint64_t universe) {
  Sets sets;
  while (sets.size() < count) {
    std::set<std::uint64_t> set;
    if (!sets.empty() && random.below(2) == 0) {
      const Set& original = sets[random.below(sets.size())];
      set.insert(original.begin(), original.end());
      for (std::uint64_t edits = random.below(4); edits > 0; --edits) {
        if (random.below(2) == 0 && !set.empty()) set.erase(std::next(set.begin(), random.below(set.size())));
        if (random.below(2) == 0) set.insert(random.below(universe));
      }
    } else {
      for (std::uint64_t size = random.below(max_size + 1); size > 0; --size) {
        set.insert(std::min(random.below(universe), random.below(universe)));
      }
    }
    sets.emplace_back(set.begin(), set.end());
  }
  return sets;
}

// What algorithms are given of one collection: each set once.
inline Sets distinct(const Sets& sets) {
  Sets once;
  for (const Set& set : sets) {
    if (std::find(once.begin(), once.end(), set) == once.end()) once.push_back(set);
  }
  return once;
}

struct Setting {
  Measure measure;
  Threshold threshold;
};

// Each symmetric measure with thresholds across its range.
inline std::vector<Setting> settings() {
  std::vector<Setting> settings;
  for (const Measure measure : {Measure::jaccard, Measure::cosine, Measure::dice, Measure::containment}) {
    for (const Threshold& t : {Threshold{1, 100}, Threshold{1, 3}, Threshold{1, 2}, Threshold{7, 10}, Threshold{4, 5},
                               Threshold{9, 10}, Threshold{1, 1}}) {
      settings.push_back({measure, t});
    }
  }
  for (std::uint64_t t = 1; t <= 5; ++t) settings.push_back({Measure::overlap, {t, 1}});
  return settings;
}

class PairCollector final : public PairSink {
 public:
  bool accept(std::span<const Pair> pairs) override {
    pairs_.insert(pairs_.end(), pairs.begin(), pairs.end());
    return true;
  }
  [[nodiscard]] std::vector<Pair> sorted() const {
    std::vector<Pair> pairs = pairs_;
    std::sort(pairs.begin(), pairs.end(),
              [](const Pair& a, const Pair& b) { return std::pair(a.left, a.right) < std::pair(b.left, b.right); });
    return pairs;
  }

 private:
  std::vector<Pair> pairs_;
};

struct Found {
  std::vector<Pair> pairs;  // by left, then right
  JoinStats stats;
};

using Algorithm = void (*)(const SetJoin&);

inline Found run(Algorithm algorithm, const OrderedSets& sets, const JoinOptions& options, Context context = {}) {
  PairCollector collector;
  base::PairOutput output(collector, options.max_pairs);
  Found found;
  algorithm({.sets = sets, .options = options, .output = output, .stats = found.stats, .context = context});
  found.pairs = collector.sorted();
  return found;
}

inline std::uint64_t left_after(const JoinStats& stats, std::string_view filter) {
  const auto found = std::find_if(stats.filters.begin(), stats.filters.end(),
                                  [&](const FilterCount& count) { return count.name == filter; });
  return found == stats.filters.end() ? UINT64_MAX : found->pairs;
}

}  // namespace neardup::joins::test
