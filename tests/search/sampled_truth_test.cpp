#include "search/sampled_truth.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "base/random.h"
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

void expect_the_naive_answer(const Sets& sample, const Sets& collection, const char* what) {
  for (const Measure measure : {Measure::jaccard, Measure::dice, Measure::cosine, Measure::overlap}) {
    const bool is_count = measure == Measure::overlap;
    for (const Threshold threshold : is_count ? std::vector<Threshold>{{1, 1}, {3, 1}, {50, 1}}
                                              : std::vector<Threshold>{{1, 10}, {1, 2}, {3, 5}, {4, 5}, {1, 1}}) {
      const Definition definition{.measure = measure, .threshold = threshold};
      const search::SampledTruth truth(definition, sample);
      EXPECT_EQ(truth.size(), sample.size());
      search::SampledTruth::Scratch scratch;
      std::vector<std::uint32_t> partners;
      for (const auto& set : collection) {
        partners.clear();
        truth.partners(set, scratch, partners);
        std::sort(partners.begin(), partners.end());
        ASSERT_EQ(partners, naive_partners(definition, sample, set))
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
  const search::SampledTruth nobody({}, {}), somebody({}, {{1, 2, 3}});
  search::SampledTruth::Scratch scratch;
  std::vector<std::uint32_t> partners;
  nobody.partners(std::vector<Feature>{1, 2, 3}, scratch, partners);
  EXPECT_TRUE(partners.empty());
  search::SampledTruth::Scratch fresh;
  somebody.partners(std::vector<Feature>{7, 8, 9}, fresh, partners);
  EXPECT_TRUE(partners.empty());
}

TEST(SampledTruth, StartsOverWhenItsCallCounterWraps) {
  const search::SampledTruth truth({}, {{1, 2, 3}, {4, 5, 6}});
  search::SampledTruth::Scratch scratch;
  scratch.call = ~std::uint32_t{0} - 1;
  for (int i = 0; i < 4; ++i) {
    std::vector<std::uint32_t> partners;
    truth.partners(std::vector<Feature>{4, 5, 6}, scratch, partners);
    EXPECT_EQ(partners, (std::vector<std::uint32_t>{1}));
  }
}

}  // namespace
}  // namespace neardup::test
