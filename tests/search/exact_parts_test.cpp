#include "search/exact_parts.h"
#include "corpus/volume.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <span>
#include <vector>

#include "base/random.h"
#include "neardup/similarity.h"
#include "support/scratch.h"

namespace neardup::test {
namespace {

using Set = std::vector<Feature>;

// A meeting of this memory takes 37449 tokens, and a part is a quarter of it.
constexpr std::uint64_t kSmallMemory = 1u << 20;
constexpr std::size_t kPart = kSmallMemory / 28 / 4;

Set random_set(base::Random& random, std::size_t size, std::uint64_t vocabulary) {
  std::set<Feature> features;
  while (features.size() < size) features.insert(base::mix64(1 + random.below(vocabulary)));
  return {features.begin(), features.end()};
}

// A set that shares most of its features with another one.
Set altered(base::Random& random, const Set& set, std::size_t changes) {
  std::set<Feature> features(set.begin(), set.end());
  for (; changes > 0; --changes) {
    if (features.size() > 1 && random.below(2) == 0) features.erase(features.begin());
    features.insert(random.next());
  }
  return {features.begin(), features.end()};
}

// Families of similar sets, of every size up to `largest`; no two are equal, as units are.
std::vector<Set> families(base::Random& random, std::size_t count, std::size_t largest) {
  std::vector<Set> sets;
  while (sets.size() < count) {
    const Set first = random_set(random, 1 + random.below(largest), 1'000'000);
    sets.push_back(first);
    for (std::uint64_t more = random.below(4); more > 0; --more) {
      sets.push_back(altered(random, first, random.below(first.size() / 4 + 2)));
    }
    std::ranges::sort(sets);
    sets.erase(std::ranges::unique(sets).begin(), sets.end());
  }
  std::ranges::shuffle(sets, std::mt19937_64(random.next()));
  sets.resize(count);
  return sets;
}

// Sets of one side or two, joined part by part.
class Parted {
 public:
  Parted(std::vector<std::vector<Set>> sides, Definition definition)
      : sides_(std::move(sides)), definition_(std::move(definition)), spill_(context_) {
    for (unsigned side = 0; side < sides_.size(); ++side) {
      corpus::Corpus& corpus = corpora_.emplace_back(Collection::from_texts({}), definition_);
      for (const Set& set : sides_[side]) {
        const Row row = row_of(corpus.units.rows());
        corpus.units.add(unit_of(index(row)));
        corpus.units.add_unit(row, static_cast<std::uint32_t>(set.size()));
        spill_.add(side, unit_of(index(row)), set);
      }
    }
    spill_.finish();
  }

  // `options`: skip and max_pairs.
  std::vector<Pair> joined(JoinOptions options = {}, std::uint64_t memory_bytes = kSmallMemory) {
    options.measure = definition_.measure;
    options.threshold = definition_.threshold;
    stats = {};
    PairList found;
    Context context = context_;
    context.memory = std::make_shared<MemoryBudget>(memory_bytes + corpus::reading_bytes(context));
    search::join_spilled({.sides = corpora_, .seen = {}, .options = std::move(options)}, spill_, found, stats, context);
    return found.sorted();
  }

  [[nodiscard]] std::vector<Pair> compared_one_by_one() const {
    const Verifier verifier(definition_);
    const bool is_self = sides_.size() == 1;
    std::vector<Pair> pairs;
    for (std::size_t a = 0; a < sides_.front().size(); ++a) {
      for (std::size_t b = is_self ? a + 1 : 0; b < sides_.back().size(); ++b) {
        if (const auto score = verifier.verify(sides_.front()[a], sides_.back()[b])) pairs.push_back({a, b, *score});
      }
    }
    return pairs;
  }

  JoinStats stats;

