// Every set of kernels gives the same answers as a loop that anyone can check.
#include "simd/kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <random>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "neardup/error.h"
#include "neardup/version.h"
#include "simd/dispatch.h"

namespace neardup::simd {
namespace {

class EveryKernelSet : public testing::TestWithParam<const neardup_kernels*> {
 protected:
  std::mt19937_64 random_{7};
};

char folded_byte(unsigned char c) {
  if (c >= 'A' && c <= 'Z') return static_cast<char>(c + 32);
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ? static_cast<char>(c) : ' ';
}

// Folds an exact-sized heap copy, so that a sanitizer sees a read past the end.
std::string fold(const neardup_kernels& kernels, const std::string& text) {
  const std::vector<char> exact(text.begin(), text.end());
  std::string out(text.size() + 64, '#');
  const std::size_t folded = kernels.fold_ascii(exact.data(), exact.size(), out.data());
  out.resize(folded);
  return out;
}

TEST_P(EveryKernelSet, FoldsEveryAsciiByteAtEveryPlaceOfABlock) {
  for (std::size_t place = 0; place < 130; ++place) {
    std::string text, expected;
    for (std::size_t i = 0; i < place; ++i) text += 'Q', expected += 'q';
    for (int c = 0; c < 128; ++c) {
      text += static_cast<char>(c);
      expected += folded_byte(static_cast<unsigned char>(c));
    }
    ASSERT_EQ(fold(*GetParam(), text), expected) << place;
  }
}

TEST_P(EveryKernelSet, FoldsTextOfEveryLength) {
  for (std::size_t n = 0; n <= 300; ++n) {
    std::string text(n, ' '), expected(n, ' ');
    for (std::size_t i = 0; i < n; ++i) {
      text[i] = static_cast<char>(random_() % 128);
      expected[i] = folded_byte(static_cast<unsigned char>(text[i]));
    }
    ASSERT_EQ(fold(*GetParam(), text), expected);
  }
}

TEST_P(EveryKernelSet, StopsFoldingAtTheFirstByteThatIsNotAscii) {
  for (std::size_t n = 1; n <= 150; ++n) {
    for (std::size_t place = 0; place < n; ++place) {
      std::string text(n, 'X');
      text[place] = '\x80';
      text.back() = '\xFF';
      ASSERT_EQ(fold(*GetParam(), text), std::string(place, 'x')) << n;
    }
  }
}

TEST_P(EveryKernelSet, MarksTheBytesOfWords) {
  for (std::size_t n = 0; n <= 300; ++n) {
    std::string text(n + 64, 'z');  // what stands past n must not show
    std::vector<std::uint64_t> expected((n + 63) / 64);
    for (std::size_t i = 0; i < n; ++i) {
      text[i] = random_() % 3 == 0 ? ' ' : static_cast<char>(random_());
      if (text[i] != ' ') expected[i / 64] |= std::uint64_t{1} << (i % 64);
    }
    std::vector<std::uint64_t> masks(expected.size(), 99);
    GetParam()->word_masks(text.data(), n, masks.data());
    ASSERT_EQ(masks, expected);
  }
}

TEST_P(EveryKernelSet, TakesTheMinimumOverAllFeaturesForEveryMultiplier) {
  for (std::size_t size = 16; size <= 320; size += 16) {
    for (const std::size_t count : {1, 2, 3, 7, 8, 100}) {
      std::vector<std::uint64_t> features(count);
      for (auto& f : features) f = random_() % 4 == 0 ? random_() & 0xFFFFFFFF00000000 : random_();
      std::vector<std::uint32_t> multipliers(size), out(size), expected(size, 0xFFFFFFFF);
      for (auto& m : multipliers) m = static_cast<std::uint32_t>(random_()) | 1;
      for (std::size_t i = 0; i < size; ++i) {
        for (const std::uint64_t f : features) {
          const auto value = static_cast<std::uint32_t>(f) * multipliers[i] + static_cast<std::uint32_t>(f >> 32);
          expected[i] = std::min(expected[i], value);
        }
      }
      GetParam()->minhash(features.data(), count, multipliers.data(), size, out.data());
      ASSERT_EQ(out, expected) << size << " multipliers, " << count << " features";
    }
  }
}

TEST_P(EveryKernelSet, KeepsTheLargestHashValueAsAMinimum) {
  const std::uint64_t feature = 0xFFFFFFFF00000000;  // its hash is 2^32 - 1 under every multiplier
  const std::vector<std::uint32_t> multipliers(16, 5);
  std::vector<std::uint32_t> out(16);
  GetParam()->minhash(&feature, 1, multipliers.data(), 16, out.data());
  EXPECT_EQ(out, std::vector<std::uint32_t>(16, 0xFFFFFFFF));
}

using Values = std::vector<std::uint64_t>;
using ShortValues = std::vector<std::uint32_t>;

template <class Numbers>
std::size_t common(const Numbers& a, const Numbers& b) {
  Numbers both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return both.size();
}

// The count, or the right to stop when `need` is out of reach.
template <class Numbers>
void expect_overlap(const neardup_kernels& kernels, const Numbers& a, const Numbers& b) {
  const std::size_t expected = common(a, b);
  for (const std::size_t need : {std::size_t{0}, std::size_t{1}, expected, expected + 1, a.size(), a.size() + 1}) {
    std::size_t result = 0;
    if constexpr (std::is_same_v<Numbers, Values>) {
      result = kernels.overlap(a.data(), a.size(), b.data(), b.size(), need);
    } else {
      result = kernels.overlap32(a.data(), a.size(), b.data(), b.size(), need);
    }
    if (result == SIZE_MAX) {
      ASSERT_LT(expected, need);
    } else {
      ASSERT_EQ(result, expected);
    }
  }
}

TEST_P(EveryKernelSet, CountsCommonValuesOfSetsOfEverySize) {
  for (std::size_t na = 0; na <= 70; ++na) {
    for (std::size_t nb = 0; nb <= 70; ++nb) {
      Values a, b;
      std::uint64_t value = 0;
      while (a.size() < na || b.size() < nb) {
        value += 1 + random_() % 3;
        const std::uint64_t where = random_() % 4;
        if (where != 0 && a.size() < na) a.push_back(value);
        if (where != 1 && b.size() < nb) b.push_back(value);
      }
      expect_overlap(*GetParam(), a, b);
    }
  }
}

TEST_P(EveryKernelSet, CountsCommonValuesOfLargeSimilarSets) {
  for (int round = 0; round < 200; ++round) {
    Values a, b;
    for (std::size_t i = 0, n = random_() % 600; i < n; ++i) {
      const std::uint64_t value = random_(), where = random_() % 20;
      if (where != 0) a.push_back(value);
      if (where != 1) b.push_back(value);
    }
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    expect_overlap(*GetParam(), a, b);
  }
}

TEST_P(EveryKernelSet, CountsCommonValuesWhenOneSetLiesInsideAGapOfTheOther) {
  Values a, b;
  for (std::uint64_t i = 0; i < 100; ++i) a.push_back(i < 50 ? i : UINT64_MAX - 100 + i);
  for (std::uint64_t i = 0; i < 100; ++i) b.push_back(1000 + i);
  expect_overlap(*GetParam(), a, b);
  expect_overlap(*GetParam(), b, a);
  expect_overlap(*GetParam(), a, a);
}

TEST_P(EveryKernelSet, CountsCommonShortValuesOfSetsOfEverySize) {
  for (std::size_t na = 0; na <= 70; ++na) {
    for (std::size_t nb = 0; nb <= 70; ++nb) {
      ShortValues a, b;
      std::uint32_t value = random_() % 2 == 0 ? 0 : UINT32_MAX - 600;
      while (a.size() < na || b.size() < nb) {
        const std::uint64_t where = random_() % 4;
        if (where != 0 && a.size() < na) a.push_back(value);
        if (where != 1 && b.size() < nb) b.push_back(value);
        value += 1 + static_cast<std::uint32_t>(random_() % 2);
      }
      if (!std::is_sorted(a.begin(), a.end()) || !std::is_sorted(b.begin(), b.end())) continue;  // past 2^32
      expect_overlap(*GetParam(), a, b);
    }
  }
}

TEST_P(EveryKernelSet, CountsCommonShortValuesOfLargeSimilarSets) {
  for (int round = 0; round < 200; ++round) {
    ShortValues a, b;
    for (std::size_t i = 0, n = random_() % 600; i < n; ++i) {
      const auto value = static_cast<std::uint32_t>(random_());
      const std::uint64_t where = random_() % 20;
      if (where != 0) a.push_back(value);
      if (where != 1) b.push_back(value);
    }
    for (ShortValues* values : {&a, &b}) {
      std::sort(values->begin(), values->end());
      values->erase(std::unique(values->begin(), values->end()), values->end());
    }
    expect_overlap(*GetParam(), a, b);
  }
}

TEST_P(EveryKernelSet, CountsTheSmallestAndTheLargestShortValue) {
  const ShortValues ends{0, UINT32_MAX}, more{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, UINT32_MAX};
  expect_overlap(*GetParam(), ends, ends);
  expect_overlap(*GetParam(), ends, more);
  expect_overlap(*GetParam(), more, more);
}

TEST_P(EveryKernelSet, FlipsABitOfTheParitySignatureForEveryToken) {
  for (const std::size_t words : {1, 2, 4, 8}) {
    for (std::size_t n = 0; n <= 80; ++n) {
      ShortValues tokens(n);
      for (auto& token : tokens) {
        token = random_() % 3 == 0 ? static_cast<std::uint32_t>(random_()) : static_cast<std::uint32_t>(random_() % 9);
      }
      Values expected(words), out(words, 99);
      for (const std::uint32_t token : tokens) {
        const std::uint32_t h = token * 0x9e3779b1u >> 16;
        expected[(h >> 6) % words] ^= std::uint64_t{1} << (h & 63);
      }
      GetParam()->parity(tokens.data(), n, words, out.data());
      ASSERT_EQ(out, expected) << n << " tokens in " << words << " words";
    }
  }
}

// Random postings in columns and random probes, with signatures near each other.
struct Matched {
  static constexpr std::uint32_t kPostings = 24, kProbes = 40;

