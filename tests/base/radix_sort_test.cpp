#include "base/radix_sort.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/random.h"

namespace neardup::base {
namespace {

__extension__ using Wide = unsigned __int128;

template <class Key>
struct Keyed {
  Key key;
  std::uint32_t number;
  friend bool operator==(const Keyed&, const Keyed&) = default;
};

template <class Key>
unsigned width_of(const std::vector<Keyed<Key>>& items) {
  Key all = 0;
  for (const auto& item : items) all |= item.key;
  unsigned bits = 0;
  for (; all != 0; all >>= 1) ++bits;
  return bits;
}

// Both sorts against the standard library's stable one.
template <class Key>
void check(const std::vector<Key>& keys) {
  std::vector<Keyed<Key>> items;
  for (const Key key : keys) items.push_back({key, static_cast<std::uint32_t>(items.size())});
  const auto key_of = [](const Keyed<Key>& item) { return item.key; };
  std::vector<Keyed<Key>> expected = items, high = items, low = items, scratch(items.size());
  std::ranges::stable_sort(expected, std::less<>{}, key_of);
  radix_sort(std::span(high), std::span(scratch), width_of(items), key_of);
  EXPECT_TRUE(high == expected) << keys.size();
  std::vector<Keyed<Key>> grows;
  sort_by_digits(std::span(low), grows, key_of);
  EXPECT_TRUE(low == expected) << keys.size();
}

const std::vector<std::size_t> kSizes{0,  1,  2,   15,  16,  17,   23,   24,   25,   31,   32,   33,    63,
                                      64, 65, 127, 128, 129, 1023, 1024, 1025, 4095, 4096, 4097, 70'000};

template <class Key>
std::vector<Key> made(std::size_t size, const std::function<Key(std::size_t)>& key) {
  std::vector<Key> keys;
  for (std::size_t i = 0; i < size; ++i) keys.push_back(key(i));
  return keys;
}

TEST(RadixSort, SortsUniformKeysLikeAStableSort) {
  Random random(1);
  for (const std::size_t size : kSizes) {
    check(made<std::uint64_t>(size, [&](std::size_t) { return random.next(); }));
    check(made<std::uint32_t>(size, [&](std::size_t) { return static_cast<std::uint32_t>(random.next()); }));
    check(made<Wide>(size, [&](std::size_t) { return Wide{random.next()} << 64 | random.next(); }));
  }
}

TEST(RadixSort, KeepsEqualKeysInTheirOrder) {
  Random random(2);
  for (const std::size_t size : kSizes) {
    check(made<std::uint64_t>(size, [&](std::size_t) { return random.below(3) << 40; }));
    check(made<std::uint64_t>(size, [&](std::size_t) { return mix64(random.below(1 + size / 20)); }));
    check(std::vector<std::uint64_t>(size, ~std::uint64_t{0}));
    check(std::vector<std::uint64_t>(size, 0));
  }
}

TEST(RadixSort, SortsKeysThatDifferInFewBitsOnly) {
  Random random(3);
  for (const std::size_t size : kSizes) {
    check(made<std::uint64_t>(size, [&](std::size_t) { return random.below(2) << 63 | random.below(2); }));
    check(made<std::uint64_t>(size, [&](std::size_t) { return 0xFFFF'0000'0000'0000 | random.below(100); }));
    check(made<Wide>(size, [&](std::size_t) { return Wide{random.below(2)} << 127 | random.below(7); }));
  }
}

// Each step leaves nearly all keys together.
TEST(RadixSort, SortsKeysThatHalveFromOneToTheNext) {
  for (const std::size_t size : kSizes) {
    check(made<std::uint64_t>(size, [](std::size_t i) { return ~std::uint64_t{0} >> i % 64; }));
    check(made<Wide>(size, [](std::size_t i) { return ~Wide{0} >> i % 128; }));
  }
}

TEST(RadixSort, SortsWhatAscendsAndWhatDescends) {
  for (const std::size_t size : kSizes) {
    check(made<std::uint32_t>(size, [](std::size_t i) { return static_cast<std::uint32_t>(i); }));
    check(made<std::uint32_t>(size, [&](std::size_t i) { return static_cast<std::uint32_t>(size - i); }));
  }
}

TEST(RadixSort, EndsUpInTheResultWhereverItBegins) {
  Random random(4);
  for (const std::size_t size : kSizes) {
    std::vector<std::uint64_t> keys = made<std::uint64_t>(size, [&](std::size_t i) { return random.next() >> i % 60; });
    std::vector<std::uint64_t> result(size), expected = keys;
    std::sort(expected.begin(), expected.end());
    using Area = ItemArea<std::uint64_t>;
    radix_sort(Area{result.data()}, Area{keys.data()}, size, 64, StandIn::spare);
    EXPECT_EQ(result, expected);
  }
}

}  // namespace
}  // namespace neardup::base
