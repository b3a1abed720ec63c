// Do the kinds that know no width of their own serve 128 bits?
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hamming/searches.h"
#include "neardup/error.h"

namespace neardup::hamming {
namespace {

using namespace neardup::hamming::test;

WideBits edited_wide(base::Random& random, WideBits code, unsigned most) {
  for (std::uint64_t flips = random.below(most + 1); flips > 0; --flips) {
    (random.below(2) == 0 ? code.high : code.low) ^= std::uint64_t{1} << random.below(64);
  }
  return code;
}

class EveryWideKind : public testing::TestWithParam<HammingOptions> {
 protected:
  static void expect_same_as_naive(const WideCodes& rows, const WideCodes& queries) {
    Context context{.threads = 2};
    const auto index = build_hamming_index(std::span<const WideBits>(rows), GetParam(), context);
    EXPECT_EQ(index->size(), rows.size());
    for (const unsigned distance : {0u, 1u, 3u, 6u, 64u, 128u}) {
      for (const MatchKind matches : {MatchKind::all, MatchKind::first}) {
        const SearchOptions options{.distance = distance, .matches = matches};
        EXPECT_EQ(search(*index, queries, options, 2).pairs, naive_search(rows, queries, options))
            << index->describe() << ", distance " << distance;
      }
    }
  }
};

TEST_P(EveryWideKind, FindsTheSameAsComparingEverything) {
  base::Random random(1);
  WideCodes rows, queries;
  for (int i = 0; i < 300; ++i) rows.push_back({random.next(), random.next()});
  for (int i = 0; i < 100; ++i) rows.push_back(rows[random.below(300)]);
  for (int i = 0; i < 200; ++i) queries.push_back(edited_wide(random, rows[random.below(rows.size())], 8));
  expect_same_as_naive(rows, queries);
}

TEST_P(EveryWideKind, FindsTheSameAmongFingerprintsThatUseOneHalf) {
  base::Random random(2);
  WideCodes low, high;
  for (int i = 0; i < 200; ++i) {
    low.push_back({0, random.below(1000)});
    high.push_back({random.below(1000), 0});
  }
  expect_same_as_naive(low, high);
  expect_same_as_naive(high, low);
  expect_same_as_naive(low, low);
}

TEST_P(EveryWideKind, FindsNothingAmongNothing) {
  expect_same_as_naive({}, {{0, 0}});
  expect_same_as_naive({{~0ULL, ~0ULL}}, {{0, 0}, {~0ULL, ~0ULL}});
}

std::string wide_label(const testing::TestParamInfo<HammingOptions>& info) {
  std::string name = info.param.kind + "_" + info.param.design;
  std::ranges::replace_if(
      name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Hamming, EveryWideKind,
                         testing::Values(HammingOptions{.kind = "scan"}, HammingOptions{.kind = "block-tables"},
                                         HammingOptions{.kind = "block-tables", .design = "4"},
                                         HammingOptions{.kind = "block-tables", .design = "10"},
                                         HammingOptions{.kind = "block-tables", .design = "16"},
                                         HammingOptions{.kind = "block-tables", .design = "9/6"}),
                         wide_label);

TEST(WideBits, AreRefusedByKindsMadeFor64Bits) {
  Context context;
  const WideCodes rows{{1, 2}};
  try {
    (void)build_hamming_index(std::span<const WideBits>(rows), {.kind = "fast"}, context);
    FAIL() << "was built";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    EXPECT_THAT(error.what(), testing::HasSubstr("there are: scan, block-tables"));
  }
}

}  // namespace
}  // namespace neardup::hamming
