// Does a search in pieces, put together as an engine would, find what comparing everything finds?
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <vector>

#include "base/random.h"
#include "neardup/error.h"
#include "neardup/shuffle.h"
#include "neardup/similarity.h"

namespace neardup::shuffle {
namespace {

struct Unit {
  UnitId id;
  unsigned side;
  std::vector<std::uint64_t> set;
};

struct Scored {
  UnitPair pair;
  double score;
  friend auto operator<=>(const Scored&, const Scored&) = default;
};

// Families of sets that differ in a few features, with features that many families share.
std::vector<Unit> some_units(std::uint64_t seed, std::size_t count, bool has_sides = false) {
  base::Random random(seed);
  std::vector<Unit> units;
  std::set<std::vector<std::uint64_t>> known;
  while (units.size() < count) {
    std::vector<std::uint64_t> common;
    const std::uint64_t size = 1 + random.below(60);
    for (std::uint64_t i = 0; i < size; ++i)
      common.push_back(base::mix64(random.below(3) == 0 ? random.below(40) : random.next()));
    const std::uint64_t members = 1 + random.below(6);
    for (std::uint64_t m = 0; m < members && units.size() < count; ++m) {
      std::vector<std::uint64_t> set = common;
      for (std::uint64_t edits = random.below(6); edits > 0; --edits) set[random.below(set.size())] = random.next();
      std::sort(set.begin(), set.end());
      set.erase(std::unique(set.begin(), set.end()), set.end());
      if (!known.insert(set).second) continue;
      const auto side = static_cast<unsigned>(has_sides ? random.below(2) : 0);
      units.push_back({hash_unit(set).id, side, std::move(set)});
    }
  }
  return units;
}

struct Setting {
  unsigned order_bits = 16, shared_bits = 16;
  std::uint64_t heavy_limit = 1'000'000;
};

Counters order_of(const std::vector<Unit>& units, unsigned bits) {
  // Two halves that are merged, as two machines would.
  Counters first(bits), second(bits);
  for (std::size_t i = 0; i < units.size(); ++i)
    for (const std::uint64_t feature : units[i].set) (i % 2 == 0 ? first : second).add(feature);
  first.merge(second.bytes());
  return first;
}

std::vector<UnitPair> candidates(const std::vector<Unit>& units, const KeyPlan& plan, const Setting& setting) {
  const Counters order = order_of(units, setting.order_bits);
  KeyMaker maker(plan, order);
  Counters shared(setting.shared_bits);
  for (const Unit& unit : units) maker.count(unit.set, shared);
  for (const Unit& unit : units) maker.count_heavy(unit.set, shared);
  std::vector<std::uint64_t> keys, counts;
  for (const KeyCount& heavy : maker.heavy()) {
    keys.push_back(heavy.key);
    counts.push_back(heavy.count);
  }
  const HeavyKeys heavy(keys, counts, setting.heavy_limit);
  for (const Unit& unit : units) maker.add_entries(unit.id, unit.side, unit.set, shared, heavy);
  std::vector<UnitPair> found;
  for (std::uint32_t part = 0; part < plan.parts; ++part) {
    CandidateFinder finder(plan);
    finder.find(maker.entries(part), found);
  }
  return found;
}

std::vector<Scored> verified(const std::vector<Unit>& units, const KeyPlan& plan, std::vector<UnitPair> pairs) {
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  PairVerifier verifier(plan.definition, plan.across);
  for (const Unit& unit : units) verifier.add(unit.id, unit.side, unit.set);
  std::vector<Scored> found;
  for (const UnitPair& pair : pairs)
    if (const auto score = verifier.verify(pair)) found.push_back({pair, *score});
  return found;
}

std::vector<Scored> brute_force(const std::vector<Unit>& units, const KeyPlan& plan) {
  const Verifier verifier(plan.definition);
  std::vector<Scored> found;
  for (const Unit& a : units) {
    for (const Unit& b : units) {
      if (plan.across ? a.side >= b.side : a.id >= b.id) continue;
      if (const auto score = verifier.verify(a.set, b.set)) found.push_back({{a.id, b.id}, *score});
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<Definition> definitions() {
  std::vector<Definition> all;
  for (const Measure measure : {Measure::jaccard, Measure::cosine, Measure::dice})
    for (const Threshold& t : {Threshold{1, 3}, {4, 5}, {9, 10}, {1, 1}})
      all.push_back({.measure = measure, .threshold = t});
  for (const std::uint64_t shared : {1, 7, 30}) all.push_back({.measure = Measure::overlap, .threshold = {shared, 1}});
  return all;
}

TEST(Prefixes, FindEveryPairOfEveryMeasure) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const std::vector<Unit> units = some_units(seed, 300);
    for (const Definition& definition : definitions()) {
      for (const unsigned words : {1u, 2u, 4u, 8u}) {
        const KeyPlan plan{.definition = definition, .words = words, .parts = 3};
        EXPECT_EQ(verified(units, plan, candidates(units, plan, {})), brute_force(units, plan))
            << to_string(definition.measure) << " " << to_string(definition.threshold);
      }
    }
  }
}

TEST(Prefixes, FindEveryPairAcrossTwoSides) {
  const std::vector<Unit> units = some_units(4, 400, true);
  for (const Definition& definition : definitions()) {
    const KeyPlan plan{.definition = definition, .parts = 4, .across = true};
    EXPECT_EQ(verified(units, plan, candidates(units, plan, {})), brute_force(units, plan));
  }
}

TEST(Prefixes, FindEveryPairThroughCountersThatAreFarTooSmall) {
  const std::vector<Unit> units = some_units(5, 300);
  const KeyPlan plan{.definition = {.threshold = {1, 2}}};
  EXPECT_EQ(verified(units, plan, candidates(units, plan, {.order_bits = 8, .shared_bits = 8})),
            brute_force(units, plan));
}

// A thousand sets with a few features each of which nearly all have: every key is heavy.
std::vector<Unit> units_of_few_features(std::size_t count, bool has_sides = false) {
  std::vector<Unit> units;
  for (std::uint64_t bits = 1; units.size() < count; ++bits) {
    std::vector<std::uint64_t> set;
    for (unsigned i = 0; i < 12; ++i)
      if ((bits >> i & 1) != 0) set.push_back(base::mix64(i + 1));
    std::sort(set.begin(), set.end());
    units.push_back({hash_unit(set).id, has_sides ? static_cast<unsigned>(bits % 2) : 0, std::move(set)});
  }
  return units;
}

TEST(HeavyKeys, AreSplitWithoutLosingAPair) {
  for (const bool across : {false, true}) {
    const std::vector<Unit> units = units_of_few_features(1000, across);
    const KeyPlan plan{.definition = {.threshold = {3, 5}}, .parts = 5, .across = across};
    EXPECT_EQ(verified(units, plan, candidates(units, plan, {.heavy_limit = 20})), brute_force(units, plan));
  }
}

TEST(HeavyKeys, LeaveNoGroupLargerThanTwoChunks) {
  const std::vector<Unit> units = units_of_few_features(1000);
  const KeyPlan plan{.definition = {.threshold = {3, 5}}};
  KeyMaker maker(plan);
  const CountersView all_full;
  for (const Unit& unit : units) maker.count_heavy(unit.set, all_full);
  std::vector<std::uint64_t> keys, counts;
  for (const KeyCount& heavy : maker.heavy()) {
    keys.push_back(heavy.key);
    counts.push_back(heavy.count);
  }
  constexpr std::uint64_t kLimit = 50;
  for (const Unit& unit : units) maker.add_entries(unit.id, 0, unit.set, all_full, HeavyKeys(keys, counts, kLimit));
  std::map<std::uint64_t, std::uint64_t> groups;
  const auto entries = maker.entries(0);
  for (std::size_t at = 0; at < entries.size(); at += plan.entry_words()) ++groups[entries[at]];
  for (const auto& [key, size] : groups) EXPECT_LE(size, 3 * kLimit);  // two chunks, dealt out by a hash
}

TEST(Keys, ThatNobodySharesStayAtHome) {
  const std::vector<std::uint64_t> lonely{10, 20, 30, 40, 50};
  const KeyPlan plan{};
  KeyMaker maker(plan);
  Counters shared(16);
  maker.count(lonely, shared);
  maker.add_entries(1, 0, lonely, shared, {});
  EXPECT_EQ(maker.entry_bytes(), 0u);
}

TEST(Entries, OfAPairThatSharesAllItsKeysMeetOnce) {
  std::vector<std::uint64_t> set;
  for (std::uint64_t i = 0; i < 200; ++i) set.push_back(base::mix64(i));
  std::sort(set.begin(), set.end());
  std::vector<Unit> units{{1, 0, set}, {2, 0, set}};
  units[1].set.pop_back();  // the last by hash, and in no prefix
  const KeyPlan plan{.words = 8, .parts = 16};
  EXPECT_EQ(candidates(units, plan, {}), (std::vector<UnitPair>{{1, 2}}));
}

TEST(Bands, FindEveryPairThatHasOneInCommon) {
  const std::vector<Unit> units = some_units(6, 400);
  const Definition definition{.threshold = {3, 5}};
  const KeyPlan plan{.definition = definition, .kind = KeyKind::bands, .bands = {.bands = 6, .rows = 3}, .parts = 3};
  std::vector<Scored> expected;
  KeyMaker maker(plan);
  std::map<UnitId, std::set<std::uint64_t>> keys;
  for (const Unit& unit : units) {
    const auto made = maker.keys(unit.set);
    keys[unit.id] = {made.begin(), made.end()};
  }
  for (const Scored& pair : brute_force(units, plan)) {
    const auto &left = keys[pair.pair.left], &right = keys[pair.pair.right];
    if (std::any_of(left.begin(), left.end(), [&](std::uint64_t key) { return right.contains(key); }))
      expected.push_back(pair);
  }
  EXPECT_GT(expected.size(), 20u);
  EXPECT_EQ(verified(units, plan, candidates(units, plan, {})), expected);
}

std::vector<Unit> some_fingerprints(std::uint64_t seed, std::size_t count) {
  base::Random random(seed);
  std::set<std::uint64_t> known;
  while (known.size() < count) {
    std::uint64_t bits = random.next();
    for (unsigned member = 0; member < 5; ++member) {
      known.insert(bits);
      bits ^= std::uint64_t{1} << random.below(64);
      bits ^= std::uint64_t{1} << random.below(64);
    }
  }
  std::vector<Unit> units;
  for (const std::uint64_t bits : known) units.push_back({bits, static_cast<unsigned>(bits % 2), {bits}});
  return units;
}

TEST(Blocks, FindEveryPairOfFingerprintsOnce) {
  for (const unsigned distance : {0u, 1u, 2u, 3u, 5u, 8u, 16u}) {
    for (const std::uint64_t expected_size : {1000ull, 1'000'000ull, 10'000'000'000ull}) {
      for (const bool across : {false, true}) {
        const std::vector<Unit> units = some_fingerprints(distance + 1, 600);
        const KeyPlan plan{.definition = {.measure = Measure::hamming, .threshold = {distance, 1}},
                           .kind = KeyKind::blocks,
                           .blocks = BlockTables::choose(distance, expected_size),
                           .parts = 3,
                           .across = across};
        std::vector<UnitPair> expected;
        for (const Unit& a : units)
          for (const Unit& b : units)
            if ((across ? a.side < b.side : a.id < b.id) && std::popcount(a.id ^ b.id) <= static_cast<int>(distance))
              expected.push_back({a.id, b.id});
        std::vector<UnitPair> found = candidates(units, plan, {});
        std::sort(found.begin(), found.end());
        std::sort(expected.begin(), expected.end());
        EXPECT_EQ(found, expected) << distance;
      }
    }
  }
}

TEST(Blocks, HaveLongerKeysForMoreFingerprints) {
  EXPECT_EQ(BlockTables::choose(3, 1000).masks.size(), 4u);
  EXPECT_EQ(BlockTables::choose(3, 100'000'000).masks.size(), 10u);
  EXPECT_THROW(BlockTables::choose(17, 1000), Error);
}

TEST(Plans, RefuseWhatTheyDoNotServe) {
  EXPECT_THROW(KeyMaker({.definition = {.measure = Measure::hamming, .threshold = {3, 1}}}), Error);
  EXPECT_THROW(KeyMaker({.definition = {.measure = Measure::edit, .threshold = {3, 1}}, .kind = KeyKind::blocks}),
               Error);
  EXPECT_THROW(KeyMaker(KeyPlan{.words = 3}), Error);
  EXPECT_THROW(KeyMaker(KeyPlan{.parts = 0}), Error);
}

TEST(CandidateFinder, RefusesHalfAnEntry) {
  CandidateFinder finder(KeyPlan{});
  std::vector<UnitPair> out;
  EXPECT_THROW(finder.find(std::vector<std::uint64_t>(7), out), Error);
}

}  // namespace
}  // namespace neardup::shuffle
