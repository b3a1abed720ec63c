#include "clean/method.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "clean/worlds.h"

namespace neardup::clean {
namespace {

using testing::ElementsAre;

struct World {
  Repository repository;
  ListedResults results{{}};
  CleanOptions options{};
  std::vector<QueryNumber> order{};

  [[nodiscard]] MethodRequest request() const {
    return {.results = results, .repository = repository, .judge = nullptr, .options = options, .order = order};
  }
  MethodResult run(CleanMode mode, unsigned threads = 1) const {
    Context context;
    context.threads = threads;
    return run_method(mode, request(), context);
  }
};

World world(std::vector<std::uint64_t> bits, std::vector<std::vector<DocumentNumber>> results) {
  World out{.repository = repository_of(std::move(bits)), .results = ListedResults(std::move(results))};
  out.order.resize(out.results.rows().size());
  std::iota(out.order.begin(), out.order.end(), 0u);
  return out;
}

std::vector<DocumentNumber> removed_rows(const MethodResult& result) {
  std::vector<DocumentNumber> rows;
  for (const Removal& removal : result.removals) rows.push_back(removal.row);
  return rows;
}

constexpr CleanMode kModes[] = {CleanMode::sequential, CleanMode::marked};

TEST(Method, KeepsTheHighestAuthority) {
  World w = world({1, 1, 1}, {{0, 1, 2}});
  w.repository.authority = {0.1, 0.3, 0.2};
  for (const CleanMode mode : kModes) {
    const MethodResult result = w.run(mode);
    EXPECT_THAT(removed_rows(result), ElementsAre(0, 2));
    EXPECT_THAT(result.representatives(), ElementsAre(1, 1, 1));
  }
}

TEST(Method, WithoutAuthorityKeepsWhatRanksFirst) {
  const World w = world({1, 1, 1}, {{2, 0, 1}});
  for (const CleanMode mode : kModes) {
    const MethodResult result = w.run(mode);
    EXPECT_THAT(result.representatives(), ElementsAre(2, 2, 2));
    EXPECT_THAT(removed_rows(result), ElementsAre(0, 1));
    EXPECT_EQ(result.removals[0].rank, 2u);
    EXPECT_EQ(result.removals[1].rank, 3u);
  }
}

TEST(Method, OnlyWhatAQueryShowsIsRemoved) {
  const World w = world({1, 1, 1, 1}, {{0, 1}, {2}});
  for (const CleanMode mode : kModes) EXPECT_THAT(removed_rows(w.run(mode)), ElementsAre(1));
}

TEST(Method, ALaterQuerySeesMoreOnceDuplicatesAreGone) {
  World w = world({1, 1, 2, 2}, {{0, 1}, {0, 1, 2, 3}});
  w.options.policy.k = RangeRule(0);
  w.options.policy.depth = RangeRule(3);
  EXPECT_THAT(removed_rows(w.run(CleanMode::sequential)), ElementsAre(1, 3)) << "1 is gone, so 3 moves up";
  EXPECT_THAT(removed_rows(w.run(CleanMode::marked)), ElementsAre(1)) << "3 is out of sight";
}

TEST(Method, NamesTheFirstQueryThatReachedADocument) {
  const World w = world({1, 1}, {{0}, {0, 1}, {0, 1}});
  for (const CleanMode mode : kModes) {
    const MethodResult result = w.run(mode);
    ASSERT_EQ(result.removals.size(), 1u);
    EXPECT_EQ(result.removals[0].query, 1u);
    EXPECT_EQ(result.steps[1].removed, 1u);
    EXPECT_EQ(result.steps[2].removed, 0u);
  }
}

// One query ranks 0 first, another one 1: each would remove what the other keeps.
TEST(Method, TwoQueriesDoNotRemoveBothDocumentsOfAPair) {
  const World w = world({1, 1}, {{0, 1}, {1, 0}});
  for (const CleanMode mode : kModes) {
    const MethodResult result = w.run(mode);
    EXPECT_THAT(removed_rows(result), ElementsAre(1));
    EXPECT_THAT(result.representatives(), ElementsAre(0, 0));
  }
}

TEST(Method, FollowsChainsToAKeptDocument) {
  World w = world({0b0, 0b111, 0b111111}, {{0, 1}, {1, 2}});
  w.repository.authority = {1, 2, 3};
  for (const CleanMode mode : kModes) EXPECT_THAT(w.run(mode).representatives(), ElementsAre(2, 2, 2));
}

TEST(Method, ProtectedDocumentsStay) {
  World w = world({1, 1, 1}, {{0, 1, 2}});
  w.repository.is_protected = {false, true, false};
  w.repository.authority = {3, 2, 1};
  for (const CleanMode mode : kModes) EXPECT_THAT(removed_rows(w.run(mode)), ElementsAre(2));
  w.repository.is_protected = {true, true, true};
  for (const CleanMode mode : kModes) EXPECT_THAT(removed_rows(w.run(mode)), ElementsAre());
}

TEST(Method, AuthorityBelowSparesTheOthers) {
  World w = world({1, 1, 1}, {{0, 1, 2}});
  w.repository.authority = {0.5, 0.4, 0.1};
  w.options.policy.authority_below = 0.4;
  for (const CleanMode mode : kModes) EXPECT_THAT(removed_rows(w.run(mode)), ElementsAre(2));
}

TEST(Method, ShortListsAreLeftAlone) {
  World w = world({1, 1, 1}, {{0, 1}, {0, 1, 2}});
  w.options.policy.min_results = 3;
  for (const CleanMode mode : kModes) {
    const MethodResult result = w.run(mode);
    EXPECT_EQ(result.steps[0].results, 0u);
    EXPECT_EQ(result.steps[1].removed, 2u);
  }
}

TEST(Method, DistanceGoesByTheRankOfTheQuery) {
  World w = world({0b0, 0b111, 0b0, 0b111}, {{0, 1}, {2, 3}});
  w.options.policy.k = RangeRule::parse("1:3,2-:2", 1, RangeRule::Shares::refused);
  for (const CleanMode mode : kModes) EXPECT_THAT(removed_rows(w.run(mode)), ElementsAre(1));
}

TEST(Method, AnEmptyOrderRemovesNothing) {
  World w = world({1, 1}, {{0, 1}});
  w.order.clear();
  for (const CleanMode mode : kModes) EXPECT_TRUE(w.run(mode).removals.empty());
}

// Many overlapping groups, random authorities with ties, protection and all orders of results.
World random_world(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const std::size_t n = 1 + random() % 120;
  std::vector<std::uint64_t> bits(n);
  for (auto& b : bits) b = random() % 24;
  std::vector<std::vector<DocumentNumber>> results(1 + random() % 200);
  std::vector<DocumentNumber> rows(n);
  std::iota(rows.begin(), rows.end(), 0u);
  for (auto& list : results) {
    std::shuffle(rows.begin(), rows.end(), random);
    list.assign(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(random() % (n + 1)));
  }
  World w = world(std::move(bits), std::move(results));
  if (random() % 2 == 0)
    for (std::size_t row = 0; row < n; ++row) w.repository.authority.push_back(static_cast<double>(random() % 4));
  if (random() % 2 == 0)
    for (std::size_t row = 0; row < n; ++row) w.repository.is_protected.push_back(random() % 5 == 0);
  if (!w.repository.authority.empty() && random() % 2 == 0) w.options.policy.authority_below = 2;
  w.options.policy.k = RangeRule(random() % 3);
  w.options.policy.depth = RangeRule(1 + random() % (n + 10));
  std::shuffle(w.order.begin(), w.order.end(), random);
  return w;
}

TEST(Method, NoGroupEverVanishes) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const World w = random_world(seed);
    for (const CleanMode mode : kModes) {
      const MethodResult result = w.run(mode);
      const std::vector<DocumentNumber> stands = result.representatives();
      for (DocumentNumber row = 0; row < stands.size(); ++row) {
        ASSERT_FALSE(result.removed[stands[row]]) << "seed " << seed << ", row " << row;
        ASSERT_EQ(stands[row] != row, result.removed[row]) << "seed " << seed << ", row " << row;
      }
      if (w.repository.is_protected.empty()) continue;
      for (DocumentNumber row = 0; row < stands.size(); ++row)
        ASSERT_FALSE(result.removed[row] && w.repository.is_protected[row]) << "seed " << seed;
    }
  }
}

