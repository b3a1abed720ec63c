#include "hamming/short_list.h"

#include <gtest/gtest.h>

#include <bit>
#include <random>

namespace neardup::hamming {
namespace {

using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

Pairs brute_force(const std::vector<std::uint64_t>& bits, unsigned distance) {
  Pairs pairs;
  for (std::uint32_t a = 0; a < bits.size(); ++a)
    for (std::uint32_t b = a + 1; b < bits.size(); ++b)
      if (static_cast<unsigned>(std::popcount(bits[a] ^ bits[b])) <= distance) pairs.emplace_back(a, b);
  return pairs;
}

TEST(ShortList, EqualsBruteForceAtEveryLengthAndDistance) {
  std::mt19937_64 random(11);
  ShortList list;
  for (const std::size_t size : {0, 1, 2, 7, 8, 9, 15, 16, 17, 100, 1000}) {
    std::vector<std::uint64_t> bits(size);
    for (auto& each : bits) each = random() & 0xFF000000000000FF;
    const std::vector<std::uint64_t> before = bits;
    for (const unsigned distance : {0u, 1u, 3u, 8u, 64u}) {
      EXPECT_EQ(list.near(bits, distance), brute_force(before, distance)) << size << " at " << distance;
      EXPECT_EQ(bits, before);
    }
  }
}

TEST(ShortList, ListsEveryPairOfEqualFingerprints) {
  std::vector<std::uint64_t> bits(ShortList::kMost / 8, 42);
  EXPECT_EQ(ShortList().near(bits, 0).size(), bits.size() * (bits.size() - 1) / 2);
}

}  // namespace
}  // namespace neardup::hamming
