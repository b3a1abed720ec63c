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

std::size_t common(const Values& a, const Values& b) {
  Values both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return both.size();
}

// The count, or the right to stop when `need` is out of reach.
void expect_overlap(const neardup_kernels& kernels, const Values& a, const Values& b) {
  const std::size_t expected = common(a, b);
  for (const std::size_t need : {std::size_t{0}, std::size_t{1}, expected, expected + 1, a.size(), a.size() + 1}) {
    const std::size_t result = kernels.overlap(a.data(), a.size(), b.data(), b.size(), need);
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
