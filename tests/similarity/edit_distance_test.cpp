// The bit-parallel distance equals the textbook's table, for every length and alphabet.
#include "similarity/edit_distance.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/random.h"
#include "join/edit_support.h"

namespace neardup::similarity {
namespace {

using test::plain_distance;
using Symbols = std::vector<std::uint32_t>;

std::optional<std::uint32_t> if_within(std::uint32_t distance, std::uint32_t most) {
  return distance <= most ? std::optional(distance) : std::nullopt;
}

template <class Symbol>
void expect_distance(EditPattern<Symbol>& pattern, const Symbols& a, const Symbols& b) {
  const std::vector<Symbol> x(a.begin(), a.end()), y(b.begin(), b.end());
  const std::uint32_t distance = plain_distance(a, b);
  pattern.assign(x);
  for (const std::uint32_t most : {0u, 1u, 2u, 3u, 8u, 31u, 70u, 150u, distance, distance - 1, 4'000'000'000u}) {
    ASSERT_EQ(pattern.within(y, most), if_within(distance, most)) << a.size() << " and " << b.size() << ", " << most;
  }
  pattern.assign({});  // x is gone after this
}

Symbols random_symbols(base::Random& random, std::size_t size, std::uint32_t alphabet) {
  Symbols symbols(size);
  for (auto& s : symbols) s = static_cast<std::uint32_t>(random.below(alphabet));
  return symbols;
}

Symbols edited(base::Random& random, Symbols symbols, std::uint64_t edits, std::uint32_t alphabet) {
  for (; edits > 0; --edits) {
    const auto at = static_cast<std::ptrdiff_t>(random.below(symbols.size() + 1));
    const auto symbol = static_cast<std::uint32_t>(random.below(alphabet));
    const std::uint64_t kind = random.below(3);
    if (kind == 0 || at == std::ssize(symbols)) {
      symbols.insert(symbols.begin() + at, symbol);
    } else if (kind == 1) {
      symbols.erase(symbols.begin() + at);
    } else {
      symbols[static_cast<std::size_t>(at)] = symbol;
    }
  }
  return symbols;
}

template <class Symbol>
class EverySymbolType : public testing::Test {};
using SymbolTypes = testing::Types<std::uint8_t, std::uint16_t, std::uint32_t>;
TYPED_TEST_SUITE(EverySymbolType, SymbolTypes);

TYPED_TEST(EverySymbolType, EqualsTheTableForUnrelatedStrings) {
  base::Random random(1);
  for (const std::uint32_t alphabet : {2u, 4u, 26u, 250u}) {
    EditPattern<TypeParam> pattern(alphabet);
    for (const std::size_t m : {0, 1, 2, 5, 20, 62, 63, 64, 65, 66, 127, 128, 129, 190, 300}) {
      for (const std::size_t n : {0, 1, 3, 30, 63, 64, 65, 128, 129, 200}) {
        expect_distance(pattern, random_symbols(random, m, alphabet), random_symbols(random, n, alphabet));
      }
    }
  }
}

TYPED_TEST(EverySymbolType, EqualsTheTableForSimilarStringsOfEveryLength) {
  base::Random random(2);
  for (const std::uint32_t alphabet : {2u, 4u, 26u, 250u}) {
    EditPattern<TypeParam> pattern(alphabet);
    for (std::size_t m = 0; m <= 300; m += m > 140 ? 7 : 1) {
      const Symbols a = random_symbols(random, m, alphabet);
      expect_distance(pattern, a, edited(random, a, random.below(12), alphabet));
      expect_distance(pattern, edited(random, a, random.below(60), alphabet), a);
    }
  }
}

TEST(EditPattern, ComparesOneStringWithMany) {
  base::Random random(3);
  EditPattern<std::uint32_t> pattern(5);
  for (const std::size_t size : {10, 64, 100, 500}) {
    const Symbols a = random_symbols(random, size, 5);
    pattern.assign(a);
    for (int i = 0; i < 50; ++i) {
      const Symbols b = edited(random, a, random.below(20), 5);
      ASSERT_EQ(pattern.within(b, 9), if_within(plain_distance(a, b), 9));
    }
    pattern.assign({});
  }
}

TEST(EditPattern, ForgetsTheStringBefore) {
  EditPattern<std::uint32_t> pattern(300);
  const Symbols shorter(40, 7), longer(200, 7), other(40, 8);
  pattern.assign(shorter);
  pattern.assign(longer);
  pattern.assign(other);
  EXPECT_EQ(pattern.within(shorter, 100), 40u);
  pattern.assign(longer);
  EXPECT_EQ(pattern.within(other, 300), 200u);
}

TEST(EditPattern, NeedsNoTableForManySymbolsInALongString) {
  base::Random random(4);
  constexpr std::uint32_t kAlphabet = 50'000;
  EditPattern<std::uint32_t> pattern(kAlphabet);
  const Symbols a = random_symbols(random, 3000, kAlphabet);
  pattern.assign(a);
  for (const std::uint64_t edits : {0, 1, 5, 40, 200}) {
    const Symbols b = edited(random, a, edits, kAlphabet);
    for (const std::uint32_t most : {0u, 4u, 40u, 100u, 3000u}) {
      ASSERT_EQ(pattern.within(b, most), if_within(plain_distance(a, b), most));
    }
  }
}

TEST(EditPattern, ComparesStringsOfAHundredThousandSymbols) {
  base::Random random(5);
  for (const std::uint32_t alphabet : {2u, 26u, 60'000u}) {
    EditPattern<std::uint32_t> pattern(alphabet + 1);
    const Symbols a = random_symbols(random, 100'000, alphabet);
    pattern.assign(a);
    Symbols b = a;
    b[10] = b[50'000] = b[99'990] = alphabet;  // not in a: three replacements and nothing cheaper
    EXPECT_EQ(pattern.within(b, 3), 3u);
    EXPECT_EQ(pattern.within(b, 2), std::nullopt);
    EXPECT_EQ(pattern.within(random_symbols(random, 100'000, alphabet), 20), std::nullopt);
  }
}

TEST(EditDistanceWithin, CountsCodePointsAndNotBytes) {
  EXPECT_EQ(edit_distance_within("kitten", "sitting", 3), 3u);
  EXPECT_EQ(edit_distance_within("kitten", "sitting", 2), std::nullopt);
  EXPECT_EQ(edit_distance_within("Gr\xC3\xBC\xC3\x9F", "Gru\xC3\x9F", 5), 1u);
  EXPECT_EQ(edit_distance_within("a\xF0\x9F\x98\x80"
                                 "b",
                                 "a\xF0\x9F\x98\x81"
                                 "b",
                                 5),
            1u);
  EXPECT_EQ(edit_distance_within("\xE6\x97\xA5\xE6\x9C\xAC", "", 2), 2u);
  EXPECT_EQ(edit_distance_within("", "", 0), 0u);
}

}  // namespace
}  // namespace neardup::similarity
