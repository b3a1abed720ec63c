#include "clean/grouping.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <numeric>
#include <random>
#include <set>

#include "clean/worlds.h"

namespace neardup::clean {
namespace {

using testing::ElementsAre;

std::vector<Hit> results_of(std::size_t count) {
  std::vector<Hit> hits;
  for (DocumentNumber row = 0; row < count; ++row) hits.push_back({row, 1});
  return hits;
}

std::vector<std::vector<std::uint32_t>> listed(const Groups& groups) {
  std::vector<std::vector<std::uint32_t>> out;
  for (std::size_t g = 0; g < groups.size(); ++g) out.emplace_back(groups[g].begin(), groups[g].end());
  return out;
}

std::vector<std::vector<std::uint32_t>> groups_of(const Repository& repository, unsigned k,
                                                  const PairJudge* judge = nullptr) {
  Groups groups;
  Grouper(repository, judge).group(results_of(repository.set.size()), k, groups);
  return listed(groups);
}

// Every pair, one after the other.
std::vector<std::vector<std::uint32_t>> brute_force(const Repository& repository, unsigned k, const PairJudge* judge) {
  const std::size_t n = repository.set.size();
  std::vector<std::uint32_t> root(n);
  std::iota(root.begin(), root.end(), 0u);
  for (std::size_t round = 0; round < n; ++round) {
    for (std::uint32_t a = 0; a < n; ++a) {
      for (std::uint32_t b = 0; b < n; ++b) {
        if (a == b || repository.set[a] == kNoSet || repository.set[b] == kNoSet) continue;
        const auto distance = static_cast<unsigned>(std::popcount(repository.bits[a] ^ repository.bits[b]));
        const bool meets = judge == nullptr ? true
                           : repository.set[a] == repository.set[b]
                               ? judge->copies_meet(repository.set[a])
                               : judge->meets(repository.set[a], repository.set[b]);
        if (distance <= k && meets) root[a] = root[b] = std::min(root[a], root[b]);
      }
    }
  }
  std::vector<std::vector<std::uint32_t>> groups;
  for (std::uint32_t r = 0; r < n; ++r) {
    std::vector<std::uint32_t> members;
    for (std::uint32_t place = 0; place < n; ++place)
      if (root[place] == r) members.push_back(place);
    if (members.size() > 1) groups.push_back(members);
  }
  return groups;
}

// Accepts pairs whose numbers add up to something even, and nobody whose number 5 divides.
class EvenJudge final : public PairJudge {
 public:
  [[nodiscard]] bool meets(SetNumber a, SetNumber b) const override {
    return (a + b) % 2 == 0 && copies_meet(a) && copies_meet(b);
  }
  [[nodiscard]] bool copies_meet(SetNumber set) const override { return set % 5 != 0; }
};

TEST(Grouper, EqualSimhashesAreAGroupAtDistanceZero) {
  EXPECT_THAT(groups_of(repository_of({5, 9, 5, 8, 9}), 0), ElementsAre(ElementsAre(0, 2), ElementsAre(1, 4)));
}

TEST(Grouper, GroupsAreConnectedThroughOthers) {
  EXPECT_THAT(groups_of(repository_of({0b000, 0b111111, 0b111}), 3), ElementsAre(ElementsAre(0, 1, 2)));
}

TEST(Grouper, DocumentsWithoutFeaturesTakeNoPart) {
  Repository repository = repository_of({5, 5, 5});
  repository.set[1] = kNoSet;
  EXPECT_THAT(groups_of(repository, 3), ElementsAre(ElementsAre(0, 2)));
}

TEST(Grouper, TheJudgeHasTheLastWord) {
  Repository repository = repository_of({1, 1, 1});
  repository.set = {1, 2, 3};  // the same simhash, different texts
  const EvenJudge judge;
  EXPECT_THAT(groups_of(repository, 3, &judge), ElementsAre(ElementsAre(0, 2)));
}

TEST(Grouper, NothingAndOneAreNoGroup) {
  EXPECT_TRUE(groups_of(repository_of({}), 3).empty());
  EXPECT_TRUE(groups_of(repository_of({7}), 64).empty());
}

TEST(Grouper, EqualsBruteForceOnRandomLists) {
  std::mt19937_64 random(7);
  const EvenJudge judge;
  for (int round = 0; round < 60; ++round) {
    const std::size_t n = random() % 60;
    std::vector<std::uint64_t> bits(n);
    for (auto& b : bits) b = random() & (round % 2 == 0 ? 0xFF : 0xF00000000000FFFF);
    Repository repository = repository_of(bits);
    for (auto& set : repository.set)
      if (random() % 10 == 0) set = kNoSet;
    const PairJudge* judges[] = {nullptr, &judge};
    for (const PairJudge* j : judges)
      for (const unsigned k : {0u, 1u, 2u, 3u, 10u, 64u})
        ASSERT_EQ(groups_of(repository, k, j), brute_force(repository, k, j)) << "round " << round << ", k " << k;
  }
}

// Beyond the length up to which all pairs are compared.
TEST(Grouper, LongListsGiveTheSameGroups) {
  std::mt19937_64 random(8);
  const std::size_t n = 6000;
  std::vector<std::uint64_t> bits(n);
  for (std::size_t i = 0; i < n; ++i) bits[i] = i % 3 == 0 || i < 10 ? random() : bits[i - 7] ^ (random() & 0x11);
  const Repository repository = repository_of(bits);
  Groups groups;
  Grouper(repository, nullptr).group(results_of(n), 3, groups);
  std::vector<std::uint32_t> root(n);
  std::iota(root.begin(), root.end(), 0u);
  const auto find = [&](std::uint32_t x) {
    while (root[x] != x) x = root[x] = root[root[x]];
    return x;
  };
  for (std::uint32_t a = 0; a < n; ++a)
    for (std::uint32_t b = a + 1; b < n; ++b)
      if (std::popcount(bits[a] ^ bits[b]) <= 3) root[std::max(find(a), find(b))] = std::min(find(a), find(b));
  std::size_t grouped = 0;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (const std::uint32_t place : groups[g]) EXPECT_EQ(find(place), groups[g].front());
    grouped += groups[g].size();
  }
  std::vector<std::size_t> members(n);
  for (std::uint32_t place = 0; place < n; ++place) ++members[find(place)];
  std::size_t expected = 0;
  for (const std::size_t count : members) expected += count > 1 ? count : 0;
  EXPECT_EQ(grouped, expected);
  EXPECT_GT(groups.size(), 100u);
}

TEST(Grouper, LinksConnectEachGroupAndNothingElse) {
  const Repository repository = repository_of({0, 1, 3, 0xFF00, 0xFF01, 0, 1});
  Groups groups;
  Grouper(repository, nullptr).group(results_of(7), 1, groups);
  EXPECT_EQ(groups.links.size(), groups.places.size() - groups.size()) << "a tree each";
}

}  // namespace
}  // namespace neardup::clean
