#include "time_left.h"

#include <gtest/gtest.h>

#include <vector>

namespace neardup::cli {
namespace {

using Plan = std::vector<PlannedStage>;

TEST(TimeLeft, IsUnknownBeforeAnythingIsDone) {
  TimeLeft left;
  left.plan(Plan{{"reading", 1}, {"writing", 1}});
  EXPECT_EQ(left.stage(), 0u);
  EXPECT_EQ(left.stages(), 2u);
  left.begin("reading", 100, "bytes", 0);
  EXPECT_EQ(left.stage(), 1u);
  EXPECT_FALSE(left.seconds(5));
}

TEST(TimeLeft, ReckonsStagesToComeWithThePaceOfTheFirst) {
  TimeLeft left;
  left.plan(Plan{{"reading", 100}, {"writing", 50}});
  left.begin("reading", 1000, "bytes", 0);
  left.advance(100, 2);
  EXPECT_DOUBLE_EQ(*left.seconds(2), 18 + 10);
  left.advance(400, 10);
  EXPECT_DOUBLE_EQ(*left.seconds(10), 10 + 10);
}

TEST(TimeLeft, CountsDownThroughTheLastStage) {
  TimeLeft left;
  left.plan(Plan{{"reading", 100}, {"writing", 50}});
  left.begin("reading", 10, "bytes", 0);
  left.advance(10, 20);
  left.begin("writing", 10, "bytes", 20);
  EXPECT_DOUBLE_EQ(*left.seconds(20), 10);
  left.advance(5, 25);
  EXPECT_DOUBLE_EQ(*left.seconds(25), 5);
  left.advance(5, 30);
  EXPECT_DOUBLE_EQ(*left.seconds(30), 0);
}

TEST(TimeLeft, BelievesThePaceOfAStageMoreAndMore) {
  TimeLeft left;
  left.plan(Plan{{"reading", 100}, {"writing", 100}});
  left.begin("reading", 10, "bytes", 0);
  left.advance(10, 10);
  left.begin("writing", 100, "bytes", 10);  // planned: 10 s, in truth 40
  double last_error = 1000;
  for (int tenth = 1; tenth < 10; ++tenth) {
    left.advance(10, 10 + 4 * tenth);
    const double truth = 40 - 4 * tenth;
    const double error = truth / *left.seconds(10 + 4 * tenth);
    EXPECT_LT(error, last_error);
    EXPECT_GE(error, 1);
    last_error = error;
  }
  EXPECT_LT(last_error, 1.1);
}

TEST(TimeLeft, CountsDownAStageThatSaysNothing) {
  TimeLeft left;
  left.plan(Plan{{"reading", 10}, {"grouping", 5}, {"writing", 5}});
  left.begin("reading", 10, "bytes", 0);
  left.advance(10, 10);
  left.begin("grouping", 0, "documents", 10);
  EXPECT_DOUBLE_EQ(*left.seconds(12), 3 + 5);
  EXPECT_DOUBLE_EQ(*left.seconds(19), 0 + 5);
}

TEST(TimeLeft, TakesAStagesOwnForecastForIt) {
  TimeLeft left;
  left.plan(Plan{{"reading", 10}, {"comparing", 10}, {"writing", 5}});
  left.begin("reading", 10, "bytes", 0);
  left.advance(10, 10);
  left.expect(100);
  left.begin("comparing", 1000, "documents", 10);
  EXPECT_DOUBLE_EQ(*left.seconds(10), 100 + 5);
}

TEST(TimeLeft, LearnsNoPaceFromComparing) {
  TimeLeft left;
  left.plan(Plan{{"reading", 10}, {"comparing", 10}, {"writing", 10}});
  left.begin("reading", 10, "bytes", 0);
  left.advance(10, 10);
  left.begin("comparing", 10, "documents", 10);
  left.advance(10, 500);
  left.begin("writing", 10, "bytes", 500);
  EXPECT_DOUBLE_EQ(*left.seconds(500), 10);
}

TEST(TimeLeft, PassesOverStagesThatWereNotNeededAndKeepsItsPlaceInUnplannedOnes) {
  TimeLeft left;
  left.plan(Plan{{"reading", 10}, {"looking up names", 10}, {"writing", 10}});
  left.begin("reading", 10, "bytes", 0);
  left.advance(10, 10);
  left.begin("something else", 10, "bytes", 10);
  EXPECT_EQ(left.stage(), 1u);
  left.begin("writing", 10, "bytes", 11);
  EXPECT_EQ(left.stage(), 3u);
  EXPECT_DOUBLE_EQ(*left.seconds(11), 10);
}

TEST(TimeLeft, ChangesItsMindAboutWhatIsToCome) {
  TimeLeft left;
  left.plan(Plan{{"reading", 10}, {"writing", 10}});
  left.begin("reading", 10, "bytes", 0);
  left.advance(5, 5);
  EXPECT_DOUBLE_EQ(*left.seconds(5), 5 + 10);
  left.plan(Plan{{"comparing", 20}, {"writing", 10}});
  EXPECT_EQ(left.stage(), 1u);
  EXPECT_EQ(left.stages(), 3u);
  EXPECT_DOUBLE_EQ(*left.seconds(5), 5 + 20 + 10);
}

TEST(TimeLeft, TakesGettingStartedForNoPace) {
  TimeLeft left;
  left.begin("collecting", 100, "bytes", 0);
  left.advance(10, 20);  // nothing for a long time, then ten a second
  left.advance(10, 21);
  EXPECT_DOUBLE_EQ(*left.seconds(21), 8);
}

TEST(TimeLeft, WithoutAPlanSpeaksOfTheStageAlone) {
  TimeLeft left;
  left.begin("comparing", 10, "documents", 0);
  left.advance(5, 10);
  EXPECT_EQ(left.stage(), 0u);
  EXPECT_DOUBLE_EQ(*left.seconds(10), 10);
}

TEST(TimeLeft, NeverPassesTheEndOfAStageWhoseTotalWasTooSmall) {
  TimeLeft left;
  left.begin("reading", 10, "bytes", 0);
  left.advance(30, 10);
  EXPECT_DOUBLE_EQ(*left.seconds(10), 0);
}

}  // namespace
}  // namespace neardup::cli
