#include "search/sampled_truth.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "base/random.h"
#include "neardup/pair.h"
#include "neardup/similarity.h"
#include "support/naive.h"

namespace neardup::test {
namespace {

using Sets = std::vector<std::vector<Feature>>;

Sets sets_from(std::uint64_t seed, std::size_t count, std::uint64_t largest, Feature alphabet, unsigned shift) {
  base::Random random(seed);
  Sets sets;
  while (sets.size() < count) {
    std::set<Feature> set;
    for (std::uint64_t i = 1 + random.below(largest); i > 0; --i) set.insert(random.below(alphabet) << shift);
    sets.emplace_back(set.begin(), set.end());
  }
  return sets;
}

std::vector<std::uint32_t> naive_partners(const Definition& definition, const Sets& sample,
                                          const std::vector<Feature>& set) {
  std::vector<std::uint32_t> partners;
  for (std::uint32_t i = 0; i < sample.size(); ++i) {
    std::vector<Feature> shared;
    std::set_intersection(set.begin(), set.end(), sample[i].begin(), sample[i].end(), std::back_inserter(shared));
    if (naive_score(definition, shared.size(), set.size(), sample[i].size())) partners.push_back(i);
  }
  return partners;
}

// By document: the places of its partners, ascending.
std::vector<std::vector<std::uint32_t>> true_partners(const Definition& definition, const Sets& sample,
                                                      const Sets& collection,
                                                      const search::SampledTruth::Skip& skip = {}) {
  PairList found;
  search::SampledTruth truth(definition, sample, found, skip, {.threads = 2});
  std::vector<Feature> shared;
  for (std::uint32_t i = 0; i < collection.size(); ++i) {
    shared.clear();
    const bool may = truth.may_have_partners(collection[i], collection[i].size());
    const bool has_enough = truth.append_shared(collection[i], shared);
    EXPECT_EQ(has_enough, !shared.empty());
    EXPECT_TRUE(may || !has_enough);
    if (has_enough) truth.add(Unit{i}, static_cast<std::uint32_t>(collection[i].size()), shared);
  }
  truth.finish();
  std::vector<std::vector<std::uint32_t>> partners(collection.size());
  for (const Pair& pair : found.sorted()) partners[pair.right].push_back(static_cast<std::uint32_t>(pair.left));
  return partners;
}

void expect_the_naive_answer(const Sets& sample, const Sets& collection, const char* what) {
  for (const Measure measure : {Measure::jaccard, Measure::dice, Measure::cosine, Measure::overlap}) {
    const bool is_count = measure == Measure::overlap;
    for (const Threshold threshold : is_count ? std::vector<Threshold>{{1, 1}, {3, 1}, {50, 1}}
                                              : std::vector<Threshold>{{1, 10}, {1, 2}, {3, 5}, {4, 5}, {1, 1}}) {
      const Definition definition{.measure = measure, .threshold = threshold};
      const auto partners = true_partners(definition, sample, collection);
      for (std::size_t i = 0; i < collection.size(); ++i) {
        ASSERT_EQ(partners[i], naive_partners(definition, sample, collection[i]))
            << what << " " << to_string(measure) << " " << to_string(threshold);
      }
    }
  }
}

TEST(SampledTruth, FindsEveryPartnerAmongRandomSets) {
  const Sets sample = sets_from(1, 40, 12, 20, 58), collection = sets_from(2, 120, 12, 20, 58);
  expect_the_naive_answer(sample, collection, "random");
}

TEST(SampledTruth, FindsEveryPartnerAmongTheSampleItself) {
  const Sets sample = sets_from(3, 60, 30, 30, 57);
  expect_the_naive_answer(sample, sample, "itself");
}

TEST(SampledTruth, FindsEveryPartnerWhenAllFeaturesFallIntoOneSlot) {
  // Features are hashes, whose top bits vary; these all have the same, and their table degenerates to one run.
  expect_the_naive_answer(sets_from(4, 30, 10, 25, 0), sets_from(5, 60, 10, 40, 0), "small integers");
}

TEST(SampledTruth, FindsEveryPartnerAmongSetsOfVeryDifferentSizes) {
  Sets sample = sets_from(6, 20, 300, 200, 50), collection = sets_from(7, 40, 5, 200, 50);
  collection.push_back({~Feature{0}});
  sample.push_back({~Feature{0}});
  sample.push_back({0});
  for (const auto& set : Sets(sample)) collection.push_back(set);
  expect_the_naive_answer(sample, collection, "sizes");
}

TEST(SampledTruth, FindsEveryPartnerAmongCopies) {
  const Sets sample(25, {1, 5, 9, Feature{1} << 63});
  expect_the_naive_answer(sample, {{1, 5, 9, Feature{1} << 63}, {1, 5, 9}, {2}}, "copies");
}

TEST(SampledTruth, TakesAnEmptySampleAndAForeignDocument) {
  EXPECT_TRUE(true_partners({}, {}, {{1, 2, 3}})[0].empty());
  EXPECT_TRUE(true_partners({}, {{1, 2, 3}}, {{7, 8, 9}})[0].empty());
}

TEST(SampledTruth, LeavesOutWhatIsOfNoInterest) {
  const Sets sets(4, {1, 2, 3});
  const auto partners =
      true_partners({}, sets, sets, [](std::uint32_t sample, Unit unit) { return sample >= index(unit); });
  EXPECT_EQ(partners, (std::vector<std::vector<std::uint32_t>>{{}, {0}, {0, 1}, {0, 1, 2}}));
}

TEST(SampledTruth, JoinsASampleOfEverythingWithItself) {
  Sets sets = sets_from(16, 60, 30, 30, 57);
  std::ranges::sort(sets);
  sets.erase(std::ranges::unique(sets).begin(), sets.end());
  const Definition definition{.threshold = {1, 2}};
  PairList found;
  search::SampledTruth(definition, sets, found, {}, {}).join_all();
  std::vector<std::pair<DocId, DocId>> expected, pairs;
  for (std::uint32_t i = 0; i < sets.size(); ++i) {
    for (const std::uint32_t partner : naive_partners(definition, sets, sets[i]))
      if (i < partner) expected.emplace_back(i, partner);
  }
  for (const Pair& pair : found.sorted()) pairs.emplace_back(pair.left, pair.right);
  EXPECT_FALSE(pairs.empty());
  EXPECT_EQ(pairs, expected);
}

TEST(SampledTruth, FindsThePartnersOfMoreDocumentsThanAreJoinedAtOnce) {
  const Sets sample = sets_from(8, 300, 40, 60, 57);
  Sets collection;
  for (std::uint64_t seed = 9; seed < 15; ++seed) {
    for (auto& set : sets_from(seed, 4000, 40, 60, 57)) collection.push_back(std::move(set));
  }
  const Definition definition{.threshold = {9, 10}};
  const auto partners = true_partners(definition, sample, collection);
  for (std::size_t i = 0; i < collection.size(); i += 97)
    ASSERT_EQ(partners[i], naive_partners(definition, sample, collection[i]));
}

}  // namespace
}  // namespace neardup::test
