#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "neardup/features.h"

namespace neardup {
namespace {

using Features = std::vector<Feature>;

void check(Features features) {
  Features expected = features, scratch{1, 2, 3};
  std::sort(expected.begin(), expected.end());
  expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
  sort_unique(features, scratch);
  ASSERT_EQ(features, expected);
}

TEST(SortUnique, SortsUniformHashesOfEverySize) {
  std::mt19937_64 random{1};
  for (std::size_t n = 0; n <= 600; ++n) {
    Features features(n);
    for (Feature& f : features) f = random();
    check(features);
  }
}

TEST(SortUnique, SortsManyHashes) {
  std::mt19937_64 random{2};
  Features features(200000);
  for (Feature& f : features) f = random();
  check(features);
}

TEST(SortUnique, RemovesRepeats) {
  std::mt19937_64 random{3};
  for (int round = 0; round < 300; ++round) {
    Features features(random() % 500);
    for (Feature& f : features) f = (random() % 50) * 0x9E3779B97F4A7C15;
    check(features);
  }
}

TEST(SortUnique, SortsValuesThatShareTheirTopBits) {
  std::mt19937_64 random{4};
  Features features(100000);
  for (Feature& f : features) f = random() % 1000000;
  check(features);
  for (Feature& f : features) f |= 0xFFFF000000000000;
  check(features);
}

// Quadratic work would take minutes here.
TEST(SortUnique, StaysFastOnAMillionEqualAndOnDescendingValues) {
  check(Features(1000000, 42));
  Features descending(1000000);
  for (std::size_t i = 0; i < descending.size(); ++i) descending[i] = descending.size() - i;
  check(descending);
}

}  // namespace
}  // namespace neardup
