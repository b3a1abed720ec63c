// The pieces one by one: counters, names of units, components, stars, keep values.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "cluster/cluster.h"
#include "neardup/error.h"
#include "neardup/shuffle.h"

namespace neardup::shuffle {
namespace {

TEST(Counters, NeverFallBelowTheTruthAndStopWhenFull) {
  base::Random random(1);
  Counters first(8), second(8);
  std::map<std::uint64_t, unsigned> truth;
  for (unsigned i = 0; i < 5000; ++i) {
    const std::uint64_t key = random.below(100);
    (i % 2 == 0 ? first : second).add(key);
    ++truth[key];
  }
  first.merge(second.bytes());
  const CountersView view(first);
  for (const auto& [key, count] : truth) EXPECT_GE(view[key], std::min(255u, count));
  Counters many(8);
  for (unsigned i = 0; i < 300; ++i) many.add(7);
  EXPECT_EQ(CountersView(many)[7], Counters::kFull);
  many.merge(many.bytes());
  EXPECT_EQ(CountersView(many)[7], Counters::kFull);
}

TEST(Counters, AreFullWhereNobodyCounted) { EXPECT_EQ(CountersView{}[5], Counters::kFull); }

TEST(Counters, RefuseTablesOfAnotherSize) {
  EXPECT_THROW(Counters(7), Error);
  EXPECT_THROW(Counters(8).merge(Counters(9).bytes()), Error);
  EXPECT_THROW(CountersView(std::vector<std::uint8_t>(300)), Error);
}

TEST(UnitHash, NamesSetsDifferentlyUnderAnotherSalt) {
  const std::vector<Feature> set{1, 2, 3}, other{1, 2, 4};
  EXPECT_EQ(hash_unit(set), hash_unit(set));
  EXPECT_NE(hash_unit(set).id, hash_unit(other).id);
  EXPECT_NE(hash_unit(set).id, hash_unit(set, 1).id);
  EXPECT_EQ(hash_unit(set).check, hash_unit(set, 1).check);
}

// Every unit's smallest companion, by going through the edges until nothing changes.
std::vector<UnitPair> components_by_hand(const std::vector<UnitPair>& edges) {
  std::map<UnitId, UnitId> least;
  for (const UnitPair& edge : edges) least.insert({{edge.left, edge.left}, {edge.right, edge.right}});
  for (bool changes = true; changes;) {
    changes = false;
    for (const UnitPair& edge : edges) {
      const UnitId both = std::min(least[edge.left], least[edge.right]);
      changes |= least[edge.left] != both || least[edge.right] != both;
      least[edge.left] = least[edge.right] = both;
    }
  }
  std::vector<UnitPair> forest;
  for (const auto& [unit, smallest] : least)
    if (unit != smallest) forest.push_back({smallest, unit});
  std::sort(forest.begin(), forest.end());
  return forest;
}

TEST(Contract, GivesEveryUnitTheSmallestOfItsComponent) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    base::Random random(seed);
    std::vector<UnitPair> edges;
    for (unsigned i = 0; i < 200; ++i)
      edges.push_back({base::mix64(random.below(300)), base::mix64(random.below(300))});
    EXPECT_EQ(contract(edges), components_by_hand(edges));
    EXPECT_EQ(contract(contract(edges)), contract(edges));
  }
  EXPECT_TRUE(contract({}).empty());
}

TEST(StarBuilder, TakesWhatTheDefinitionTakes) {
  base::Random random(3);
  StarBuilder stars;
  for (std::uint64_t component = 1; component <= 50; ++component) {
    std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
    for (unsigned i = 0; i < 30; ++i) {
      const auto a = static_cast<std::uint32_t>(random.below(20)), b = static_cast<std::uint32_t>(random.below(20));
      if (a != b) pairs.insert(std::minmax(a, b));
    }
    std::vector<std::uint32_t> leaders(20);
    for (std::uint32_t i = 0; i < 20; ++i) leaders[i] = i;
    for (const auto& [before, after] : pairs)
      if (stars.add(component, {before, after})) leaders[after] = before;
    EXPECT_EQ(leaders, cluster::star(20, [&](const auto& visit) {
                for (const auto& [before, after] : pairs) visit({before, after});
              }));
  }
}

TEST(KeepValues, AreThoseOfTheRules) {
  const KeepValues values(parse_keep_rules("longest,max:score,oldest:date,prefer:lang=en,first"));
  EXPECT_EQ(values.fields(), (std::vector<std::string>{"score", "date", "lang"}));
  EXPECT_EQ(values.columns(), 4u);
  const auto of = [&](std::string_view text, std::string_view score, std::string_view date, std::string_view lang) {
    DocumentView view(text);
    const std::vector<std::optional<std::string_view>> fields{score, date, lang};
    view.fields = fields;
    return values.of(view);
  };
  const auto low = of("äb", "9", "2025-01-31", "en"), high = of("abc", "10", "2024-01-31", "de");
  EXPECT_GT(high[0], low[0]);
  EXPECT_GT(high[1], low[1]);
  EXPECT_GT(high[2], low[2]);
  EXPECT_GT(low[3], high[3]);
  EXPECT_EQ(of("", "many", "soon", "")[1], 0u);
  EXPECT_THROW(KeepValues(parse_keep_rules("authority")), Error);
}

TEST(SuitableWords, GrowWithWhatPartnersMayDifferIn) {
  const Definition definition{};
  EXPECT_EQ(suitable_words(definition, 50), 1u);
  EXPECT_EQ(suitable_words(definition, 200), 2u);
  EXPECT_EQ(suitable_words(definition, 400), 4u);
  EXPECT_EQ(suitable_words(definition, 4000), 8u);
}

}  // namespace
}  // namespace neardup::shuffle
