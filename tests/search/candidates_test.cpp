// The contract of Finder, checked against its own words and the verifier, without the pipeline around it.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <numeric>
#include <set>
#include <vector>

#include "base/random.h"
#include "cluster/cluster.h"
#include "neardup/similarity.h"
#include "search/blocks.h"
#include "search/finder.h"

namespace neardup::test {
namespace {

using Sets = std::vector<std::vector<Feature>>;

// Families of similar sets of very different sizes, all distinct.
Sets random_sets(std::uint64_t seed, std::size_t count) {
  base::Random random(seed);
  std::set<std::vector<Feature>> sets;
  while (sets.size() < count) {
    std::set<Feature> original;
    for (std::uint64_t size = 1 + random.below(40); original.size() < size;) original.insert(random.next());
    for (int copy = 0; copy < 6 && sets.size() < count; ++copy) {
      std::set<Feature> near = original;
      for (std::uint64_t edits = random.below(4); edits > 0; --edits) {
        if (near.size() > 1 && random.below(2) == 0) near.erase(near.begin());
        near.insert(random.next());
      }
      sets.emplace(near.begin(), near.end());
    }
  }
  Sets shuffled(sets.begin(), sets.end());
  for (std::size_t i = shuffled.size(); i > 1; --i) std::swap(shuffled[i - 1], shuffled[random.below(i)]);
  return shuffled;
}

using Offers = std::map<std::pair<Unit, Unit>, int>;

class Listener : public search::CandidateSink {
 public:
  void consider(Unit a, Unit b) override {
    const std::lock_guard lock(mutex_);
    ++offers[std::minmax(a, b)];
  }
  void consider_all(std::span<const Unit> a, std::span<const Unit> b, const IsCandidate& is_candidate) override {
    ++joins;
    for (std::size_t i = 0; i < a.size(); ++i) {
      for (std::size_t j = b.empty() ? i + 1 : 0; j < (b.empty() ? a : b).size(); ++j) {
        const Unit other = (b.empty() ? a : b)[j];
        if (is_candidate(a[i], other)) consider(a[i], other);
      }
    }
  }
  bool asks_for_connections() const override { return false; }
  bool settled(std::span<const Unit>) override { return false; }
  Offers offers;
  int joins = 0;

 private:
  std::mutex mutex_;
};

// As in a run that only asks who is connected: settled once everybody is.
class ConnectingSink final : public search::CandidateSink {
 public:
  ConnectingSink(const Sets& sets, const Definition& definition)
      : sets_(sets), verifier_(definition), links(sets.size()) {}
  void consider(Unit a, Unit b) override {
    if (!links.same(index(a), index(b)) && verifier_.verify(sets_[index(a)], sets_[index(b)]))
      links.unite(index(a), index(b));
  }
  void consider_all(std::span<const Unit> a, std::span<const Unit> b, const IsCandidate& is_candidate) override {
    for (const Unit x : a) {
      for (const Unit y : b.empty() ? a : b)
        if (x != y && is_candidate(x, y)) consider(x, y);
    }
  }
  bool asks_for_connections() const override { return true; }
  bool settled(std::span<const Unit> units) override {
    return std::all_of(units.begin(), units.end(),
                       [&](Unit unit) { return links.same(index(unit), index(units.front())); });
  }

 private:
  const Sets& sets_;
  Verifier verifier_;

 public:
  cluster::UnionFind links;
};

// A distance of simhashes at which most of the pairs below are candidates.
constexpr unsigned kFar = 24;

class FinderContract : public ::testing::TestWithParam<std::string> {
 protected:
  FinderContract() : sets_(random_sets(3, 150)) {
    finder_ = search::make_finder(definition_, {.name = GetParam(), .target_recall = 0.9, .distance = kFar});
    for (const auto& set : sets_) {
      std::vector<std::uint32_t> sketch(finder_->sketch_width());
      finder_->sketch(set, sketch);
      finder_->add(sketch, static_cast<std::uint32_t>(set.size()));
      sizes_.push_back(static_cast<std::uint32_t>(set.size()));
    }
    groups_ = finder_->groups(context_);
    everyone_.assign(groups_.numbers().begin(), groups_.numbers().end());
  }

  [[nodiscard]] Offers offers_of_all() {
    Listener listener;
    finder_->candidates(everyone_, {}, listener, context_);
    return listener.offers;
  }

