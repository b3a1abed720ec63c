// Pairs in the order of their scores, and pairs in which every record stands once: against sorting and choosing by
// hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "neardup/pairs.h"
#include "pairs/best_first.h"
#include "support/held_collections.h"

namespace neardup::test {
namespace {

std::vector<Pair> found(const Collection& left, const Collection* right, const PairsOptions& options) {
  PairList list;
  (void)find_pairs(left, right, options, list, {});
  return list.pairs();
}

// Equal scores stay in their order.
std::vector<Pair> best_first(std::vector<Pair> pairs, Measure measure) {
  std::stable_sort(pairs.begin(), pairs.end(), [&](const Pair& a, const Pair& b) {
    return is_distance(measure) ? a.score < b.score : a.score > b.score;
  });
  return pairs;
}

std::vector<Pair> greedy(const std::vector<Pair>& pairs, bool one_collection) {
  std::set<DocId> left, right;
  std::vector<Pair> out;
  for (const Pair& pair : pairs) {
    std::set<DocId>& of_right = one_collection ? left : right;
    if (left.contains(pair.left) || of_right.contains(pair.right)) continue;
    left.insert(pair.left);
    of_right.insert(pair.right);
    out.push_back(pair);
  }
  return out;
}

const Definition kSortable[] = {
    {.features = {.kind = FeatureKind::words, .length = 1}, .measure = Measure::jaccard, .threshold = {1, 2}},
    {.features = {.kind = FeatureKind::words, .length = 1}, .measure = Measure::overlap, .threshold = {3, 1}},
    {.measure = Measure::edit, .threshold = {40, 1}},
};

TEST(ChosenPairs, AreWhatSortingAndChoosingByHandGives) {
  const Collection left = held(held_near_copies(1, 120), 7), right = held(held_near_copies(1, 60), 7);
  for (const Definition& definition : kSortable) {
    SCOPED_TRACE(to_string(definition.measure));
    for (const Collection* other : {static_cast<const Collection*>(nullptr), &right}) {
      for (const std::uint64_t top : {0u, 2u}) {
        PairsOptions options{.definition = definition, .top = top};
        const std::vector<Pair> all = found(left, other, options);
        ASSERT_GT(all.size(), 20u);
        options.order = PairOrder::score;
        const std::vector<Pair> ordered = found(left, other, options);
        EXPECT_EQ(ordered, best_first(all, definition.measure));
        options.one_to_one = true;
        std::vector<Pair> chosen = greedy(ordered, other == nullptr);
        EXPECT_LT(chosen.size(), all.size());
        EXPECT_EQ(found(left, other, options), chosen);
        options.order = PairOrder::input;
        std::ranges::sort(chosen, {}, [](const Pair& pair) { return std::pair(pair.left, pair.right); });
        EXPECT_EQ(found(left, other, options), chosen);
      }
    }
  }
}

TEST(BestFirst, KeepsTheOrderOfEqualScoresAcrossRuns) {
  for (const Measure measure : {Measure::jaccard, Measure::edit}) {
    pairs::BestFirst sorter(measure, {.memory_bytes = 1 << 20});  // room for a few thousand pairs
    std::vector<Pair> all;
    for (DocId i = 0; i < 40'000; ++i) all.push_back({.left = i, .right = i + 1, .score = static_cast<double>(i % 7)});
    for (const Pair& pair : all) sorter.add(pair);
    sorter.finish();
    std::vector<Pair> sorted;
    sorter.for_each([&](const Pair& pair) { sorted.push_back(pair); });
    EXPECT_EQ(sorted, best_first(all, measure));
  }
}

TEST(BestFirst, CanBeEmpty) {
  pairs::BestFirst sorter(Measure::jaccard, {});
  sorter.finish();
  sorter.for_each([](const Pair&) { FAIL(); });
}

}  // namespace
}  // namespace neardup::test