 private:
  std::vector<std::vector<Set>> sides_;
  Definition definition_;
  ScratchFolder scratch_;
  Context context_{.threads = 2, .temp_folder = scratch_.path()};
  std::vector<corpus::Corpus> corpora_;
  search::SetSpill spill_;
};

std::vector<Definition> definitions() {
  return {{.measure = Measure::jaccard, .threshold = {3, 5}},
          {.measure = Measure::jaccard, .threshold = {1, 5}},
          {.measure = Measure::cosine, .threshold = {4, 5}},
          {.measure = Measure::dice, .threshold = {7, 10}},
          {.measure = Measure::overlap, .threshold = {3, 1}}};
}

TEST(PartedJoin, FindsWhatComparingOneByOneFinds) {
  base::Random random(1);
  for (const Definition& definition : definitions()) {
    Parted one({families(random, 200, 1000)}, definition);
    const std::vector<Pair> expected = one.compared_one_by_one();
    EXPECT_EQ(one.joined(), expected) << to_string(definition.measure);
    EXPECT_EQ(one.stats.pairs, expected.size());
    EXPECT_GT(one.stats.rounds, 3u);
  }
}

TEST(PartedJoin, FindsWhatComparingTwoSidesOneByOneFinds) {
  base::Random random(2);
  for (const Definition& definition : definitions()) {
    const std::vector<Set> left = families(random, 120, 1000);
    std::vector<Set> right = families(random, 80, 1000);
    for (std::size_t i = 0; i < left.size(); i += 3) right.push_back(altered(random, left[i], left[i].size() / 5));
    Parted two({left, right}, definition);
    EXPECT_EQ(two.joined(), two.compared_one_by_one()) << to_string(definition.measure);
    EXPECT_GT(two.stats.rounds, 3u);
  }
}

TEST(PartedJoin, GivesTheSameWithAnyMemory) {
  base::Random random(3);
  Parted sets({families(random, 200, 1000)}, definitions().front());
  const std::vector<Pair> expected = sets.compared_one_by_one();
  std::uint64_t rounds = 1'000'000;
  for (const std::uint64_t memory : {1u << 20, 3u << 19, 1u << 21, 1u << 22, 1u << 26}) {
    EXPECT_EQ(sets.joined({}, memory), expected) << memory;
    EXPECT_LE(sets.stats.rounds, rounds) << memory;
    rounds = sets.stats.rounds;
  }
  EXPECT_EQ(rounds, 1u) << "all sets meet at once when they fit";
}

// Sets of one size, so that only the part's border separates them: a pair across each border, wherever that lies.
TEST(PartedJoin, LosesNoPairAtTheBorderOfTwoParts) {
  base::Random random(4);
  for (const std::size_t size :
       {kPart / 20, kPart / 3, kPart / 2 - 1, kPart / 2, kPart / 2 + 1, kPart - 1, kPart, kPart + 1}) {
    std::vector<Set> sets;
    for (std::size_t i = 0; i < 4 * kPart / size + 6; ++i) {
      sets.push_back(i % 2 == 0 ? random_set(random, size, 1'000'000) : sets.back());
      if (i % 2 == 1) sets.back().back() += 1;  // the largest feature is another
    }
    Parted one({sets}, definitions().front());
    EXPECT_EQ(one.joined(), one.compared_one_by_one()) << size;
  }
}

TEST(PartedJoin, TakesSetsLargerThanAMeeting) {
  base::Random random(5);
  const Set large = random_set(random, 5 * kPart, 1'000'000'000);
  std::vector<Set> sets{large, altered(random, large, kPart / 2), random_set(random, 40, 1'000'000)};
  sets.push_back(altered(random, sets.back(), 3));
  sets.push_back(Set(large.begin(), large.begin() + 4 * kPart));
  Parted one({sets}, definitions().front());
  const std::vector<Pair> expected = one.compared_one_by_one();
  EXPECT_GE(expected.size(), 3u);
  EXPECT_EQ(one.joined(), expected);
  Parted two({{large}, sets}, definitions().front());
  EXPECT_EQ(two.joined(), two.compared_one_by_one());
}

TEST(PartedJoin, LeavesOutWhatIsToBeSkipped) {
  base::Random random(6);
  Parted sets({families(random, 200, 1000)}, definitions().front());
  const auto skipped = [](DocId left, DocId right) { return (left + right) % 3 == 0; };
  std::vector<Pair> expected = sets.compared_one_by_one();
  std::erase_if(expected, [&](const Pair& pair) { return skipped(pair.left, pair.right); });
  EXPECT_EQ(sets.joined({.skip = skipped}), expected);
}

TEST(PartedJoin, GivesExactlyAsManyPairsAsAskedFor) {
  base::Random random(7);
  Parted sets({families(random, 200, 1000)}, definitions().front());
  const std::vector<Pair> all = sets.compared_one_by_one();
  ASSERT_GT(all.size(), 20u);
  for (const std::uint64_t most : {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{15}, all.size() / 2,
                                   all.size() - 1, all.size(), all.size() + 1}) {
    const std::vector<Pair> found = sets.joined({.max_pairs = most});
    ASSERT_EQ(found.size(), std::min<std::uint64_t>(most, all.size()));
    ASSERT_TRUE(std::ranges::includes(
        all, found, {}, [](const Pair& p) { return std::pair(p.left, p.right); },
        [](const Pair& p) { return std::pair(p.left, p.right); }));
    ASSERT_EQ(sets.stats.pairs, found.size());
    ASSERT_EQ(sets.stats.stopped, most < all.size()) << most;
  }
}

TEST(PartedJoin, TakesSidesWithoutSets) {
  EXPECT_THAT(Parted({{}}, definitions().front()).joined(), ::testing::IsEmpty());
  base::Random random(8);
  EXPECT_THAT(Parted({{}, families(random, 30, 60)}, definitions().front()).joined(), ::testing::IsEmpty());
  EXPECT_THAT(Parted({families(random, 30, 60), {}}, definitions().front()).joined(), ::testing::IsEmpty());
}

}  // namespace
}  // namespace neardup::test