  Sets sets_;
  Definition definition_{.threshold = {3, 5}};
  Context context_{.threads = 4};
  std::unique_ptr<search::Finder> finder_;
  PerUnit<std::uint32_t> sizes_;
  PerUnit<Unit> groups_;
  std::vector<Unit> everyone_;
};

TEST_P(FinderContract, OffersEachPairOnceAndOnlyThoseItSaysItOffers) {
  for (const auto& [pair, times] : offers_of_all()) {
    EXPECT_EQ(times, 1);
    EXPECT_TRUE(finder_->offers(pair.first, pair.second));
    EXPECT_TRUE(finder_->offers(pair.second, pair.first));
  }
}

TEST_P(FinderContract, OffersEveryTruePairThatItSaysItOffers) {
  const Verifier verifier(definition_);
  const Offers offers = offers_of_all();
  std::size_t true_pairs = 0, offered = 0;
  for (const Unit a : everyone_) {
    for (const Unit b : everyone_) {
      if (a >= b || !verifier.verify(sets_[index(a)], sets_[index(b)])) continue;
      ++true_pairs;
      offered += offers.contains({a, b}) ? 1 : 0;
      EXPECT_EQ(offers.contains({a, b}), finder_->offers(a, b)) << index(a) << " " << index(b);
    }
  }
  EXPECT_GT(true_pairs, 60u);
  EXPECT_GT(offered, true_pairs * 8 / 10);
}

TEST_P(FinderContract, NamesGroupsByTheirSmallestUnitAndCrossesNone) {
  ASSERT_EQ(groups_.size(), sets_.size());
  for (const Unit unit : everyone_) {
    EXPECT_LE(groups_[unit], unit);
    EXPECT_EQ(groups_[groups_[unit]], groups_[unit]);
  }
  for (const auto& [pair, times] : offers_of_all()) EXPECT_EQ(groups_[pair.first], groups_[pair.second]);
}

TEST_P(FinderContract, OffersTheSamePairsBlockByBlock) {
  const Offers at_once = offers_of_all();
  std::vector<Unit> needed;
  for (const Unit unit : everyone_) {
    if (std::count(groups_.begin(), groups_.end(), groups_[unit]) > 1) needed.push_back(unit);
  }
  for (const std::uint64_t block_features : {60u, 500u, 1'000'000u}) {
    const search::BlockPlan plan = search::plan_blocks(needed, groups_, sizes_, block_features);
    Listener listener;
    for (const auto& [first, second] : plan.meetings) {
      std::span<const Unit> other;
      if (second != search::BlockPlan::kAlone) other = plan.blocks[second];
      finder_->candidates(plan.blocks[first], other, listener, context_);
    }
    EXPECT_EQ(listener.offers, at_once) << block_features;
  }
}

TEST_P(FinderContract, ConnectsTheSameUnitsWhenConnectionsAreAllThatIsAsked) {
  const Verifier verifier(definition_);
  cluster::UnionFind expected(sets_.size());
  for (const auto& [pair, times] : offers_of_all()) {
    const std::uint32_t a = index(pair.first), b = index(pair.second);
    if (verifier.verify(sets_[a], sets_[b])) expected.unite(a, b);
  }
  for (const std::uint64_t block_features : {300u, 1'000'000u}) {
    const search::BlockPlan plan = search::plan_blocks(everyone_, groups_, sizes_, block_features);
    ConnectingSink sink(sets_, definition_);
    for (const auto& [first, second] : plan.meetings) {
      std::span<const Unit> other;
      if (second != search::BlockPlan::kAlone) other = plan.blocks[second];
      finder_->candidates(plan.blocks[first], other, sink, context_);
    }
    for (const Unit unit : everyone_) EXPECT_EQ(sink.links.find(index(unit)), expected.find(index(unit)));
  }
}

TEST_P(FinderContract, IsTheSameForTheSameSeed) {
  const auto again = search::make_finder(definition_, {.name = GetParam(), .target_recall = 0.9, .distance = kFar});
  std::vector<std::uint32_t> one(finder_->sketch_width()), two(again->sketch_width());
  ASSERT_EQ(one.size(), two.size());
  finder_->sketch(sets_[0], one);
  again->sketch(sets_[0], two);
  EXPECT_EQ(one, two);
}

// Documents that share four fifths of a template, some of them also the rest.
Sets filled_templates(std::size_t count) {
  base::Random random(7);
  std::set<Feature> shared;
  while (shared.size() < 80) shared.insert(random.next());
  Sets sets;
  while (sets.size() < count) {
    std::set<Feature> own = shared;
    while (own.size() < 102) own.insert(random.next());
    sets.emplace_back(own.begin(), own.end());
    if (sets.size() % 10 != 0) continue;
    own.erase(own.begin());
    sets.emplace_back(own.begin(), own.end());
  }
  sets.resize(count);
  return sets;
}

// Counts what it is asked to look at one by one.
class CountingSink final : public search::CandidateSink {
 public:
  void consider(Unit, Unit) override { ++looks; }
  void consider_all(std::span<const Unit>, std::span<const Unit>, const IsCandidate&) override { ++joins; }
  bool asks_for_connections() const override { return connections; }
  bool settled(std::span<const Unit>) override { return false; }
  std::atomic<std::uint64_t> looks = 0;
  int joins = 0;
  bool connections = false;
};

class FinderOnTemplates : public ::testing::TestWithParam<std::string> {
 protected:
  FinderOnTemplates() : finder_(search::make_finder(definition_, {.name = GetParam(), .distance = 20})) {
    for (const auto& set : sets_) {
      std::vector<std::uint32_t> sketch(finder_->sketch_width());
      finder_->sketch(set, sketch);
      finder_->add(sketch, static_cast<std::uint32_t>(set.size()));
    }
    const PerUnit<Unit> groups = finder_->groups(context_);
    everyone_.assign(groups.numbers().begin(), groups.numbers().end());
  }

