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

// One list of random postings between others, with signatures near the probe's, and what it is scanned for.
struct ScannedList {
  static constexpr std::uint32_t kFirst = 20;  // others, and the posting of record 0, stand before

  std::uint32_t last;
  std::size_t words, stride;
  Values postings, signatures, whole;
  neardup_probe probe{};

  ScannedList(std::mt19937_64& random, std::uint32_t count, std::size_t signature_words)
      : last(kFirst + count), words(signature_words), stride(last + 10), whole(words + 1) {
    const auto near = [&](std::uint64_t signature) {
      if (random() % 6 == 0) return random();
      for (std::uint64_t flips = random() % 5; flips > 0; --flips) signature ^= std::uint64_t{1} << random() % 64;
      return signature;
    };
    for (auto& word : whole) word = random();
    for (std::size_t w = 0; w < words; ++w) {
      for (std::size_t p = 0; p < stride; ++p) signatures.push_back(near(whole[w]));
    }
    probe = {
        .least = 1000, .budget = 40, .folded = static_cast<std::uint32_t>(random() % 65536), .whole = whole.data()};
    for (std::uint32_t p = 0; p < stride; ++p) {
      const auto allowance = static_cast<std::uint16_t>(random() % 8 == 0 ? random() : random() % 400 - 150);
      const auto folded = static_cast<std::uint16_t>(near(probe.folded));
      postings.push_back(std::uint64_t{p * 100} << 32 | std::uint32_t{allowance} << 16 | folded);
    }
    postings[kFirst - 1] &= UINT32_MAX;
  }

  [[nodiscard]] std::uint32_t record(std::uint32_t p) const { return static_cast<std::uint32_t>(postings[p] >> 32); }

  void expect_equal(const neardup_kernels& kernels) const {
    std::vector<std::uint32_t> expected, hits(last - kFirst + 1);
    std::uint64_t from_least = 0, looked_at = 7;
    for (std::uint32_t p = kFirst; p < last; ++p) {
      if (record(p) < probe.least) continue;
      ++from_least;
      const int allowed = static_cast<std::int16_t>(postings[p] >> 16) + probe.budget;
      int differing = 0;
      for (std::size_t w = 0; w < words; ++w) differing += std::popcount(signatures[w * stride + p] ^ whole[w]);
      const int folded = std::popcount((postings[p] ^ probe.folded) & 0xffff);
      if (16 * std::max(folded, differing) <= allowed) expected.push_back(p);
    }
    const neardup_postings index{postings.data(), signatures.data(), stride, words};
    hits.resize(kernels.scan_postings(&index, &probe, last, hits.data(), &looked_at));
    std::sort(hits.begin(), hits.end());
    EXPECT_EQ(hits, expected);
    EXPECT_EQ(looked_at, 7 + from_least);
  }
};

TEST_P(EveryKernelSet, PassesThePostingsWhoseSignaturesDifferLittleEnough) {
  for (const std::size_t words : {0, 1, 2, 4, 8}) {
    for (std::uint32_t count = 0; count <= 60; ++count) {
      SCOPED_TRACE(::testing::Message() << count << " postings, " << words << " words");
      ScannedList list(random_, count, words);
      for (const std::int32_t budget : {-500, 0, 40, 300, 1 << 20}) {
        list.probe.budget = budget;
        list.expect_equal(*GetParam());
      }
    }
  }
}

TEST_P(EveryKernelSet, ScansAListBackToTheFirstRecordThatIsLargeEnough) {
  constexpr std::uint32_t kCount = 40;
  ScannedList list(random_, kCount, 1);
  for (std::uint32_t p = ScannedList::kFirst; p <= list.last; ++p) {
    for (const std::uint32_t least : {p * 100 - 1, p * 100, p * 100 + 1}) {
      SCOPED_TRACE(least);
      list.probe.least = least;
      list.expect_equal(*GetParam());
    }
  }
}

TEST_P(EveryKernelSet, LeavesTheListBeforeAloneThoughItsRecordsAreLargeEnough) {
  for (std::uint32_t count = 0; count <= 20; ++count) {
    SCOPED_TRACE(count);
    ScannedList list(random_, count, 2);
    list.probe.least = 1;
    list.probe.budget = 1 << 20;
    list.expect_equal(*GetParam());
  }
}

TEST_P(EveryKernelSet, ComparesRecordsNearTheLargestNumber) {
  ScannedList list(random_, 12, 0);
  for (std::uint32_t p = ScannedList::kFirst; p < list.last; ++p) {
    list.postings[p] =
        std::uint64_t{UINT32_MAX - (list.last - 1 - p)} << 32 | static_cast<std::uint32_t>(list.postings[p]);
  }
  for (std::uint32_t less = 0; less < 14; ++less) {
    SCOPED_TRACE(less);
    list.probe.least = UINT32_MAX - less;
    list.expect_equal(*GetParam());
  }
}

TEST_P(EveryKernelSet, CountsUnmarkedTokensUntilThereAreTooMany) {
  constexpr std::uint32_t kUniverse = 200, kMark = 77;
  for (std::size_t n = 0; n <= 70; ++n) {
    for (const std::uint64_t marked_of_ten : {0, 5, 9, 10}) {
      std::vector<std::uint32_t> marks(kUniverse), tokens(n);
      for (auto& mark : marks)
        mark = random_() % 10 < marked_of_ten ? kMark : static_cast<std::uint32_t>(random_() % 77);
      for (auto& token : tokens) token = static_cast<std::uint32_t>(random_() % kUniverse);
      const auto unmarked = static_cast<std::size_t>(
          std::count_if(tokens.begin(), tokens.end(), [&](std::uint32_t token) { return marks[token] != kMark; }));
      for (const std::size_t most : {std::size_t{0}, std::size_t{1}, unmarked, unmarked + 1, n, std::size_t{1} << 40}) {
        const std::size_t result = GetParam()->count_unmarked(tokens.data(), n, marks.data(), kMark, most);
        if (unmarked <= most) {
          ASSERT_EQ(result, unmarked);
        } else {
          ASSERT_GT(result, most);
        }
      }
    }
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
