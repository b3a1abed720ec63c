#include "search/part_plan.h"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "base/random.h"

namespace neardup::test {
namespace {

using namespace search;

const Verifier kVerifier(Definition{.threshold = {4, 5}});

std::vector<SizedSets> single_sets(std::uint64_t seed, std::size_t count) {
  base::Random random(seed);
  std::vector<SizedSets> sets;
  for (std::size_t i = 0; i < count; ++i) {
    const auto size = static_cast<std::uint32_t>(1 + random.below(1 + random.below(2000)));
    sets.push_back({.size = size, .sets = 1, .tokens = random.below(size + 1)});
  }
  std::ranges::sort(sets, {}, &SizedSets::size);
  return sets;
}

TEST(PartPlan, BringsEveryTwoSetsThatCanMatchTogetherOnce) {
  const std::vector<SizedSets> sets = single_sets(1, 700);
  for (const std::uint64_t memory : {1u << 14, 1u << 17, 1u << 20, 1u << 30}) {
    PartCutter cutter(memory);
    std::vector<std::size_t> part_of;
    for (const SizedSets& set : sets) part_of.push_back(cutter.add(set));
    const auto& parts = cutter.parts();
    EXPECT_EQ(std::accumulate(parts.begin(), parts.end(), std::uint64_t{0},
                              [](std::uint64_t sum, const SetPart& part) { return sum + part.sets; }),
              sets.size());
    std::set<std::pair<std::size_t, std::size_t>> met;  // the later part first
    for (const PartMeeting& meeting : plan_meetings(parts, kVerifier, memory)) {
      EXPECT_TRUE(!meeting.with_itself || met.emplace(meeting.part, meeting.part).second);
      for (std::size_t other = meeting.first; other < meeting.last; ++other)
        EXPECT_TRUE(met.emplace(meeting.part, other).second) << "twice";
    }
    for (std::size_t large = 0; large < sets.size(); ++large) {
      for (std::size_t small = 0; small <= large; ++small) {
        ASSERT_TRUE(!kVerifier.sizes_can_match(sets[small].size, sets[large].size) ||
                    met.contains({part_of[large], part_of[small]}))
            << sets[small].size << ' ' << sets[large].size;
      }
    }
  }
}

TEST(PartPlan, KeepsMeetingsWithinTheirMemoryWhereSetsAllowIt) {
  const std::vector<SizedSets> sets = single_sets(2, 2000);
  constexpr std::uint64_t kMemory = 1u << 20;
  PartCutter cutter(kMemory);
  for (const SizedSets& set : sets) cutter.add(set);
  std::uint64_t loaded = 0;
  const auto meetings = plan_meetings(cutter.parts(), kVerifier, kMemory);
  for (const PartMeeting& meeting : meetings) {
    std::uint64_t bytes = cutter.parts()[meeting.part].bytes;
    loaded += cutter.parts()[meeting.part].sets;
    for (std::size_t other = meeting.first; other < meeting.last; ++other) {
      bytes += cutter.parts()[other].bytes;
      loaded += cutter.parts()[other].sets;
    }
    EXPECT_LE(bytes, kMemory);
  }
  EXPECT_EQ(loaded_sets(cutter.parts(), meetings), loaded);
}

TEST(PartPlan, FindsTheLeastMemoryThatBoundsTheWork) {
  const auto loads = [](std::span<const SizedSets> sets, std::uint64_t memory) {
    PartCutter cutter(memory);
    for (const SizedSets& group : sets) {
      for (std::uint64_t i = 0; i < group.sets; ++i)
        cutter.add({.size = group.size, .sets = 1, .tokens = group.tokens / group.sets});
    }
    return loaded_sets(cutter.parts(), plan_meetings(cutter.parts(), kVerifier, memory));
  };
  // Sets of one size meet all others.
  const std::vector<SizedSets> equal{{.size = 100, .sets = 400'000, .tokens = 40'000'000}};
  const std::uint64_t least = least_meeting_bytes(equal, kVerifier);
  EXPECT_EQ(least % (1u << 20), 0u);
  EXPECT_LE(loads(equal, least), kMostLoads * 400'000 * 11 / 10);
  EXPECT_GT(loads(equal, least / 2), kMostLoads * 400'000);
  EXPECT_EQ(least_meeting_bytes({}, kVerifier), 1u << 20);
  const std::vector<SizedSets> few{{.size = 100, .sets = 10, .tokens = 1000}};
  EXPECT_EQ(least_meeting_bytes(few, kVerifier), 1u << 20);
  const std::vector<SizedSets> huge{{.size = 1u << 31, .sets = 1, .tokens = 1u << 31}};
  EXPECT_EQ(least_meeting_bytes(huge, kVerifier), 1u << 20) << "a set is not cut";
}

}  // namespace
}  // namespace neardup::test