  Sets sets_ = filled_templates(2000);
  Definition definition_{.threshold = {4, 5}};
  Context context_{.threads = 2};
  std::unique_ptr<search::Finder> finder_;
  std::vector<Unit> everyone_;
};

TEST_P(FinderOnTemplates, DoesNotLookAtEveryPair) {
  for (const bool connections : {false, true}) {
    CountingSink sink;
    sink.connections = connections;
    finder_->candidates(everyone_, {}, sink, context_);
    EXPECT_EQ(sink.joins, 1);
    EXPECT_LT(sink.looks, 2000 * 128) << "of two million pairs";
    const std::span<const Unit> all = everyone_;
    CountingSink across;
    across.connections = connections;
    finder_->candidates(all.first(700), all.subspan(700), across, context_);
    EXPECT_EQ(across.joins, 1);
    EXPECT_LT(across.looks, 2000 * 128);
  }
}

TEST_P(FinderOnTemplates, OffersEachPairOnceAndAllThatItSays) {
  Listener listener;
  finder_->candidates(everyone_, {}, listener, context_);
  EXPECT_GT(listener.joins, 0);
  std::uint64_t offered = 0;
  for (const Unit a : everyone_) {
    for (std::uint32_t b = index(a) + 1; b < everyone_.size(); ++b) offered += finder_->offers(a, Unit{b}) ? 1 : 0;
  }
  EXPECT_EQ(listener.offers.size(), offered);
  for (const auto& [pair, times] : listener.offers) ASSERT_EQ(times, 1);
}

TEST(MinhashFinder, DrawsOtherHashesFromAnotherSeed) {
  std::vector<std::vector<std::uint32_t>> sketches;
  for (const std::uint64_t seed : {1u, 2u}) {
    const auto finder = search::make_finder({}, {.name = "minhash", .seed = seed});
    sketches.emplace_back(finder->sketch_width());
    finder->sketch(std::vector<Feature>{1, 2, 3}, sketches.back());
  }
  EXPECT_NE(sketches[0], sketches[1]);
}

std::vector<std::string> all_finders() {
  std::vector<std::string> names;
  for (const search::FinderKind& kind : search::finders()) names.emplace_back(kind.name);
  return names;
}
INSTANTIATE_TEST_SUITE_P(Finders, FinderOnTemplates, ::testing::ValuesIn(all_finders()),
                         [](const auto& name) { return name.param; });
INSTANTIATE_TEST_SUITE_P(Finders, FinderContract, ::testing::ValuesIn(all_finders()),
                         [](const auto& name) { return name.param; });

}  // namespace
}  // namespace neardup::test
