#include "hamming/flip_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>
#include <vector>

#include "base/random.h"
#include "hamming/documents.h"
#include "hamming/probable_flips.h"

namespace neardup::hamming {
namespace {

std::array<double, kLevels> falling(double start, double by) {
  std::array<double, kLevels> chance;
  for (std::size_t level = 0; level < kLevels; ++level)
    chance[level] = start * std::exp(-by * static_cast<double>(level));
  return chance;
}

Volatility random_levels(base::Random& random) {
  Volatility levels;
  for (std::uint8_t& level : levels.level) level = static_cast<std::uint8_t>(random.below(100));
  return levels;
}

TEST(FlipChances, AreBroughtBelowOneHalfAndFall) {
  std::array<double, kLevels> chance{};
  chance.fill(0.2);
  chance[0] = 0.9;
  chance[5] = 0.3;
  chance[255] = 0;
  const FlipChances made = flip_chances(chance);
  EXPECT_LT(made.chance[0], 0.5);
  EXPECT_EQ(made.chance[5], 0.2);
  EXPECT_GT(made.chance[255], 0);
  EXPECT_GT(made.cost[0], 0);
  EXPECT_TRUE(std::is_sorted(made.cost.begin(), made.cost.end()));
  EXPECT_NEAR(made.cost[5] / kCostUnit, std::log(0.8 / 0.2), 1e-4);
}

TEST(SampledChances, AreThoseOfDifferencesBetweenQueries) {
  // Bit weights are +10.5 or -10.5 levels in half of the queries each: Y is 0 or, as often to either side, 21.
  base::Random random(1);
  std::vector<std::uint64_t> bits(2000);
  for (std::uint64_t& word : bits) word = random.next();
  std::vector<Volatility> levels(bits.size());
  for (Volatility& volatility : levels) volatility.level.fill(10);
  const FlipChances chances = sampled_chances({bits, levels});
  EXPECT_NEAR(chances.chance[0], 0.25, 0.01);
  EXPECT_NEAR(chances.chance[20], 0.25, 0.01);
  EXPECT_LT(chances.chance[21], 0.001);
}

TEST(SampledChances, OfOneQueryAreNormal) {
  const std::vector<std::uint64_t> bits(1);
  const std::vector<Volatility> levels(1);
  const FlipChances chances = sampled_chances({bits, levels});
  EXPECT_NEAR(chances.chance[64], 0.5 * std::erfc(64.5 / 64 / 2), 1e-6);
  EXPECT_NO_THROW(sampled_chances({}));
}

TEST(CalibratedChances, ComeBackFromPairsMadeWithThem) {
  base::Random random(2);
  const FlipChances truth = flip_chances(falling(0.3, 0.03));
  std::vector<Volatility> levels;
  std::vector<AlikePair> pairs;
  for (std::uint64_t query = 0; query < 5000; ++query) {
    levels.push_back(random_levels(random));
    for (std::uint64_t copy = 0; copy <= query % 3; ++copy) {
      std::uint64_t differing = 0;
      for (std::size_t bit = 0; bit < 64; ++bit) {
        const bool flips =
            static_cast<double>(random.below(1u << 30)) < truth.chance[levels.back().level[bit]] * (1u << 30);
        differing |= std::uint64_t{flips} << bit;
      }
      pairs.push_back({query, differing, 1});
    }
  }
  const FlipChances found = calibrated_chances(pairs, levels);
  for (const std::size_t level : {0, 10, 30, 60, 90}) {
    EXPECT_NEAR(found.chance[level] / truth.chance[level], 1, 0.2) << level;
  }
  EXPECT_LT(found.chance[255], found.chance[60]);
}

TEST(Limit, IsMetByTheShareThatWasAskedFor) {
  std::vector<AlikePair> pairs;
  std::vector<std::int64_t> needs;
  for (std::int64_t i = 0; i < 10000; ++i) {
    pairs.push_back({static_cast<std::uint64_t>(i), 1, 1});
    needs.push_back(9999 - i);
  }
  const std::int64_t limit = limit_for(pairs, needs, MatchKind::all, 0.9);
  EXPECT_GE(limit, 8999);
  EXPECT_LE(limit, 9060);
  EXPECT_EQ(limit_for(pairs, needs, MatchKind::all, 1), 9999);
  EXPECT_EQ(limit_for({}, {}, MatchKind::all, 0.9), 0);
}

TEST(Limit, CountsRowsForAllAndQueriesForFirst) {
  // Query 0 has a cheap match with one row and a dear one with a thousand; query 1 one in between.
  const std::vector<AlikePair> pairs{{0, 1, 1}, {0, 2, 1000}, {1, 1, 1}};
  const std::vector<std::int64_t> needs{3, 90, 50};
  EXPECT_EQ(limit_for(pairs, needs, MatchKind::all, 0.5), 90);
  EXPECT_EQ(limit_for(pairs, needs, MatchKind::first, 0.9), 50);
}

// The cost of each set of header bits by its definition: products over all subsets of the rest.
std::vector<double> naive_costs(const FlipChances& chances, const Volatility& levels, unsigned header,
                                unsigned distance) {
  const auto odds = [&](unsigned bit) {
    const double p = chances.chance[levels.level[bit]];
    return p / (1 - p);
  };
  std::vector<double> exactly(distance + 1), outside(distance + 1);
  exactly[0] = 1;
  for (unsigned bit = 0; bit < 64; ++bit) {
    if (bit == 64 - header) outside = exactly;
    for (unsigned m = distance; m > 0; --m) exactly[m] += exactly[m - 1] * odds(bit);
  }
  double all = 0;
  for (const double sum : exactly) all += sum;
  std::vector<double> costs(std::size_t{1} << header, -1);
  for (std::uint64_t set = 0; set < costs.size(); ++set) {
    const auto size = static_cast<unsigned>(std::popcount(set));
    if (size > distance) continue;
    double rest = 0, product = 1;
    for (unsigned m = 0; m <= distance - size; ++m) rest += outside[m];
    for (unsigned bit = 0; bit < header; ++bit) {
      if ((set >> bit & 1) != 0) product *= odds(64 - header + bit);
    }
    costs[set] = -std::log(product * rest / all);
  }
  return costs;
}

TEST(ProbableFlips, AreTheSetsUpToALimitEachOnce) {
  base::Random random(3);
  const FlipChances chances = flip_chances(falling(0.35, 0.08));
  for (const unsigned distance : {0u, 1u, 2u, 3u, 4u, 7u}) {
    for (const double limit : {0.5, 3.0, 6.0, 9.0}) {
      const unsigned header = 11;
      const Volatility levels = random_levels(random);
      const ProbableFlips flips(chances, header, distance);
      std::set<std::uint32_t> found;
      flips.each(levels, static_cast<FlipCost>(limit * kCostUnit), 100000,
                 [&](std::uint32_t mask) { EXPECT_TRUE(found.insert(mask).second); });
      const std::vector<double> costs = naive_costs(chances, levels, header, distance);
      FlipCost offsets[65];
      flips.offsets(levels, offsets);
      for (std::uint64_t set = 0; set < costs.size(); ++set) {
        const bool is_found = found.contains(static_cast<std::uint32_t>(set));
        if (costs[set] < 0 && set != 0) {
          EXPECT_FALSE(is_found);
          continue;
        }
        const double cost = flips.cost(levels, set << (64 - header), offsets) / kCostUnit;
        EXPECT_NEAR(cost, costs[set], 0.02);
        if (set == 0 || std::abs(costs[set] - limit) > 0.02) {
          EXPECT_EQ(is_found, set == 0 || costs[set] < limit) << set << " " << costs[set];
        }
      }
    }
  }
}

TEST(ProbableFlips, StopWhereTheyAreTold) {
  const FlipChances chances = flip_chances(falling(0.4, 0.001));
  std::size_t count = 0;
  ProbableFlips(chances, 26, 10).each(Volatility{}, INT32_MAX / 2, 500, [&](std::uint32_t) { ++count; });
  EXPECT_EQ(count, 501u);
}

TEST(ProbableFlips, CostsOfAllSetsAreThoseOfProbabilitiesThatAddUpToOne) {
  const test::Documents documents = test::make_documents(4, 20, 0);
  const FlipChances chances = flip_chances(falling(0.3, 0.1));
  for (const Volatility& levels : documents.queries.volatility) {
    const ProbableFlips flips(chances, 20, 3);
    FlipCost offsets[65];
    flips.offsets(levels, offsets);
    double sum = 0;
    for (std::uint64_t set = 0; set < 1u << 20; ++set) {
      if (std::popcount(set) <= 3) sum += std::exp(-flips.cost(levels, set << 44, offsets) / kCostUnit);
    }
    EXPECT_NEAR(sum, 1, 0.01);
  }
}

}  // namespace
}  // namespace neardup::hamming