  std::size_t words, stride = kPostings + 3;
  std::vector<std::int64_t> allowances;
  Values columns, probes;

  Matched(std::mt19937_64& random, std::size_t signature_words) : words(signature_words) {
    const auto allowance = [&]() -> std::int64_t {
      switch (random() % 8) {
        case 0:
          return std::int64_t{1} << 55;
        case 1:
          return -(std::int64_t{1} << 55);
        default:
          return static_cast<std::int64_t>(random() % (600 * words)) - 150;
      }
    };
    Values center(words);
    for (auto& word : center) word = random();
    const auto near = [&](std::uint64_t signature) {
      if (random() % 6 == 0) return random();
      for (std::uint64_t flips = random() % 20; flips > 0; --flips) signature ^= std::uint64_t{1} << random() % 64;
      return signature;
    };
    for (std::size_t p = 0; p < stride; ++p) allowances.push_back(allowance());
    for (std::size_t w = 0; w < words; ++w) {
      for (std::size_t p = 0; p < stride; ++p) columns.push_back(near(center[w]));
    }
    for (std::uint32_t x = 0; x < kProbes; ++x) {
      probes.push_back(static_cast<std::uint64_t>(allowance()));
      for (std::size_t w = 0; w < words; ++w) probes.push_back(near(center[w]));
    }
  }

