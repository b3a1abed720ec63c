#include "corpus/units.h"

#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "base/random.h"
#include "base/tsv.h"
#include "corpus/row_names.h"

namespace neardup::test {
namespace {

using corpus::SetHash;

void expect_a_maps_numbers(const std::vector<SetHash>& hashes) {
  corpus::UnitNumbering numbering;
  std::map<std::pair<std::uint64_t, std::uint64_t>, Unit> map;
  for (const SetHash& hash : hashes) {
    const auto [at, is_new] = map.emplace(std::pair(hash.low, hash.high), static_cast<Unit>(map.size()));
    ASSERT_EQ(numbering.number(hash), (std::pair{at->second, is_new}));
  }
}

TEST(UnitNumbering, NumbersLikeAMap) {
  base::Random random(1);
  std::vector<SetHash> hashes;
  for (int i = 0; i < 20'000; ++i) hashes.push_back({random.below(5000), random.below(2)});
  expect_a_maps_numbers(hashes);
}

TEST(UnitNumbering, NumbersHashesThatDifferOnlyInTheirHighParts) {
  std::vector<SetHash> hashes;
  for (std::uint64_t i = 0; i < 3000; ++i) hashes.push_back({7, i});
  for (std::uint64_t i = 0; i < 3000; ++i) hashes.push_back({i << 40, 0});  // fingerprints that share their low bits
  for (std::uint64_t i = 0; i < 3000; ++i) hashes.push_back({7, i});
  expect_a_maps_numbers(hashes);
}

TEST(UnitNumbering, GivesZeroANumberToo) { expect_a_maps_numbers({{0, 0}, {0, 0}, {0, 1}, {1, 0}, {0, 0}}); }

TEST(FirstSight, IsClaimedOnceHoweverManyThreadsBringAHash) {
  constexpr std::uint64_t kHashes = 20'000;
  corpus::FirstSight first_sight;
  std::atomic<std::uint64_t> claimed{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      // Many share their low parts, as fingerprints do, or their high ones.
      for (std::uint64_t n = 1; n <= kHashes; ++n) claimed += first_sight.claim({n << 40, n % 3}) ? 1 : 0;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(claimed, kHashes);
}

TEST(HashSet, TellsSetsApart) {
  const auto hash = [](std::vector<Feature> set) { return corpus::hash_set(set); };
  EXPECT_EQ(hash({1, 2, 3}), hash({1, 2, 3}));
  EXPECT_FALSE(hash({1, 2, 3}) == hash({1, 2, 4}));
  EXPECT_FALSE(hash({1, 2}) == hash({1, 2, 0}));
  EXPECT_FALSE(hash({}) == hash({0}));
}

// As names are hashed: 0 is no name.
corpus::NameHash hash_of(std::string_view name) { return {.name = name.empty() ? 0 : corpus::hash_name(name)}; }

TEST(RepeatedIds, CountsEachIdInInputOrder) {
  corpus::RepeatedIds ids;
  for (const char* key : {"a", "b", "a", "", "a", "", "b", "c"}) ids.add(hash_of(key));
  ids.finish();
  const std::vector<std::uint32_t> expected{1, 1, 2, 1, 3, 1, 2, 1};
  for (const Row row : all<Row>(expected.size())) EXPECT_EQ(ids.occurrence(row), expected[index(row)]);
  EXPECT_EQ(ids.count(), 3u);
}

TEST(RepeatedIds, AreNoneWhenAllDiffer) {
  corpus::RepeatedIds ids;
  for (int i = 0; i < 1000; ++i) ids.add(hash_of(std::to_string(i)));
  for (int i = 0; i < 10; ++i) ids.add(hash_of(""));
  ids.finish();
  EXPECT_EQ(ids.count(), 0u);
  for (const Row row : all<Row>(1010)) EXPECT_EQ(ids.occurrence(row), 1u);
}

TEST(RepeatedIds, CountLikeAMap) {
  base::Random random(5);
  corpus::RepeatedIds ids;
  std::map<std::string, std::uint32_t> counts;
  std::vector<std::uint32_t> expected;
  for (int i = 0; i < 5000; ++i) {
    const std::string key = std::to_string(random.below(3000));
    ids.add(hash_of(key));
    expected.push_back(++counts[key]);
  }
  ids.finish();
  for (const Row row : all<Row>(expected.size())) ASSERT_EQ(ids.occurrence(row), expected[index(row)]);
}

TEST(RepeatedIds, PassOverNumbersThatMakeAnotherRecordsId) {
  corpus::RepeatedIds ids;
  const auto numbered = [](std::string_view name, std::uint64_t number) {
    return corpus::NameHash::numbered(corpus::hash_name(name), number);
  };
  ids.add(hash_of("a"));
  ids.add(hash_of("a"));
  ids.add({.name = corpus::hash_name("a#2"), .taken = numbered("a", 2)});
  ids.add({.name = corpus::hash_name("a#4"), .taken = numbered("a", 4)});
  ids.add(hash_of("a"));
  ids.add({.name = corpus::hash_name("b#2"), .taken = numbered("b", 2)});
  ids.add({.name = corpus::hash_name("a#2"), .taken = numbered("a", 2)});
  ids.finish();
  const std::vector<std::uint32_t> expected{1, 3, 1, 1, 5, 1, 2};
  for (const Row row : all<Row>(expected.size())) EXPECT_EQ(ids.occurrence(row), expected[index(row)]) << index(row);
}

TEST(RepeatedIds, TakeNobody) {
  corpus::RepeatedIds ids;
  ids.finish();
  EXPECT_EQ(ids.count(), 0u);
}

TEST(Names, AreFoundByRow) {
  corpus::RowTexts names;
  names.add(Row{2}, "two");
  names.add(Row{5}, "");
  names.add(Row{1'000'000}, "a\tb");
  EXPECT_EQ(names[Row{2}], "two");
  EXPECT_EQ(names[Row{5}], "");
  EXPECT_EQ(names[Row{1'000'000}], "a\tb");
  EXPECT_TRUE(names.has(Row{5}));
  for (const std::uint32_t row : {0u, 3u, 63u, 64u, 999'999u, 1'000'001u, UINT32_MAX})
    EXPECT_FALSE(names.has(Row{row})) << row;
}

TEST(Names, AreFoundAmongManyInEveryWordOfRows) {
  corpus::RowTexts names;
  for (std::uint32_t row = 0; row < 1000; ++row) {
    if (row % 7 != 3 && row / 64 != 5) names.add(Row{row}, std::to_string(row));
  }
  for (std::uint32_t row = 0; row < 1000; ++row) {
    ASSERT_EQ(names.has(Row{row}), row % 7 != 3 && row / 64 != 5);
    if (names.has(Row{row})) {
      EXPECT_EQ(names[Row{row}], std::to_string(row));
    }
  }
}

TEST(EscapeTsv, EscapesTabsNewlinesAndBackslashesOnly) {
  EXPECT_EQ(base::escape_tsv("a\tb\nc\\d\re \u00E9"), "a\\tb\\nc\\\\d\re \u00E9");
  EXPECT_EQ(base::escape_tsv(""), "");
}

}  // namespace
}  // namespace neardup::test
