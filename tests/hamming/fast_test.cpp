// Every member of the fast family finds what comparing everything finds, each match once.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "hamming/fast.h"
#include "hamming/fast_support.h"
#include "neardup/error.h"
#include "support/warnings.h"

namespace neardup::hamming {
namespace {

using testing::SizeIs;

std::unique_ptr<HammingIndex> make(const Codes& codes, std::uint64_t memory, FastTables tables = FastTables::by_memory,
                                   unsigned threads = 1) {
  HammingOptions options;
  options.memory_bytes = memory;
  Context context{.threads = threads};
  return make_fast({codes, options, context}, tables);
}

Hits found(const HammingIndex& index, const Codes& queries, unsigned distance, MatchKind matches, unsigned threads = 1,
           SearchStats* stats = nullptr) {
  Collect sink;
  Context context{.threads = threads};
  const SearchStats got = index.search({queries, {}}, {.distance = distance, .matches = matches}, sink, context);
  if (stats != nullptr) *stats = got;
  EXPECT_EQ(got.queries, queries.size());
  return sink.sorted();
}

struct Member {
  std::string name;
  FastTables tables;
};
const std::vector<Member> kMembers = {
    {"Lists", FastTables::lists}, {"TwoLines", FastTables::two_lines}, {"EightLines", FastTables::eight_lines}};

class EveryMember : public testing::TestWithParam<std::tuple<Member, Shape>> {};

TEST_P(EveryMember, FindsWhatComparingEverythingFinds) {
  const auto& [member, shape] = GetParam();
  const Codes codes = shape.make(20'000, 11);
  const Codes queries = queries_for(codes, 300, 12);
  const auto index = make(codes, 0, member.tables);
  ASSERT_TRUE(index->exact_up_to(64));
  EXPECT_EQ(index->size(), codes.size());
  for (const unsigned distance : {0u, 1u, 2u, 3u, 4u}) {
    for (const MatchKind matches : {MatchKind::all, MatchKind::first}) {
      const Hits expected = naive_search(codes, queries, distance, matches);
      ASSERT_EQ(found(*index, queries, distance, matches), expected) << distance;
      ASSERT_EQ(found(*index, queries, distance, matches, 2), expected) << distance;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Fast, EveryMember, testing::Combine(testing::ValuesIn(kMembers), testing::ValuesIn(shapes())),
                         [](const auto& test) { return std::get<0>(test.param).name + std::get<1>(test.param).name; });

TEST(Fast, ComparesEverythingBeyondThreeBitsAndSaysSo) {
  const Codes codes = clustered_codes(5000, 1), queries = queries_for(codes, 40, 2);
  const auto index = make(codes, 0);
  for (const unsigned distance : {4u, 8u, 64u}) {
    SearchStats stats;
    ASSERT_EQ(found(*index, queries, distance, MatchKind::all, 1, &stats),
              naive_search(codes, queries, distance, MatchKind::all));
    EXPECT_FALSE(stats.fallback.empty());
  }
  SearchStats stats;
  found(*index, queries, 3, MatchKind::all, 1, &stats);
  EXPECT_TRUE(stats.fallback.empty());
}

TEST(Fast, WorksWithHardlyAnyFingerprints) {
  for (const std::size_t n : {0, 1, 2, 100}) {
    const Codes codes = clustered_codes(n, 3), queries = queries_for(codes, 50, 4);
    const auto index = make(codes, 0);
    for (const unsigned distance : {0u, 3u, 8u, 64u}) {
      for (const MatchKind matches : {MatchKind::all, MatchKind::first}) {
        ASSERT_EQ(found(*index, queries, distance, matches), naive_search(codes, queries, distance, matches));
      }
    }
    ASSERT_TRUE(found(*index, {}, 3, MatchKind::all).empty());
  }
}

TEST(Fast, FindsItselfAmongItself) {
  const Codes codes = clustered_codes(6000, 5);
  const auto index = make(codes, 0);
  EXPECT_EQ(found(*index, codes, 3, MatchKind::all), naive_search(codes, codes, 3, MatchKind::all));
}

TEST(Fast, AnswersOneQueryLikeMany) {
  const Codes codes = clustered_codes(6000, 6), queries = queries_for(codes, 100, 7);
  const auto index = make(codes, 0);
  for (const std::uint64_t query : queries) {
    ASSERT_EQ(found(*index, {query}, 3, MatchKind::all), naive_search(codes, {query}, 3, MatchKind::all));
  }
}

TEST(Fast, RefusesADistanceBeyondTheWidth) {
  const auto index = make(uniform_codes(5000, 8), 0);
  EXPECT_THROW(found(*index, {1}, 65, MatchKind::all), Error);
}

TEST(Fast, NamesTheLeastMemoryThatWorks) {
  const Codes codes = uniform_codes(100'000, 9);
  try {
    make(codes, 1'000'000);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::limit);
    const std::string message = error.what();
    const std::uint64_t least = std::stoull(message.substr(message.find_first_of("0123456789")));
    EXPECT_LE(make(codes, least)->memory_bytes(), least);
    EXPECT_THROW(make(codes, least - 1), Error);
  }
}

TEST(Fast, TakesTheTablesThatTheMemoryAllows) {
  const Codes codes = uniform_codes(300'000, 14);
  const auto tables = [&](double bytes_each) {
    const auto memory = static_cast<std::uint64_t>(bytes_each * static_cast<double>(codes.size()));
    const auto index = make(codes, memory);
    EXPECT_LE(index->memory_bytes(), memory);
    return index->describe();
  };
  EXPECT_THAT(make(codes, 0)->describe(), testing::HasSubstr("6 tables of lists"));
  EXPECT_THAT(tables(140), testing::HasSubstr("8 tables of"));
  EXPECT_THAT(tables(60), testing::HasSubstr("6 tables of lists"));
  EXPECT_THAT(tables(38), testing::HasSubstr("2 tables of"));
}

TEST(Fast, ReordersBitsThatHardlyVary) {
  const Codes codes = masked_codes(200'000, 10, 0xFFFFFFFF);
  const auto index = make(codes, 0);
  EXPECT_NE(index->describe().find("another order"), std::string::npos) << index->describe();
  SearchStats stats;
  const Codes queries(codes.begin(), codes.begin() + 50);
  ASSERT_EQ(found(*index, queries, 3, MatchKind::all, 1, &stats), naive_search(codes, queries, 3, MatchKind::all));
  EXPECT_LT(stats.compared / stats.queries, codes.size() / 20);  // instead of three times all of them
}

// Codes that nothing spreads: most of them lie around one centre.
Codes crowded_codes() {
  base::Random random(15);
  Codes codes = uniform_codes(40'000, 16);
  for (std::size_t i = 0; i < 30'000; ++i) codes[i] = flipped(0, 5, random);
  for (std::size_t i = codes.size(); i > 1; --i) std::swap(codes[i - 1], codes[random.below(i)]);
  return codes;
}

TEST(Fast, FindsEverythingInLongLists) {
  const Codes codes = crowded_codes(), queries = queries_for(codes, 200, 17);
  const auto index = make(codes, 0, FastTables::lists);
  for (const unsigned distance : {0u, 2u, 3u, 4u}) {
    for (const MatchKind matches : {MatchKind::all, MatchKind::first}) {
      ASSERT_EQ(found(*index, queries, distance, matches), naive_search(codes, queries, distance, matches)) << distance;
    }
  }
}

TEST(Fast, LooksAtLittleOfLongListsForTheLowestRow) {
  const Codes codes = crowded_codes(), queries(2000, 0);  // the centre has matches all over the crowd
  const auto index = make(codes, 0, FastTables::lists);
  SearchStats all, first;
  found(*index, Codes(1, 0), 3, MatchKind::all, 1, &all);
  found(*index, queries, 3, MatchKind::first, 1, &first);
  EXPECT_LT(first.compared / first.queries, all.compared / 5);
}

TEST(Fast, WarnsWhenFingerprintsCrowdInFewPlaces) {
  base::Random random(11);
  Codes codes = uniform_codes(20'000, 12);
  for (std::size_t i = 0; i < 10'000; ++i) codes[i] = flipped(0, 6, random);
  const auto index = make(codes, 0);
  EXPECT_NE(index->describe().find("crowd"), std::string::npos) << index->describe();
  neardup::test::Warnings warnings;
  Context context{.observer = &warnings, .threads = 1};
  Collect sink;
  const Codes query = {1};
  index->search({query, {}}, {.matches = MatchKind::all}, sink, context);
  EXPECT_THAT(warnings.messages, SizeIs(1));
  index->search({query, {}}, {.matches = MatchKind::first}, sink, context);
  EXPECT_THAT(warnings.messages, SizeIs(1));
}

TEST(Fast, StopsWhenTheSinkHasEnough) {
  class One final : public PairSink {
   public:
    bool accept(std::span<const Pair>) override { return false; }
  };
  const Codes codes = clustered_codes(20'000, 13);
  const auto index = make(codes, 0);
  One sink;
  Context context{.threads = 1};
  EXPECT_LE(index->search({codes, {}}, {}, sink, context).matches, 5000u);
}

}  // namespace
}  // namespace neardup::hamming
