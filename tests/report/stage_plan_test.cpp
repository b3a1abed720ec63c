#include "report/stage_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/scratch.h"

namespace neardup::test {
namespace {

using report::PlanRequest;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

const Definition kSets{.measure = Measure::jaccard, .threshold = {4, 5}};
const Definition kEdit{.measure = Measure::edit, .threshold = {2, 1}};
const Definition kHamming{.measure = Measure::hamming, .threshold = {3, 1}};

const Collection& texts() {
  static const Collection collection = Collection::from_texts({std::string(1000, 'x'), "more"});
  return collection;
}

std::vector<PlannedStage> planned(const PlanRequest& request, Context context = {.threads = 2}) {
  std::vector<PlannedStage> stages = report::plan_stages(request, context);
  for (const PlannedStage& stage : stages) EXPECT_GT(stage.work, 0) << stage.name;
  return stages;
}

std::vector<std::string> names(const PlanRequest& request) {
  std::vector<std::string> names;
  for (const PlannedStage& stage : planned(request)) names.emplace_back(stage.name);
  return names;
}

double work_of(std::string_view name, const std::vector<PlannedStage>& stages) {
  double work = 0;
  for (const PlannedStage& stage : stages) work += stage.name == name ? stage.work : 0;
  return work;
}

TEST(StagePlan, OfAnExactSearchNamesItsStages) {
  EXPECT_THAT(names({.collection = texts(), .against = nullptr, .definition = kSets, .last = "writing"}),
              ElementsAre("reading", "collecting", "ordering", "comparing", "looking up names", "writing"));
  EXPECT_THAT(names({.collection = texts(), .against = nullptr, .definition = kEdit}),
              ElementsAre("reading", "collecting", "comparing", "looking up names"));
  EXPECT_THAT(names({.collection = texts(), .against = nullptr, .definition = kHamming}),
              ElementsAre("reading", "comparing", "looking up names"));
}

TEST(StagePlan, OfASearchBySketchesNamesItsStages) {
  EXPECT_THAT(names({.collection = texts(), .against = nullptr, .definition = kSets, .is_exact = false}),
              ElementsAre("reading", "grouping", "collecting", "comparing", "looking up names"));
  EXPECT_THAT(
      names(
          {.collection = texts(), .against = nullptr, .definition = kSets, .is_exact = false, .measures_recall = true}),
      ElementsAre("reading", "grouping", "collecting and measuring recall", "comparing", "looking up names"));
}

TEST(StagePlan, LeavesOutWhatIsNotDone) {
  EXPECT_THAT(names({.collection = texts(), .against = nullptr, .definition = kSets, .reads = false, .names = false}),
              ElementsAre("collecting", "ordering", "comparing"));
  EXPECT_THAT(
      names({.collection = texts(), .against = nullptr, .definition = kSets, .searches = false, .names = false}),
      ElementsAre("reading"));
  EXPECT_THAT(names({.collection = texts(),
                     .against = nullptr,
                     .definition = kSets,
                     .reads = false,
                     .searches = false,
                     .names = false}),
              IsEmpty());
}

TEST(StagePlan, EndsWithWhatIsAskedForLast) {
  EXPECT_EQ(
      names({.collection = texts(), .against = nullptr, .definition = kSets, .last = "looking up examples"}).back(),
      "looking up examples");
}

TEST(StagePlan, CountsFeaturesOfBothSidesFirst) {
  const Collection other = Collection::from_texts({"other"});
  EXPECT_THAT(
      names({.collection = texts(), .against = nullptr, .definition = kHamming, .counts = true, .names = false}),
      ElementsAre("counting features", "reading", "comparing"));
  EXPECT_THAT(
      names({.collection = texts(), .against = &other, .definition = kHamming, .counts = true, .names = false}),
      ElementsAre("counting features", "counting features", "reading", "reading", "comparing", "reading", "comparing"));
}

TEST(StagePlan, MatchesTheOtherCollectionBeforeItsOwnSearch) {
  const Collection other = Collection::from_texts({"other"});
  EXPECT_THAT(names({.collection = texts(), .against = &other, .definition = kSets, .names = false}),
              ElementsAre("reading", "reading", "collecting", "collecting", "ordering", "comparing", "reading",
                          "collecting", "ordering", "comparing"));
  EXPECT_THAT(names({.collection = texts(),
                     .against = &other,
                     .definition = kSets,
                     .is_exact = false,
                     .measures_recall = true,
                     .names = false}),
              ElementsAre("reading", "grouping", "collecting and measuring recall", "comparing", "reading", "reading",
                          "grouping", "collecting", "comparing"));
}

TEST(StagePlan, GivesMoreWorkToLargerCollections) {
  const Collection larger = Collection::from_texts({std::string(100000, 'x')});
  const auto small = planned({.collection = texts(), .against = nullptr, .definition = kSets});
  const auto large = planned({.collection = larger, .against = nullptr, .definition = kSets});
  for (const char* stage : {"reading", "collecting", "comparing"}) {
    EXPECT_GT(work_of(stage, large), 50 * work_of(stage, small)) << stage;
  }
}

TEST(StagePlan, ExpectsMoreOfComparingManyDocuments) {
  const auto unknown = planned({.collection = texts(), .against = nullptr, .definition = kSets});
  const auto many = planned({.collection = texts(), .against = nullptr, .definition = kSets, .documents = 1000});
  EXPECT_GT(work_of("comparing", many), work_of("comparing", unknown));
  EXPECT_EQ(work_of("reading", many), work_of("reading", unknown));
}

TEST(StagePlan, SharesReadingAmongThreadsButNotPacking) {
  const PlanRequest plain{.collection = texts(), .against = nullptr, .definition = kSets, .last = "writing"};
  PlanRequest packed = plain;
  packed.codec = "xz";
  EXPECT_EQ(work_of("reading", planned(plain, {.threads = 1})), 4 * work_of("reading", planned(plain, {.threads = 4})));
  EXPECT_GT(work_of("writing", planned(packed, {.threads = 4})),
            100 * work_of("writing", planned(plain, {.threads = 4})));
}

TEST(StagePlan, OfACollectionOfUnknownSizeIsEmpty) {
  const Collection nothing = Collection::from_texts({});
  EXPECT_THAT(names({.collection = nothing, .against = nullptr, .definition = kSets, .last = "writing"}), IsEmpty());
}

TEST(StagePlan, IsToldToTheObserverIfThereIsOne) {
  class Listener final : public Observer {
   public:
    void plan(std::span<const PlannedStage> stages) override { count += stages.size(); }
    void stage(std::string_view, std::uint64_t, std::string_view) override {}
    void advance(std::uint64_t) override {}
    void warning(std::string_view) override {}
    std::size_t count = 0;
  };
  const PlanRequest request{.collection = texts(), .against = nullptr, .definition = kSets};
  Listener listener;
  report::announce_stages(request, {.observer = &listener});
  EXPECT_EQ(listener.count, 5u);
  EXPECT_NO_THROW(report::announce_stages(request, {}));
}

}  // namespace
}  // namespace neardup::test
