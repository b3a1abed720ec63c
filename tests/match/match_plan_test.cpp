#include "match/match_plan.h"

#include "base/memory_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "support/scratch.h"

namespace neardup::test {
namespace {

using matching::MatchPlan;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

// So many rows, none of which is ever read.
class Rows final : public io::FingerprintSource {
 public:
  Rows(std::string name, std::uint64_t rows) : FingerprintSource(std::move(name)), rows_(rows) {}
  [[nodiscard]] const std::optional<io::FingerprintMaking>& making() const override { return making_; }
  [[nodiscard]] FingerprintOrder order() const override { return {}; }
  [[nodiscard]] bool has_volatility() const override { return true; }
  [[nodiscard]] std::uint64_t rows() const override { return rows_; }
  [[nodiscard]] std::uint64_t missing() const override { return 0; }
  [[nodiscard]] std::unique_ptr<io::FingerprintReader> read(std::uint64_t) const override { return nullptr; }

 private:
  std::uint64_t rows_;
  std::optional<io::FingerprintMaking> making_;
};

constexpr std::uint64_t kMiB = 1u << 20, kMillion = 1'000'000;

MatchOptions by(const std::string& method) { return {.index = {.kind = method}}; }

MatchPlan plan(std::uint64_t base, std::uint64_t queries, const std::string& method, std::uint64_t memory) {
  const Rows base_rows("base", base), query_rows("queries", queries);
  return matching::plan_match({.base = base_rows, .queries = query_rows}, by(method),
                              {.memory_bytes = static_cast<std::size_t>(memory)});
}

// The least memory that the error of a plan names, in MiB.
std::uint64_t least_for(std::uint64_t base, std::uint64_t queries, const std::string& method) {
  const std::string error = error_of(ErrorCode::limit, [&] { (void)plan(base, queries, method, 1); });
  const std::size_t at = error.rfind(' ') + 1;
  EXPECT_EQ(error.back(), 'M') << error;
  return std::stoul(error.substr(at));
}

const char* const kMethods[] = {"scan", "fast", "block-tables", "compressed-tables", "volatile-bits", "hybrid"};

TEST(MatchPlan, IndexesTheWholeBaseWhenItFits) {
  for (const char* method : kMethods) {
    const MatchPlan made = plan(kMillion, kMillion, method, 1024 * kMiB);
    EXPECT_EQ(made.indexed, MatchPlan::Indexed::base) << method;
    EXPECT_EQ(made.part_rows, kMillion) << method;
    EXPECT_GE(made.index_bytes, matching::need_of(by(method)).bytes(kMillion)) << method;
  }
}

TEST(MatchPlan, IndexesTheQueriesOfAnExactMethodWhenTheBaseDoesNotFit) {
  const MatchPlan made = plan(1000 * kMillion, kMillion, "fast", 256 * kMiB);
  EXPECT_EQ(made.indexed, MatchPlan::Indexed::queries);
  EXPECT_EQ(made.part_rows, kMillion);
}

TEST(MatchPlan, IndexesPartsOfTheQueriesWhenTheyDoNotFitEither) {
  const MatchPlan made = plan(1000 * kMillion, 100 * kMillion, "fast", 256 * kMiB);
  EXPECT_EQ(made.indexed, MatchPlan::Indexed::queries);
  EXPECT_LT(made.part_rows, 100 * kMillion);
  EXPECT_GT(made.part_rows, kMillion);
}

TEST(MatchPlan, IndexesPartsOfTheBaseWhereEachQueryNeedsItsOwnLook) {
  const MatchPlan made = plan(1000 * kMillion, 10, "volatile-bits", 256 * kMiB);
  EXPECT_EQ(made.indexed, MatchPlan::Indexed::base);
  EXPECT_LT(made.part_rows, 1000 * kMillion);
}

TEST(MatchPlan, StaysWithinTheMemory) {
  for (const char* method : kMethods) {
    for (const std::uint64_t rows : {std::uint64_t{0}, std::uint64_t{1}, 50 * kMillion, 4000 * kMillion}) {
      for (const std::uint64_t memory : {128 * kMiB, 300 * kMiB, 4096 * kMiB}) {
        const MatchPlan made = plan(rows, kMillion, method, memory);
        const std::uint64_t chunks = made.chunk_rows * 2 * sizeof(std::uint64_t);
        EXPECT_LE(made.part_rows * made.row_bytes + made.index_bytes + chunks + base::plan_memory(memory).pairs, memory)
            << method << " " << rows << " " << memory;
        EXPECT_GE(made.index_bytes, matching::need_of(by(method)).bytes(made.part_rows));
      }
    }
  }
}

TEST(MatchPlan, NamesTheLeastMemoryThatSuffices) {
  for (const char* method : kMethods) {
    const std::uint64_t least = least_for(1000 * kMillion, 1000 * kMillion, method);
    EXPECT_NO_THROW((void)plan(1000 * kMillion, 1000 * kMillion, method, least * kMiB)) << method;
    EXPECT_EQ(option_of([&] { (void)plan(1000 * kMillion, 1000 * kMillion, method, (least - 1) * kMiB); }), "memory")
        << method;
  }
}

TEST(MatchPlan, TakesFilesWithoutRows) {
  for (const char* method : kMethods) {
    EXPECT_EQ(plan(0, 0, method, 64 * kMiB).part_rows, 0u) << method;
    EXPECT_EQ(plan(0, kMillion, method, 64 * kMiB).part_rows, 0u) << method;
  }
}

TEST(MatchPlan, WithSmallerPartsTurnsToTheQueriesFirst) {
  const Rows base("base", kMillion), queries("queries", 1000);
  const Error problem(ErrorCode::limit, "the index is too large");
  const MatchPlan whole = plan(kMillion, 1000, "fast", 1024 * kMiB);
  const MatchPlan smaller = matching::smaller(whole, {.base = base, .queries = queries}, by("fast"), problem);
  EXPECT_EQ(smaller.indexed, MatchPlan::Indexed::queries);
  EXPECT_EQ(smaller.part_rows, 1000u);
  EXPECT_EQ(smaller.index_bytes, whole.index_bytes + (kMillion - 1000) * whole.row_bytes);
}

TEST(MatchPlan, WithSmallerPartsHalvesThemUntilItGivesUp) {
  const Rows base("base", 1000 * kMillion), queries("queries", kMillion);
  const Error problem(ErrorCode::limit, "the index is too large");
  MatchPlan made = plan(1000 * kMillion, kMillion, "volatile-bits", 256 * kMiB);
  std::string error;
  for (int halvings = 0; error.empty(); ++halvings) {
    ASSERT_LT(halvings, 40);
    try {
      const MatchPlan smaller =
          matching::smaller(made, {.base = base, .queries = queries}, by("volatile-bits"), problem);
      ASSERT_EQ(smaller.part_rows, made.part_rows / 2);
      ASSERT_GT(smaller.index_bytes, made.index_bytes) << "what rows no longer take is the index's";
      made = smaller;
    } catch (const Error& refused) {
      EXPECT_EQ(refused.code(), ErrorCode::limit);
      error = refused.what();
    }
  }
  EXPECT_THAT(error, HasSubstr("the index is too large"));
}

TEST(MatchPlan, IsDescribedInASentence) {
  const Rows base("b.fps", 100), queries("q.fps", 10);
  const matching::MatchSides sides{.base = base, .queries = queries};
  EXPECT_THAT(matching::describe({.indexed = MatchPlan::Indexed::base, .part_rows = 100, .chunk_rows = 7}, sides),
              AllOf(HasSubstr("one index of b.fps"), HasSubstr("q.fps passes by in chunks of 7"),
                    Not(HasSubstr("once for each"))));
  EXPECT_THAT(
      matching::describe({.indexed = MatchPlan::Indexed::queries, .part_rows = 4, .chunk_rows = 7}, sides),
      AllOf(HasSubstr("3 indexes of parts of q.fps"), HasSubstr("b.fps passes by"), HasSubstr("once for each index")));
}

TEST(MatchPlan, OfAMethodThatDoesNotExistNamesThoseThatDo) {
  EXPECT_THAT(error_of(ErrorCode::usage, [] { (void)plan(1, 1, "slow", kMiB); }),
              AllOf(HasSubstr("slow"), HasSubstr("block-tables")));
}

}  // namespace
}  // namespace neardup::test