TEST(Method, GivesTheSameAnswerOnOneThreadAndOnFour) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const World w = random_world(seed);
    for (const CleanMode mode : kModes) {
      const MethodResult one = w.run(mode, 1), four = w.run(mode, 4);
      EXPECT_EQ(removed_rows(one), removed_rows(four));
      EXPECT_EQ(one.representatives(), four.representatives());
      EXPECT_EQ(one.links, four.links);
    }
  }
}

// The paper's loop as it stands: search what is left, group, remove, next query.
std::vector<DocumentNumber> plain_loop(const World& w) {
  Removed removed(w.repository.set.size());
  const auto searcher = w.results.searcher();
  const Policy policy(w.options.policy);
  Grouper grouper(w.repository, nullptr);
  std::vector<DocumentNumber> gone;
  for (const QueryNumber query : w.order) {
    std::vector<Hit> hits;
    searcher->search(query, policy.depth(query + 1, 0), removed, hits);
    Groups groups;
    grouper.group(hits, policy.k(query + 1, 0), groups);
    const auto authority = [&](std::uint32_t place) {
      return w.repository.authority.empty() ? 0 : w.repository.authority[hits[place].row];
    };
    for (std::size_t g = 0; g < groups.size(); ++g) {
      std::uint32_t best = groups[g].front();
      for (const std::uint32_t place : groups[g])
        if (authority(place) > authority(best)) best = place;
      for (const std::uint32_t place : groups[g]) {
        const DocumentNumber row = hits[place].row;
        const bool spared = (!w.repository.is_protected.empty() && w.repository.is_protected[row]) ||
                            (w.options.policy.authority_below && authority(place) >= *w.options.policy.authority_below);
        if (place == best || spared) continue;
        removed[row] = true;
        gone.push_back(row);
      }
    }
  }
  return gone;
}

TEST(Method, SearchingAheadChangesNothing) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    World w = random_world(seed);
    ASSERT_EQ(removed_rows(w.run(CleanMode::sequential, 2)), plain_loop(w)) << "seed " << seed;
  }
}

TEST(ShownResults, CountsDuplicatesByTheFrequencyOfQueries) {
  const World w = world({1, 1, 64, 7 << 20}, {{0, 1}, {2, 3}});
  Context context;
  const std::vector<std::uint64_t> counts{3, 1};
  const ShownResults before = shown_results(w.request(), counts, Removed(4), context);
  EXPECT_DOUBLE_EQ(before.quality.duplicate_share, 3.0 / 8);
  EXPECT_DOUBLE_EQ(before.quality.distinct_results, 5.0 / 4);
  EXPECT_DOUBLE_EQ(before.distinct, 5);
  const ShownResults after = shown_results(w.request(), counts, Removed{false, true, false, false}, context);
  EXPECT_DOUBLE_EQ(after.quality.duplicate_share, 0);
}

}  // namespace
}  // namespace neardup::clean
