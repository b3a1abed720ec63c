// The two probabilistic kinds on documents whose bits are as firm as they say.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "hamming/documents.h"
#include "hamming/kinds.h"
#include "hamming/searches.h"
#include "neardup/error.h"
#include "support/warnings.h"

namespace neardup::hamming {
namespace {

using namespace test;
using neardup::test::Warnings;

struct Kind {
  std::string name, layout;
  std::unique_ptr<HammingIndex> (*make)(const Build&);
  unsigned header_bits;
};
void PrintTo(const Kind& kind, std::ostream* out) { *out << kind.name << " " << kind.header_bits; }

std::unique_ptr<HammingIndex> build(const Kind& kind, const std::vector<std::uint64_t>& rows, unsigned threads = 1,
                                    std::uint64_t memory_bytes = 0) {
  const HammingOptions options{.kind = kind.name, .memory_bytes = memory_bytes, .header_bits = kind.header_bits};
  Context context{.threads = threads};
  return kind.make({rows, options, context});
}

Searched find(const HammingIndex& index, const Simhashes& queries, const SearchOptions& options, unsigned threads = 1,
              Warnings* warnings = nullptr) {
  CollectPairs sink;
  Context context{.observer = warnings, .threads = threads};
  SearchStats stats = index.search({queries.bits, queries.volatility}, options, sink, context);
  return {in_order(std::move(sink.pairs)), std::move(stats)};
}

bool contains_once(const std::vector<Pair>& all, const std::vector<Pair>& some) {
  std::set<std::pair<DocId, DocId>> known, seen;
  for (const Pair& pair : all) known.emplace(pair.left, pair.right);
  for (const Pair& pair : some) {
    if (!known.contains({pair.left, pair.right}) || !seen.emplace(pair.left, pair.right).second) return false;
  }
  return true;
}

std::size_t queries_of(const std::vector<Pair>& pairs) {
  std::set<DocId> queries;
  for (const Pair& pair : pairs) queries.insert(pair.left);
  return queries.size();
}

class EveryProbabilisticKind : public testing::TestWithParam<Kind> {};

// Enough rows for lines to be chosen where no header bits are asked for.
constexpr std::size_t kMany = 270000;

const Documents& documents() {
  static const Documents all = make_documents(5, 3000, kMany);
  return all;
}
const std::vector<Pair>& true_pairs() {
  static const std::vector<Pair> pairs = [] {
    const HammingOptions options;
    Context context;
    return find(*make_scan({documents().rows.bits, options, context}), documents().queries, {}).pairs;
  }();
  return pairs;
}

TEST_P(EveryProbabilisticKind, ReachesItsTargetWithTrueMatchesOnly) {
  const auto index = build(GetParam(), documents().rows.bits);
  EXPECT_NE(index->describe().find(GetParam().layout), std::string::npos) << index->describe();
  for (const double target : {0.8, 0.95, 0.99}) {
    const Searched found = find(*index, documents().queries, {.target_recall = target});
    EXPECT_TRUE(contains_once(true_pairs(), found.pairs));
    EXPECT_GE(static_cast<double>(found.pairs.size()), target * static_cast<double>(true_pairs().size())) << target;
    EXPECT_EQ(found.stats.matches, found.pairs.size());
    EXPECT_EQ(found.stats.queries, documents().queries.bits.size());
    EXPECT_TRUE(found.stats.fallback.empty());
  }
}

TEST_P(EveryProbabilisticKind, LooksFurtherForMore) {
  const auto index = build(GetParam(), documents().rows.bits);
  const Searched few = find(*index, documents().queries, {.target_recall = 0.7});
  const Searched most = find(*index, documents().queries, {.target_recall = 0.98});
  EXPECT_LT(few.stats.probes, most.stats.probes);
  EXPECT_LT(few.stats.largest_probe_count, most.stats.largest_probe_count);
  EXPECT_GT(few.stats.probes, 0u);
}

TEST_P(EveryProbabilisticKind, FirstIsOneOfAllForMostQueriesThatHaveAny) {
  const auto index = build(GetParam(), documents().rows.bits);
  const Searched found = find(*index, documents().queries, {.matches = MatchKind::first});
  EXPECT_TRUE(contains_once(true_pairs(), found.pairs));
  EXPECT_EQ(queries_of(found.pairs), found.pairs.size());
  EXPECT_GE(static_cast<double>(found.pairs.size()), 0.95 * static_cast<double>(queries_of(true_pairs())));
}

TEST_P(EveryProbabilisticKind, GivesTheSameAnswerOnOneThreadAndOnTwo) {
  const auto one = build(GetParam(), documents().rows.bits), two = build(GetParam(), documents().rows.bits, 2);
  for (const MatchKind matches : {MatchKind::all, MatchKind::first}) {
    const Searched alone = find(*one, documents().queries, {.matches = matches});
    const Searched together = find(*two, documents().queries, {.matches = matches}, 2);
    EXPECT_EQ(alone.pairs, together.pairs);
    EXPECT_EQ(alone.stats.probes, together.stats.probes);
  }
}

TEST_P(EveryProbabilisticKind, ServesOtherDistancesAndProjections) {
  const Documents other = make_documents(6, 800, 2000, Projection::gaussian);
  const auto index = build(GetParam(), other.rows.bits);
  for (const unsigned distance : {0u, 1u, 2u, 5u}) {
    const SearchOptions options{.distance = distance, .target_recall = 0.9};
    const std::vector<Pair> expected = naive_search(other.rows.bits, other.queries.bits, options);
    const Searched found = find(*index, other.queries, options);
    EXPECT_TRUE(contains_once(expected, found.pairs));
    EXPECT_GE(static_cast<double>(found.pairs.size()), 0.9 * static_cast<double>(expected.size())) << distance;
    if (index->exact_up_to(distance)) {
      EXPECT_EQ(found.pairs, expected);
    }
  }
}

TEST_P(EveryProbabilisticKind, FindsEqualFingerprintsWithAllTheirRows) {
  const std::vector<std::uint64_t> rows{7, 9, 7, ~std::uint64_t{0}, 7};
  Simhashes queries{{7, ~std::uint64_t{0}, 1u << 20}, std::vector<Volatility>(3)};
  const auto index = build(GetParam(), rows);
  EXPECT_EQ(index->size(), 5u);
  const std::vector<Pair> expected{{0, 0, 0}, {0, 2, 0}, {0, 4, 0}, {1, 3, 0}};
  EXPECT_EQ(find(*index, queries, {.distance = 0}).pairs, expected);
  const std::vector<Pair> first{{0, 0, 0}, {1, 3, 0}};
  EXPECT_EQ(find(*index, queries, {.distance = 0, .matches = MatchKind::first}).pairs, first);
}

TEST_P(EveryProbabilisticKind, HasNoRowsOrOneOrAllEqual) {
  Simhashes queries{{5, 6}, std::vector<Volatility>(2)};
  EXPECT_TRUE(find(*build(GetParam(), {}), queries, {}).pairs.empty());
  EXPECT_EQ(find(*build(GetParam(), {5}), queries, {.distance = 0}).pairs, (std::vector<Pair>{{0, 0, 0}}));
  const auto equal = build(GetParam(), std::vector<std::uint64_t>(100000, 5));
  EXPECT_EQ(find(*equal, queries, {.distance = 1}).pairs.size(), 100000u);
  EXPECT_EQ(find(*equal, queries, {.distance = 1, .matches = MatchKind::first}).pairs, (std::vector<Pair>{{0, 0, 0}}));
  EXPECT_TRUE(find(*equal, {}, {}).pairs.empty());
}

TEST_P(EveryProbabilisticKind, LooksGenerouslyAndSaysSoWhenThereIsNothingToLearnFrom) {
  DocumentMaker maker(8);
  Simhashes rows, queries;
  const std::vector<Feature> original = maker.fresh();
  maker.append(original, rows);
  std::vector<Feature> other = original;
  other.resize(other.size() - 2);
  maker.append(other, queries);
  Warnings warnings;
  const Searched found = find(*build(GetParam(), rows.bits), queries, {.distance = 8}, 1, &warnings);
  EXPECT_EQ(found.pairs.size(), 1u);
  ASSERT_EQ(warnings.messages.size(), 1u);
  EXPECT_NE(warnings.messages[0].find("too few"), std::string::npos);
}

TEST_P(EveryProbabilisticKind, BoundsWhatItComparesWhereAllFingerprintsCrowd) {
  // A million codes with the same halves' headers, and a query for each of a few.
  std::vector<std::uint64_t> rows;
  base::Random random(9);
  for (int i = 0; i < 300000; ++i) rows.push_back(random.next() & 0x0000003F0000003F);
  for (int i = 0; i < 300000; ++i) rows.push_back(random.next() & 0x000000000003FFFF);
  Simhashes queries;
  for (int i = 0; i < 50; ++i) queries.bits.push_back(rows[random.below(rows.size())]);
  queries.volatility.resize(queries.bits.size());
  Warnings warnings;
  const Searched found = find(*build(GetParam(), rows), queries, {.matches = MatchKind::first}, 1, &warnings);
  EXPECT_LT(found.stats.compared, queries.bits.size() * 30 * 70000);
  EXPECT_TRUE(contains_once(naive_search(rows, queries.bits, {}), found.pairs));
}

TEST_P(EveryProbabilisticKind, NeedsToKnowHowFirmBitsAre) {
  const auto index = build(GetParam(), {1, 2, 3});
  try {
    find(*index, {.bits = {1}, .volatility = {}}, {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    EXPECT_EQ(error.option(), "volatility");
  }
}

TEST_P(EveryProbabilisticKind, RefusesWhatMakesNoSense) {
  const auto index = build(GetParam(), {1, 2, 3});
  const Simhashes queries{{1}, std::vector<Volatility>(1)};
  EXPECT_THROW(find(*index, queries, {.distance = 65}), Error);
  EXPECT_THROW(find(*index, queries, {.target_recall = 0}), Error);
  EXPECT_THROW(find(*index, queries, {.target_recall = 1.01}), Error);
  EXPECT_THROW(build(GetParam(), documents().rows.bits, 1, 1000), Error);
}

TEST_P(EveryProbabilisticKind, StopsWhenTheSinkHasEnough) {
  struct Enough final : PairSink {
    bool accept(std::span<const Pair>) override {
      ++calls;
      return false;
    }
    std::size_t calls = 0;
  } sink;
  const auto index = build(GetParam(), std::vector<std::uint64_t>(1000, 5));
  const Simhashes queries{std::vector<std::uint64_t>(1000, 5), std::vector<Volatility>(1000)};
  Context context{.threads = 1};
  index->search({queries.bits, queries.volatility}, {.distance = 0}, sink, context);
  EXPECT_EQ(sink.calls, 1u);
}

std::vector<Kind> kinds() {
  std::vector<Kind> all{{"volatile-bits", "lines", make_volatile_bits, 0}, {"hybrid", "lines", make_hybrid, 0}};
  for (unsigned bits = 16; bits <= 22; bits += 2)
    all.push_back({"volatile-bits", "directory", make_volatile_bits, bits});
  return all;
}
INSTANTIATE_TEST_SUITE_P(Hamming, EveryProbabilisticKind, testing::ValuesIn(kinds()), [](const auto& instance) {
  const Kind& kind = instance.param;
  std::string name = kind.name == "hybrid" ? "Hybrid" : "VolatileBits";
  return kind.header_bits == 0 ? name : name + std::to_string(kind.header_bits);
});

TEST(VolatileBits, TriesAsManySetsAsAskedForBesidesTheEmptyOne) {
  for (const unsigned header : {0u, 20u}) {
    const auto index = build({"volatile-bits", "", make_volatile_bits, header}, documents().rows.bits);
    for (const unsigned most : {1u, 7u, 40u}) {
      for (const FlipModel model : {FlipModel::sampled, FlipModel::calibrated}) {
        const Searched found = find(*index, documents().queries, {.max_probes = most, .flips = model});
        EXPECT_EQ(found.stats.largest_probe_count, most);
        EXPECT_EQ(found.stats.probes, documents().queries.bits.size() * (most + 1));
      }
    }
  }
}

TEST(VolatileBits, MoreFlipsFindMore) {
  const auto index = build({"volatile-bits", "", make_volatile_bits, 18}, documents().rows.bits);
  std::size_t before = 0;
  for (const unsigned most : {1u, 4u, 16u, 64u}) {
    const std::size_t found = find(*index, documents().queries, {.max_probes = most}).pairs.size();
    EXPECT_GT(found, before);
    before = found;
  }
}

TEST(VolatileBits, BothLayoutsFindTheSameInTheSamePlaces) {
  const auto lines = build({"volatile-bits", "", make_volatile_bits, 0}, documents().rows.bits);
  const std::string text = lines->describe();  // "... 16 header bits"
  const auto header = static_cast<unsigned>(std::stoul(text.substr(text.find(" by ") + 4)));
  const auto sorted = build({"volatile-bits", "", make_volatile_bits, header}, documents().rows.bits);
  EXPECT_NE(text, sorted->describe());
  SearchOptions options{.max_probes = 12};
  EXPECT_EQ(find(*lines, documents().queries, options).pairs, find(*sorted, documents().queries, options).pairs);
  options.matches = MatchKind::first;
  EXPECT_EQ(queries_of(find(*lines, documents().queries, options).pairs),
            queries_of(find(*sorted, documents().queries, options).pairs));
}

TEST(VolatileBits, FirstComesByTheLikeliestFlips) {
  // Two matches, one bit away each; the query's bit 60 is the less firm.
  const std::uint64_t query = 0x0123456789ABCDEF;
  const std::vector<std::uint64_t> rows{query ^ std::uint64_t{1} << 50, query ^ std::uint64_t{1} << 60};
  Simhashes queries{{query}, std::vector<Volatility>(1)};
  queries.volatility[0].level.fill(100);
  queries.volatility[0].level[60] = 3;
  queries.volatility[0].level[50] = 10;
  const auto index = build({"volatile-bits", "", make_volatile_bits, 16}, rows);
  const SearchOptions options{.matches = MatchKind::first, .max_probes = 5, .flips = FlipModel::sampled};
  EXPECT_EQ(find(*index, queries, options).pairs, (std::vector<Pair>{{0, 1, 1}}));
}

TEST(VolatileBits, TakesTheLargestDirectoryThatFitsOrSaysWhatItNeeds) {
  const Kind kind{"volatile-bits", "", make_volatile_bits, 0};
  std::vector<std::uint64_t> rows = documents().rows.bits;
  const auto free = build(kind, rows);
  const auto tight = build(kind, rows, 1, free->memory_bytes() - 1000000);
  EXPECT_LE(tight->memory_bytes(), free->memory_bytes() - 1000000);
  try {
    build(kind, rows, 1, 100000);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::limit);
  }
}

TEST(VolatileBits, KnowsSixteenToTwentySixHeaderBits) {
  EXPECT_THROW(build({"volatile-bits", "", make_volatile_bits, 15}, {1}), Error);
  EXPECT_THROW(build({"volatile-bits", "", make_volatile_bits, 27}, {1}), Error);
  EXPECT_EQ(build({"volatile-bits", "", make_volatile_bits, 26}, {1})->size(), 1u);
}

}  // namespace
}  // namespace neardup::hamming
