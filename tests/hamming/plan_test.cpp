// Do the tables of a plan see every pair they are made for, and is it the plan of the paper?
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "hamming/searches.h"
#include "neardup/error.h"

namespace neardup {
namespace {

using base::Random;

std::set<unsigned> leading_counts(const TablePlan& plan) {
  std::set<unsigned> counts;
  for (const TablePlan::Table& table : plan.tables) counts.insert(table.leading);
  return counts;
}

// Which bits lead in each table.
std::vector<std::set<unsigned>> leading_sets(const TablePlan& plan) {
  std::vector<std::set<unsigned>> sets;
  for (const TablePlan::Table& table : plan.tables) {
    sets.emplace_back(table.order.begin(), table.order.begin() + table.leading);
  }
  return sets;
}

bool sees(const TablePlan& plan, const std::set<unsigned>& differing) {
  return std::ranges::any_of(leading_sets(plan), [&](const std::set<unsigned>& leading) {
    return std::ranges::none_of(differing, [&](unsigned bit) { return leading.contains(bit); });
  });
}

void expect_sees_random_differences(const TablePlan& plan, unsigned width, unsigned distance) {
  Random random(width * 100 + distance);
  for (int trial = 0; trial < 300; ++trial) {
    std::set<unsigned> differing;
    while (differing.size() < distance) differing.insert(static_cast<unsigned>(random.below(width)));
    ASSERT_TRUE(sees(plan, differing)) << plan.design << " for " << width << " bits, distance " << distance;
  }
}

TEST(TablePlan, HasTheTablesOfThePaper) {
  const auto expect = [](const char* design, std::size_t tables, const std::set<unsigned>& leading) {
    const TablePlan plan = design_by_name(design, 64, 3);
    EXPECT_EQ(plan.design, design);
    EXPECT_EQ(plan.tables.size(), tables);
    EXPECT_EQ(leading_counts(plan), leading);
    EXPECT_EQ(plan.least_leading(), *leading.begin());
    expect_sees_random_differences(plan, 64, 3);
  };
  expect("4", 4, {16});
  expect("10", 10, {25, 26});
  expect("16", 16, {28});
  expect("20", 20, {31, 32, 33});
}

TEST(TablePlan, TheRecurrenceGivesTheDesignsOfThePaper) {
  const auto tables = [](unsigned least_leading) { return fewest_tables(64, 3, least_leading).tables.size(); };
  EXPECT_EQ(tables(1), 4u);
  EXPECT_EQ(tables(16), 4u);
  EXPECT_EQ(tables(17), 10u);
  EXPECT_EQ(tables(25), 10u);
  EXPECT_EQ(tables(26), 16u);
  EXPECT_EQ(tables(28), 16u);
  EXPECT_EQ(tables(29), 20u);
  EXPECT_EQ(tables(31), 20u);
  EXPECT_GT(tables(32), 20u);
  EXPECT_EQ(fewest_tables(64, 3, 16).design, "4");
  EXPECT_EQ(fewest_tables(64, 3, 25).design, "10");
  EXPECT_EQ(fewest_tables(64, 3, 28).design, "16");
  EXPECT_EQ(fewest_tables(64, 3, 31).design, "20");
}

TEST(TablePlan, EveryTableOrdersEveryBitOnce) {
  for (const char* design : {"4", "10", "16", "20", "13/10", "5/1+6/2"}) {
    for (const TablePlan::Table& table : design_by_name(design, 64, 3).tables) {
      const std::set<unsigned> bits(table.order.begin(), table.order.end());
      EXPECT_EQ(table.order.size(), 64u);
      EXPECT_EQ(bits.size(), 64u);
      EXPECT_EQ(*bits.rbegin(), 63u);
    }
  }
}

TEST(TablePlan, TheFirstTableKeepsTheOrderOfTheFingerprints) {
  for (const char* design : {"4", "10", "16", "20"}) {
    const std::vector<unsigned> order = design_by_name(design, 64, 3).tables.front().order;
    EXPECT_TRUE(std::ranges::is_sorted(order, std::greater<>())) << design;
  }
}

TEST(TablePlan, SeesEveryDifferenceOfNarrowFingerprints) {
  for (unsigned width = 1; width <= 10; ++width) {
    for (unsigned distance = 0; distance < width; ++distance) {
      for (unsigned leading = 1; leading <= width - distance; ++leading) {
        const TablePlan plan = fewest_tables(width, distance, leading);
        EXPECT_GE(plan.least_leading(), leading);
        for (unsigned difference = 0; difference < 1u << width; ++difference) {
          if (static_cast<unsigned>(std::popcount(difference)) > distance) continue;
          std::set<unsigned> differing;
          for (unsigned bit = 0; bit < width; ++bit) {
            if ((difference >> bit & 1) != 0) differing.insert(bit);
          }
          ASSERT_TRUE(sees(plan, differing)) << plan.design << " for " << width << " bits, distance " << distance;
        }
      }
    }
  }
}

TEST(TablePlan, SeesDifferencesOfWideFingerprints) {
  for (const unsigned width : {31u, 48u, 64u, 100u, 128u}) {
    for (const unsigned distance : {0u, 1u, 2u, 3u, 5u}) {
      for (const unsigned leading : {1u, width / 4, width / 3}) {
        std::uint64_t tables = 0;
        try {
          const TablePlan plan = fewest_tables(width, distance, leading);
          tables = plan.tables.size();
          EXPECT_GE(plan.least_leading(), leading);
          if (tables <= 64) expect_sees_random_differences(plan, width, distance);
        } catch (const Error& error) {
          EXPECT_EQ(error.code(), ErrorCode::usage);
        }
      }
    }
  }
}

TEST(TablePlan, TakesItsOwnNameAsADesign) {
  for (const unsigned distance : {0u, 1u, 2u, 3u, 4u, 6u}) {
    for (const unsigned leading : {1u, 8u, 12u}) {
      const TablePlan plan = fewest_tables(64, distance, leading), again = design_by_name(plan.design, 64, distance);
      ASSERT_EQ(plan.tables.size(), again.tables.size()) << plan.design;
      EXPECT_EQ(leading_sets(plan), leading_sets(again)) << plan.design;
    }
  }
}

void expect_usage_error(const auto& call, const char* part) {
  try {
    (void)call();
    FAIL() << "was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage) << error.what();
    EXPECT_THAT(error.what(), testing::HasSubstr(part));
  }
}

TEST(TablePlan, RefusesWhatIsNoDesign) {
  for (const char* design :
       {"", "5", "6/", "/3", "6/7", "6/0", "6/3/1", "6/3+", "six", "-6/3", "99999999999/3", "4 ", "200/3"}) {
    expect_usage_error([&] { return design_by_name(design, 64, 3); }, "design");
  }
}

TEST(TablePlan, RefusesADesignThatWouldMissMatches) {
  expect_usage_error([] { return design_by_name("4", 64, 4); }, "distance 3 only");
  expect_usage_error([] { return design_by_name("6/4", 64, 3); }, "distance 2 only");
  expect_usage_error([] { return design_by_name("5/2+3/1", 64, 3); }, "distance 2 only");
}

TEST(TablePlan, RefusesMoreBlocksThanBitsAndMoreTablesThanAnyoneWants) {
  expect_usage_error([] { return design_by_name("10/7", 9, 3); }, "more blocks than bits");
  expect_usage_error([] { return design_by_name("60/30", 64, 3); }, "more than 4096");
  expect_usage_error([] { return fewest_tables(64, 3, 61); }, "4096");
  expect_usage_error([] { return fewest_tables(64, 3, 65); }, "leading");
}

TEST(TablePlan, RefusesWidthsAndDistancesWithoutBlocks) {
  expect_usage_error([] { return design_by_name("4", 0, 3); }, "0 bits");
  expect_usage_error([] { return design_by_name("4", 129, 3); }, "129 bits");
  expect_usage_error([] { return fewest_tables(64, 64, 1); }, "any block may differ");
  expect_usage_error([] { return choose_design(1000, 0, 0, 0); }, "0 bits");
}

TEST(PlanChoice, TakesFewTablesForFewFingerprintsAndMoreForMany) {
  EXPECT_EQ(choose_design(std::uint64_t{1} << 20, 64, 3, 0).plan.design, "4");
  EXPECT_EQ(choose_design(std::uint64_t{1} << 34, 64, 3, 0).plan.design, "10");
}

TEST(PlanChoice, MarksTheChosenDesignAmongThoseItHad) {
  const std::string text = choose_design(std::uint64_t{1} << 34, 64, 3, 0).explanation;
  EXPECT_THAT(text, testing::HasSubstr("\n* 10 "));
  EXPECT_THAT(text, testing::HasSubstr("\n  4 "));
  EXPECT_THAT(text, testing::HasSubstr("\n  16 "));
  EXPECT_THAT(text, testing::HasSubstr("\n  20 "));
  EXPECT_THAT(text, testing::Not(testing::HasSubstr("cheaper")));
}

TEST(PlanChoice, StaysWithinTheMemory) {
  const std::uint64_t n = std::uint64_t{1} << 34, four_tables = 44 * n + n * 36 / 8 + 1;
  const PlanChoice choice = choose_design(n, 64, 3, four_tables);
  EXPECT_EQ(choice.plan.design, "4");
  EXPECT_THAT(choice.explanation, testing::HasSubstr("too large"));
  try {
    (void)choose_design(n, 64, 3, four_tables - 1);
    FAIL() << "fits";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::limit);
    EXPECT_THAT(error.what(), testing::HasSubstr(std::to_string(four_tables)));
  }
}

TEST(PlanChoice, SaysWhenComparingEverythingIsCheaper) {
  const PlanChoice few = choose_design(100, 64, 3, 0);
  EXPECT_EQ(few.plan.tables.size(), 4u);
  EXPECT_THAT(few.explanation, testing::HasSubstr("Comparing everything is cheaper"));
  for (const unsigned distance : {30u, 63u, 64u, 100u}) {
    const PlanChoice choice = choose_design(std::uint64_t{1} << 20, 64, distance, 0);
    EXPECT_TRUE(choice.plan.tables.empty()) << distance;
    EXPECT_THAT(choice.explanation, testing::HasSubstr("comparing everything is cheaper"));
  }
}

}  // namespace
}  // namespace neardup
