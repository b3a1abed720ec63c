// Do compressed tables give back what was put in?
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "hamming/elias_fano.h"
#include "hamming/huffman.h"
#include "hamming/searches.h"

namespace neardup::hamming {
namespace {

using namespace neardup::hamming::test;

Codes ascending(Codes codes) {
  std::ranges::sort(codes);
  codes.erase(std::unique(codes.begin(), codes.end()), codes.end());
  return codes;
}

std::vector<Codes> code_lists() {
  base::Random random(1);
  std::vector<Codes> all{{}, {0}, {~0ULL}, {0, ~0ULL}, {0, 1}, {~1ULL, ~0ULL}, {1ULL << 63}};
  Codes powers;
  for (unsigned bit = 0; bit < 64; ++bit) powers.push_back(1ULL << bit);
  all.push_back(powers);
  Codes dense(5000);
  std::iota(dense.begin(), dense.end(), 0);
  all.push_back(dense);
  for (std::uint64_t& code : dense) code = ~code;
  all.push_back(ascending(dense));
  for (const std::size_t count : {10u, 100u, 1000u, 20000u}) all.push_back(ascending(random_codes(random, count)));
  // Two heaps at the ends, and steps of all sizes.
  Codes heaps = random_codes(random, 3000, 0xfffff);
  for (std::size_t i = 0; i < heaps.size(); i += 2) heaps[i] = ~heaps[i];
  all.push_back(ascending(heaps));
  Codes steps;
  for (int i = 0; i < 3000; ++i) steps.push_back(random.next() >> random.below(64));
  all.push_back(ascending(steps));
  return all;
}

template <class Coded>
class EveryTableCode : public testing::Test {};
using TableCodes = testing::Types<HuffmanBlocks, EliasFano>;
TYPED_TEST_SUITE(EveryTableCode, TableCodes);

TYPED_TEST(EveryTableCode, GivesBackEveryShape) {
  for (const Codes& codes : code_lists()) {
    const TypeParam coded(codes);
    EXPECT_EQ(coded.size(), codes.size());
    Codes back, pieces(codes.size() + 1);
    auto reader = coded.begin();
    for (std::uint64_t code = 0; reader.next(code);) {
      back.push_back(code);
      ASSERT_EQ(reader.place(), back.size());
    }
    ASSERT_EQ(back, codes);
    auto again = coded.begin();
    std::size_t read = 0;
    while (const std::size_t got =
               again.read(std::span(pieces).subspan(read, std::min<std::size_t>(77, pieces.size() - read)))) {
      read += got;
    }
    pieces.resize(read);
    ASSERT_EQ(pieces, codes);
  }
}

TYPED_TEST(EveryTableCode, BeginsWhereAsked) {
  base::Random random(2);
  for (const Codes& codes : code_lists()) {
    const TypeParam coded(codes);
    Codes targets{0, 1, ~0ULL, ~1ULL, 1ULL << 63};
    for (int i = 0; i < 200; ++i) {
      targets.push_back(random.next());
      if (codes.empty()) continue;
      const std::uint64_t code = codes[random.below(codes.size())];
      targets.insert(targets.end(), {code, code - 1, code + 1, code & ~0xffffULL, code | 0xffff});
    }
    for (const std::uint64_t target : targets) {
      const auto place = static_cast<std::size_t>(std::ranges::lower_bound(codes, target) - codes.begin());
      auto reader = coded.from(target);
      std::uint64_t code = 0;
      ASSERT_EQ(reader.place(), place);
      ASSERT_EQ(reader.next(code), place < codes.size());
      if (place == codes.size()) continue;
      ASSERT_EQ(code, codes[place]);
    }
    for (std::size_t i = 0; i < codes.size(); i += 13) ASSERT_EQ(coded.place_of(codes[i]), i);
  }
}

TYPED_TEST(EveryTableCode, TakesNoMoreThanItSays) {
  for (const Codes& codes : code_lists()) {
    EXPECT_LE(TypeParam(codes).memory_bytes(), TypeParam::most_bytes(codes.size())) << codes.size();
  }
}

TYPED_TEST(EveryTableCode, TakesFewBitsMoreThanItMust) {
  base::Random random(3);
  const Codes codes = ascending(random_codes(random, 1u << 18));
  const double bits = 8 * static_cast<double>(TypeParam(codes).memory_bytes()) / static_cast<double>(codes.size());
  EXPECT_LT(bits, 64 - 18 + 4.5);
}

TEST(HuffmanCode, GivesTheCommonSymbolsTheShortWords) {
  std::array<std::uint64_t, 64> frequencies{};
  frequencies[5] = 8;
  frequencies[6] = 4;
  frequencies[7] = 2;
  frequencies[60] = 2;
  const HuffmanCode code(frequencies);
  EXPECT_EQ(code.word(5).length, 1);
  EXPECT_EQ(code.word(6).length, 2);
  EXPECT_EQ(code.word(7).length, 3);
  EXPECT_EQ(code.word(60).length, 3);
}

TEST(HuffmanCode, ReadsBackEveryWordWhateverFollows) {
  base::Random random(4);
  for (int trial = 0; trial < 50; ++trial) {
    std::array<std::uint64_t, 64> frequencies{};
    for (std::uint64_t& frequency : frequencies) {
      if (random.below(3) != 0) frequency = (random.next() >> random.below(64)) >> 24;
    }
    const HuffmanCode code(frequencies);
    double space = 0;
    for (unsigned symbol = 0; symbol < 64; ++symbol) {
      if (frequencies[symbol] == 0) continue;
      const HuffmanCode::Word& word = code.word(symbol);
      ASSERT_LE(word.length, HuffmanCode::kMostLength);
      space += std::ldexp(1.0, -word.length);
      const HuffmanCode::Read read = code.read(random.next() << word.length | word.bits);
      ASSERT_EQ(read.symbol, symbol);
      ASSERT_EQ(read.length, word.length);
    }
    EXPECT_LE(space, 1.0);
  }
}

TEST(HuffmanCode, KeepsWordsShortWhenFrequenciesGrowLikeRabbits) {
  std::array<std::uint64_t, 64> frequencies{};
  std::uint64_t a = 1, b = 1;
  for (std::uint64_t& frequency : frequencies) {
    frequency = a;
    a = std::exchange(b, a + b);
    if (b > 1ULL << 40) a = b = 1ULL << 40;
  }
  const HuffmanCode code(frequencies);
  double space = 0;
  for (unsigned symbol = 0; symbol < 64; ++symbol) {
    EXPECT_LE(code.word(symbol).length, HuffmanCode::kMostLength);
    space += std::ldexp(1.0, -code.word(symbol).length);
  }
  EXPECT_EQ(space, 1.0);
}

}  // namespace
}  // namespace neardup::hamming
