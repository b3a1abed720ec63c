#include "base/numbering.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/open_table.h"
#include "base/random.h"

namespace neardup::base {
namespace {

struct AllCollide {
  std::uint64_t operator()(std::uint64_t) const { return ~std::uint64_t{0}; }  // in the last slot, so that all wrap
};
struct Length {
  std::uint64_t operator()(const std::string& key) const { return key.size(); }
};

// Against a map, with a look at keys that never came.
template <class Key, class Hash>
void expect_a_maps_numbers(const std::vector<Key>& keys, const std::vector<Key>& absent, Hash hash) {
  Numbering<Key, Hash> numbering(hash);
  std::map<Key, std::uint32_t> map;
  for (const Key& key : keys) {
    const auto [at, is_new] = map.emplace(key, static_cast<std::uint32_t>(map.size()));
    ASSERT_EQ(numbering.number(key), (std::pair{at->second, is_new}));
  }
  ASSERT_EQ(numbering.size(), map.size());
  for (const auto& [key, number] : map) {
    ASSERT_EQ(numbering.find(key), number);
    ASSERT_EQ(numbering.keys()[number], key);
  }
  for (const Key& key : absent) EXPECT_EQ(numbering.find(key), map.contains(key) ? map[key] : kNoNumber);
}

TEST(Numbering, NumbersLikeAMapAroundEveryPowerOfTwo) {
  for (const std::uint64_t size : {0u, 1u, 31u, 32u, 33u, 63u, 64u, 65u, 511u, 512u, 513u, 20'000u}) {
    Random random(size);
    std::vector<std::uint64_t> keys, absent;
    for (std::uint64_t i = 0; i < size; ++i) keys.push_back(random.below(size));
    for (std::uint64_t i = 0; i < 100; ++i) absent.push_back(random.next());
    expect_a_maps_numbers(keys, absent, Mixed{});
    expect_a_maps_numbers(keys, absent, Mixed{random.next()});
  }
}

TEST(Numbering, TellsKeysApartThatAllCollide) {
  std::vector<std::uint64_t> keys;
  for (std::uint64_t i = 0; i < 1000; ++i) keys.push_back(i * i % 700);
  expect_a_maps_numbers(keys, {700, ~std::uint64_t{0}}, AllCollide{});
}

TEST(Numbering, SpreadsKeysThatShareTheirLowBits) {
  std::vector<std::uint64_t> keys;
  for (std::uint64_t i = 0; i < 50'000; ++i) keys.push_back(i << 40);  // quadratic work would take minutes
  expect_a_maps_numbers(keys, {1}, Mixed{});
}

TEST(Numbering, TakesKeysOfAnyKind) {
  expect_a_maps_numbers<std::string>({"b", "a", "b", "", "aa", "bb", "", "a"}, {"c", "cc"}, Length{});
}

TEST(Numbering, GivesTheExtremesNumbersToo) {
  expect_a_maps_numbers<std::uint64_t>({0, ~std::uint64_t{0}, 0, ~std::uint64_t{0}}, {1}, Mixed{});
}

// Numbers in a table whose keys the test keeps.
class NumberSet {
 public:
  explicit NumberSet(std::uint64_t modulus) : hash_{modulus} {}

  bool insert(std::uint32_t number) {
    table_.make_room(hash_);
    const std::uint32_t& slot = find(number);
    if (slot != kNoNumber) return false;
    table_.insert(slot, number);
    return true;
  }
  bool erase(std::uint32_t number) {
    const std::uint32_t& slot = find(number);
    if (slot == kNoNumber) return false;
    table_.erase(slot, hash_);
    return true;
  }
  [[nodiscard]] bool contains(std::uint32_t number) const { return find(number) == number; }
  [[nodiscard]] std::size_t size() const { return table_.size(); }

 private:
  [[nodiscard]] const std::uint32_t& find(std::uint32_t number) const {
    return table_.find(hash_(number), [&](std::uint32_t other) { return other == number; });
  }

  struct Hash {
    std::uint64_t modulus;
    std::uint64_t operator()(std::uint32_t number) const { return number % modulus + 13; }
  };
  Hash hash_;
  OpenTable<std::uint32_t, kNoNumber, 66> table_{16};
};

// With few different hashes all stand in clusters that wrap around the end.
TEST(OpenTable, InsertsAndErasesLikeASet) {
  for (const std::uint64_t modulus : {1u, 2u, 3u, 16u, 100u, 100'000u}) {
    Random random(modulus);
    NumberSet table(modulus);
    std::set<std::uint32_t> set;
    for (int step = 0; step < 20'000; ++step) {
      const auto number = static_cast<std::uint32_t>(random.below(60));
      if (random.below(2) == 0) {
        ASSERT_EQ(table.insert(number), set.insert(number).second);
      } else {
        ASSERT_EQ(table.erase(number), set.erase(number) == 1);
      }
      ASSERT_EQ(table.size(), set.size());
      const auto other = static_cast<std::uint32_t>(random.below(60));
      ASSERT_EQ(table.contains(other), set.contains(other));
    }
    for (std::uint32_t number = 0; number < 60; ++number) ASSERT_EQ(table.contains(number), set.contains(number));
  }
}

}  // namespace
}  // namespace neardup::base
