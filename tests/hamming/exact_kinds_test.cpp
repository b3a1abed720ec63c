// Does every exact kind of index find what comparing everything finds?
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stop_token>

#include "hamming/one_call.h"
#include "hamming/searches.h"
#include "neardup/error.h"

namespace neardup::hamming {
namespace {

using namespace neardup::hamming::test;

std::vector<HammingOptions> exact_kinds() {
  std::vector<HammingOptions> all;
  for (const HammingKind& kind : hamming_kinds()) {
    if (kind.exact) all.push_back({.kind = std::string(kind.name)});
  }
  for (const char* design : {"4", "10", "16", "20", "7/4", "5/1+4/1"}) {
    all.push_back({.kind = "block-tables", .design = design});
    all.push_back({.kind = "compressed-tables", .design = design, .code = "huffman"});
    all.push_back({.kind = "compressed-tables", .design = design, .code = "elias-fano"});
  }
  all.push_back({.kind = "block-tables", .distance = 8});
  all.push_back({.kind = "compressed-tables", .distance = 1, .code = "elias-fano"});
  return all;
}

class EveryExactKind : public testing::TestWithParam<HammingOptions> {
 protected:
  [[nodiscard]] static std::unique_ptr<HammingIndex> build(const Codes& rows, unsigned threads = 1) {
    Context context{.threads = threads};
    return build_hamming_index(rows, GetParam(), context);
  }

