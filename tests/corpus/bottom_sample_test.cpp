#include "corpus/bottom_sample.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <vector>

namespace neardup::test {
namespace {

using corpus::BottomSample;

// Numbers instead of types: here rows and units are only counted.
using Numbers = std::vector<std::uint32_t>;
Numbers units_of(const std::vector<BottomSample::Drawn>& drawn) {
  Numbers units;
  for (const auto& one : drawn) units.push_back(index(one.unit));
  return units;
}

Numbers draw(std::uint64_t seed, std::size_t documents, std::size_t features, const Numbers& arrival,
             const std::vector<std::size_t>& sizes) {
  BottomSample reservoir(seed, documents, features);
  for (const std::uint32_t row : arrival) {
    if (reservoir.wants(Row{row})) reservoir.add(Row{row}, Unit{row + 1000}, std::vector<Feature>(sizes[row], row));
  }
  return units_of(reservoir.take());
}

struct Arrival {
  Numbers rows;
  std::vector<std::size_t> sizes;
  explicit Arrival(std::size_t count) : rows(count) {
    std::iota(rows.begin(), rows.end(), 0);
    base::Random random(count);
    for (std::size_t i = 0; i < count; ++i) sizes.push_back(1 + random.below(random.below(10) == 0 ? 200 : 10));
  }
  void shuffle(std::uint64_t seed) {
    base::Random random(seed);
    for (std::size_t i = rows.size(); i > 1; --i) std::swap(rows[i - 1], rows[random.below(i)]);
  }
};

TEST(BottomSample, IsEverythingWhenEverythingFits) {
  const Arrival all(500);
  const Numbers drawn = draw(1, 500, 1'000'000, all.rows, all.sizes);
  EXPECT_EQ(std::set<std::uint32_t>(drawn.begin(), drawn.end()).size(), 500u);
}

TEST(BottomSample, DrawsTheSameInAnyOrderOfArrival) {
  Arrival arrival(1000);
  for (const auto& [documents, features] :
       {std::pair{50, 1'000'000}, {1000, 300}, {100, 1000}, {1000, 1}, {1, 1'000'000}}) {
    const auto expected = draw(7, documents, features, Arrival(1000).rows, arrival.sizes);
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      arrival.shuffle(seed);
      EXPECT_EQ(draw(7, documents, features, arrival.rows, arrival.sizes), expected) << documents << " " << features;
    }
  }
}

TEST(BottomSample, DrawsTheSameWhenAskedTooEarly) {
  // wants() may be answered before documents that come earlier have been added.
  const Arrival arrival(300);
  BottomSample eager(3, 20, 100'000), careful(3, 20, 100'000);
  for (const std::uint32_t row : arrival.rows) {
    eager.add(Row{row}, Unit{row}, {row});
    if (careful.wants(Row{row})) careful.add(Row{row}, Unit{row}, {row});
  }
  EXPECT_EQ(units_of(eager.take()), units_of(careful.take()));
}

TEST(BottomSample, StaysWithinBothBudgets) {
  const Arrival arrival(1000);
  EXPECT_EQ(draw(1, 50, 1'000'000, arrival.rows, arrival.sizes).size(), 50u);
  std::size_t features = 0;
  for (const std::uint32_t unit : draw(1, 1000, 500, arrival.rows, arrival.sizes))
    features += arrival.sizes[unit - 1000];
  EXPECT_LE(features, 500u);
  EXPECT_GT(features, 250u);
}

TEST(BottomSample, DrawsASmallerSampleThatBeginsALargerOne) {
  const Arrival arrival(400);
  const auto small = draw(9, 10, 1'000'000, arrival.rows, arrival.sizes);
  const auto large = draw(9, 40, 1'000'000, arrival.rows, arrival.sizes);
  ASSERT_EQ(large.size(), 40u);
  EXPECT_TRUE(std::equal(small.begin(), small.end(), large.begin()));
}

TEST(BottomSample, DrawsEveryRowEquallyOften) {
  std::vector<int> times(20);
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    for (const std::uint32_t unit : draw(seed, 5, 1000, Arrival(20).rows, std::vector<std::size_t>(20, 1)))
      ++times[unit - 1000];
  }
  for (const int count : times) EXPECT_NEAR(count, 500, 100);
}

TEST(BottomSample, KeepsTheSetsItWasGiven) {
  BottomSample reservoir(1, 3, 100);
  for (std::uint32_t row = 0; row < 10; ++row) reservoir.add(Row{row}, Unit{row}, {row, row + 1u});
  for (const auto& drawn : reservoir.take())
    EXPECT_EQ(drawn.set, (std::vector<Feature>{index(drawn.unit), index(drawn.unit) + 1u}));
}

}  // namespace
}  // namespace neardup::test