  [[nodiscard]] bool passes(std::uint32_t x, std::uint32_t p) const {
    const std::uint64_t* const probe = probes.data() + x * (words + 1);
    int differing = 0;
    for (std::size_t w = 0; w < words; ++w) differing += std::popcount(columns[w * stride + p] ^ probe[1 + w]);
    return 16 * differing <= allowances[p] + static_cast<std::int64_t>(probe[0]);
  }

  // How many passed.
  std::size_t expect_equal(const neardup_kernels& kernels, std::uint32_t first, std::uint32_t from,
                           std::uint32_t to) const {
    using Hits = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
    Hits expected, hits;
    for (std::uint32_t x = from; x < to; ++x) {
      for (std::uint32_t p = first; p < first + 8; ++p) {
        if (passes(x, p)) expected.emplace_back(x, p);
      }
    }
    const neardup_columns postings{allowances.data(), columns.data(), stride, words};
    std::vector<neardup_hit> found(std::size_t{8} * (to - from));
    found.resize(kernels.match_postings(&postings, first, probes.data(), from, to, found.data()));
    for (const neardup_hit& hit : found) hits.emplace_back(hit.scan, hit.posting);
    EXPECT_EQ(hits, expected);
    return hits.size();
  }
};

TEST_P(EveryKernelSet, PassesThePostingsWhoseSignaturesDifferLittleEnough) {
  for (const std::size_t words : {1, 2, 4, 8}) {
    std::size_t passed = 0, all = 0;
    for (int round = 0; round < 50; ++round) {
      SCOPED_TRACE(::testing::Message() << round << ", " << words << " words");
      const Matched matched(random_, words);
      for (const std::uint32_t first : {0, 8, 13, 16}) {
        passed += matched.expect_equal(*GetParam(), first, 0, Matched::kProbes);
        all += std::size_t{8} * Matched::kProbes;
      }
    }
    EXPECT_GT(passed, all / 10);
    EXPECT_LT(passed, all * 9 / 10);
  }
}

TEST_P(EveryKernelSet, MatchesSomeProbesOnly) {
  const Matched matched(random_, 2);
  for (std::uint32_t from = 0; from <= 10; ++from) {
    for (std::uint32_t to = from; to <= Matched::kProbes; ++to) matched.expect_equal(*GetParam(), 8, from, to);
  }
}

TEST_P(EveryKernelSet, ASignatureOnTheLimitPasses) {
  Matched matched(random_, 1);
  for (std::uint32_t p = 0; p < 8; ++p) {
    const int differing = std::popcount(matched.columns[p] ^ matched.probes[1]);
    matched.allowances[p] = 16 * differing - 5 - (p % 2);  // of which every other one is one short
  }
  matched.probes[0] = 5;
  EXPECT_EQ(matched.expect_equal(*GetParam(), 0, 0, 1), 4u);
}

TEST_P(EveryKernelSet, CountsSignaturesThatDifferInEveryBit) {
  for (const std::size_t words : {1, 2, 4, 8}) {
    Matched matched(random_, words);
    std::fill(matched.columns.begin(), matched.columns.end(), 0);
    std::fill(matched.probes.begin(), matched.probes.begin() + static_cast<std::ptrdiff_t>(words) + 1, UINT64_MAX);
    matched.probes[0] = 0;
    const auto all = static_cast<std::int64_t>(16 * 64 * words);
    for (std::uint32_t p = 0; p < 8; ++p) matched.allowances[p] = all - (p % 2);  // every other one is one short
    EXPECT_EQ(matched.expect_equal(*GetParam(), 0, 0, 1), 4u) << words << " words";
  }
}

TEST_P(EveryKernelSet, PassesTheSignaturesWithFewDifferentBits) {
  for (std::size_t n = 0; n <= 70; ++n) {
    const std::uint64_t probe = random_();
    std::vector<std::uint64_t> signatures(n);
    for (auto& s : signatures) {
      s = random_() % 4 == 0 ? random_() : probe;
      for (std::uint64_t flips = random_() % 8; flips > 0; --flips) s ^= std::uint64_t{1} << random_() % 64;
    }
    for (const unsigned most : {0u, 1u, 4u, 7u, 63u, 64u}) {
      std::vector<std::uint32_t> expected, out(n + 8);
      for (std::uint32_t i = 0; i < n; ++i) {
        if (static_cast<unsigned>(std::popcount(signatures[i] ^ probe)) <= most) expected.push_back(i);
      }
      out.resize(GetParam()->filter_signatures(signatures.data(), n, probe, most, out.data()));
      ASSERT_EQ(out, expected) << n << " signatures, at most " << most;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Simd, EveryKernelSet, testing::ValuesIn(available().begin(), available().end()),
                         [](const auto& set) { return std::string{set.param->name}; });

TEST(Dispatch, AlwaysOffersThePortableKernelsFirst) { EXPECT_STREQ(available().front()->name, "portable"); }

TEST(Dispatch, FindsEveryAvailableSetByName) {
  for (const neardup_kernels* set : available()) EXPECT_EQ(&named(set->name), set);
}

TEST(Dispatch, RefusesAnUnknownNameAndSaysWhatThereIs) {
  try {
    named("mmx");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    EXPECT_NE(std::string{error.what()}.find("NEARDUP_SIMD=mmx"), std::string::npos);
    EXPECT_NE(std::string{error.what()}.find("portable"), std::string::npos);
  }
}

TEST(Dispatch, ReportsTheSetInUseForEveryKernel) {
  ASSERT_FALSE(active_kernels().empty());
  for (const KernelChoice& choice : active_kernels()) EXPECT_EQ(choice.active, kernels().name);
}

}  // namespace
}  // namespace neardup::simd