  static void expect_same_as_naive(const Codes& rows, const Codes& queries,
                                   std::initializer_list<unsigned> distances = {0, 1, 3, 8}) {
    const auto index = build(rows);
    EXPECT_EQ(index->size(), rows.size());
    for (const unsigned distance : distances) {
      EXPECT_TRUE(index->exact_up_to(distance));
      for (const MatchKind matches : {MatchKind::all, MatchKind::first}) {
        const SearchOptions options{.distance = distance, .matches = matches};
        const Searched found = search(*index, queries, options);
        EXPECT_EQ(found.pairs, naive_search(rows, queries, options)) << index->describe() << ", distance " << distance;
        EXPECT_EQ(found.stats.matches, found.pairs.size());
        EXPECT_EQ(found.stats.queries, queries.size());
      }
    }
  }
};

TEST_P(EveryExactKind, FindsTheSameAmongRandomFingerprints) {
  base::Random random(1);
  const Codes rows = random_codes(random, 1500);
  expect_same_as_naive(rows, edited_codes(random, rows, 400, 10));
}

TEST_P(EveryExactKind, FindsTheSameAmongClusters) {
  base::Random random(2);
  const Codes centres = random_codes(random, 20);
  Codes rows;
  for (int i = 0; i < 1000; ++i) rows.push_back(edited(random, centres[random.below(centres.size())], 5));
  expect_same_as_naive(rows, edited_codes(random, centres, 100, 5));
}

TEST_P(EveryExactKind, FindsEveryRowWhenTheQueriesAreTheRows) {
  base::Random random(3);
  Codes rows = random_codes(random, 300);
  const Codes near = edited_codes(random, rows, 200, 3);
  rows.insert(rows.end(), near.begin(), near.end());
  expect_same_as_naive(rows, rows);
}

TEST_P(EveryExactKind, FindsCopiesOfCopies) {
  base::Random random(4);
  Codes rows = random_codes(random, 40), queries;
  for (int i = 0; i < 400; ++i) rows.push_back(rows[random.below(40)]);
  for (int i = 0; i < 100; ++i) queries.push_back(edited(random, rows[random.below(40)], 2));
  queries.insert(queries.end(), queries.begin(), queries.end());
  expect_same_as_naive(rows, queries);
}

TEST_P(EveryExactKind, FindsTheSameWhenAllFingerprintsAreEqual) {
  const Codes rows(500, 0xfeedfacecafebeef);
  expect_same_as_naive(rows, {0xfeedfacecafebeef, 0xfeedfacecafebeee, 0xfeedfacecafebee8, 0x0123456789abcdef, 0});
}

TEST_P(EveryExactKind, FindsTheSameWhenAllFingerprintsDifferInOneBlockOnly) {
  base::Random random(5);
  for (const unsigned shift : {0u, 24u, 52u}) {
    Codes rows = random_codes(random, 600, 0xfff);
    for (std::uint64_t& code : rows) code = (code << shift) ^ 0x5555555555555555;
    expect_same_as_naive(rows, edited_codes(random, rows, 50, 4));
  }
}

TEST_P(EveryExactKind, FindsTheSameAmongFingerprintsOfFewerBits) {
  base::Random random(6);
  for (const std::uint64_t mask : {0xffULL, 0xffffffULL, 0xffffffffULL, 0xffffffffffULL, 0x00ffff0000ff00f0ULL}) {
    const Codes rows = random_codes(random, 300, mask);
    expect_same_as_naive(rows, edited_codes(random, rows, 50, 4), {0, 2, 3});
  }
}

TEST_P(EveryExactKind, FindsTheSameAtTheEndsOfTheRange) {
  const Codes rows{0, ~0ULL, 1, ~1ULL, 1ULL << 63, ~(1ULL << 63), 0, ~0ULL};
  expect_same_as_naive(rows, rows, {0, 1, 2, 3, 4, 62, 63, 64});
}

TEST_P(EveryExactKind, FindsEverythingAtTheLargestDistance) {
  base::Random random(7);
  const Codes rows = random_codes(random, 200);
  expect_same_as_naive(rows, edited_codes(random, rows, 20, 64), {20, 32, 64});
}

TEST_P(EveryExactKind, FindsNothingAmongNothing) {
  expect_same_as_naive({}, {0, 1, ~0ULL}, {0, 3, 64});
  expect_same_as_naive({}, {}, {3});
  expect_same_as_naive({5}, {}, {3});
}

TEST_P(EveryExactKind, FindsTheSameAmongOneOrTwo) {
  expect_same_as_naive({0}, {0, 7, 15, ~0ULL}, {0, 3, 4, 64});
  expect_same_as_naive({~0ULL}, {0, ~0ULL, ~7ULL}, {0, 3, 4, 64});
  expect_same_as_naive({7, 0}, {0, 1, 7}, {0, 3, 64});
}

TEST_P(EveryExactKind, FindsTheSameAmongAMillionAsScanDoes) {
  base::Random random(8);
  Codes rows = random_codes(random, (1u << 20) + 1);
  for (std::size_t i = 0; i < rows.size(); i += 7) rows[i] = edited(random, rows[random.below(rows.size())], 3);
  const Codes queries = edited_codes(random, rows, 100, 4);
  Context context{.threads = 2};
  const auto scan = build_hamming_index(rows, {.kind = "scan"}, context);
  const auto index = build(rows, 2);
  for (const MatchKind matches : {MatchKind::all, MatchKind::first}) {
    EXPECT_EQ(search(*index, queries, {.distance = 3, .matches = matches}, 2).pairs,
              search(*scan, queries, {.distance = 3, .matches = matches}, 2).pairs);
  }
}

TEST_P(EveryExactKind, GivesTheSameAnswerOnOneThreadAndOnTwo) {
  base::Random random(9);
  const Codes rows = random_codes(random, 5000), queries = edited_codes(random, rows, 2000, 4);
  const auto one = build(rows, 1), two = build(rows, 2);
  for (const MatchKind matches : {MatchKind::all, MatchKind::first}) {
    const SearchOptions options{.distance = 3, .matches = matches};
    EXPECT_EQ(search(*one, queries, options, 1).pairs, search(*two, queries, options, 2).pairs);
  }
}

TEST_P(EveryExactKind, StopsWhenTheSinkHasEnough) {
  OneCall sink;
  const auto index = build(Codes(3000, 1));
  Context context{.threads = 1};
  const SearchStats stats = index->search({.bits = Codes(3000, 1)}, {.distance = 3}, sink, context);
  EXPECT_GT(sink.seen, 0u);
  EXPECT_EQ(sink.calls, 1u);
  EXPECT_EQ(stats.matches, sink.seen);
}

TEST_P(EveryExactKind, StopsWhenAsked) {
  std::stop_source stop;
  stop.request_stop();
  const auto index = build({1, 2, 3});
  Context context{.stop = stop.get_token(), .threads = 1};
  CollectPairs sink;
  EXPECT_THROW((void)index->search({.bits = Codes{1}}, {.distance = 3}, sink, context), Error);
}

TEST_P(EveryExactKind, RefusesADistanceBeyondTheWidth) {
  const auto index = build({1, 2, 3});
  try {
    (void)search(*index, {1}, {.distance = 65});
    FAIL() << "was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    EXPECT_EQ(error.option(), "distance");
  }
}

TEST_P(EveryExactKind, NamesTheSmallestMemoryThatWorks) {
  base::Random random(10);
  const Codes rows = random_codes(random, 20000);
  HammingOptions options = GetParam();
  options.memory_bytes = 1000;
  Context context{.threads = 1};
  try {
    (void)build_hamming_index(rows, options, context);
    FAIL() << "fits 1000 bytes";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::limit);
    const std::string message = error.what();
    std::uint64_t most = 0;
    for (std::size_t at = 0; at < message.size(); ++at) {
      if (std::isdigit(static_cast<unsigned char>(message[at])) == 0) continue;
      std::size_t length = 0;
      most = std::max<std::uint64_t>(most, std::stoull(message.substr(at), &length));
      at += length;
    }
    options.memory_bytes = most;
    EXPECT_LE(build_hamming_index(rows, options, context)->memory_bytes(), most) << message;
  }
}

std::string label(const testing::TestParamInfo<HammingOptions>& info) {
  const HammingOptions& options = info.param;
  std::string name = options.kind + "_" + options.design + "_" + std::to_string(options.distance);
  if (options.kind == "compressed-tables") name += "_" + options.code;
  std::ranges::replace_if(
      name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Hamming, EveryExactKind, testing::ValuesIn(exact_kinds()), label);

TEST(HammingKinds, AreListedWhenOneIsUnknown) {
  Context context;
  try {
    (void)build_hamming_index(Codes{1}, {.kind = "psychic"}, context);
    FAIL() << "was built";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    for (const HammingKind& kind : hamming_kinds()) {
      EXPECT_THAT(error.what(), testing::HasSubstr(std::string(kind.name)));
    }
  }
}

TEST(HammingKinds, SayWhenTheyCompareEverything) {
  base::Random random(11);
  const Codes rows = random_codes(random, 1000);
  Context context{.threads = 1};
  for (const char* kind : {"block-tables", "compressed-tables"}) {
    const auto index = build_hamming_index(rows, {.kind = kind, .design = "10"}, context);
    EXPECT_EQ(search(*index, rows, {.distance = 3}).stats.fallback, "");
    EXPECT_THAT(search(*index, rows, {.distance = 4}).stats.fallback, testing::HasSubstr("up to 3"));
  }
}

TEST(HammingKinds, CountProbesAndComparisons) {
  // 16 leading bits are equal in the first table only.
  const Codes rows{0x1111'0000'0000'0000, 0x1111'2222'0000'1111, 0x3333'3333'3333'3333};
  Context context{.threads = 1};
  for (const char* kind : {"block-tables", "compressed-tables"}) {
    const auto index = build_hamming_index(rows, {.kind = kind, .design = "4"}, context);
    const SearchStats stats = search(*index, {0x1111'ffff'ffff'ffff}, {.distance = 3}).stats;
    EXPECT_EQ(stats.probes, 4u) << kind;
    EXPECT_EQ(stats.compared, 2u) << kind;
  }
}

TEST(HammingKinds, SearchTenMillionEqualFingerprintsForTheFirst) {
  const Codes rows(10'000'000, 42), queries(1000, 43);
  Context context{.threads = 2};
  for (const char* kind : {"scan", "block-tables", "compressed-tables"}) {
    const auto index = build_hamming_index(rows, {.kind = kind}, context);
    const Searched found = search(*index, queries, {.distance = 3, .matches = MatchKind::first}, 2);
    ASSERT_EQ(found.pairs.size(), queries.size()) << kind;
    for (const Pair& pair : found.pairs) ASSERT_EQ(pair.right, 0u) << kind;
    EXPECT_LE(found.stats.compared, 4096 * queries.size()) << kind;  // a block of rows each
  }
}

}  // namespace
}  // namespace neardup::hamming
