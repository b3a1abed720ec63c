// Items brought together by a digit, against a stable sort.
#include "hamming/partition.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/random.h"
#include "base/zeroed_array.h"

namespace neardup::hamming {
namespace {

struct Item {
  std::uint32_t digit, number, check;
  friend bool operator==(const Item&, const Item&) = default;
};

std::vector<Item> random_items(std::size_t count, std::uint64_t digits) {
  base::Random random(count + digits);
  std::vector<Item> items(count);
  for (std::uint32_t i = 0; i < count; ++i)
    items[i] = {static_cast<std::uint32_t>(random.below(digits)), i, static_cast<std::uint32_t>(random.below(1000))};
  return items;
}

TEST(Partition, KeepsTheOrderWithinADigitHoweverItIsWritten) {
  for (const unsigned threads : {1u, 2u, 5u}) {
    const Context context{.threads = threads};
    for (const std::uint64_t digits : {std::uint64_t{1}, std::uint64_t{7}, std::uint64_t{kDigits}}) {
      for (const std::size_t count : {0, 1, 15, 16, 17, 1000, 50'001}) {
        const std::vector<Item> items = random_items(count, digits);
        std::vector<Item> expected = items;
        std::ranges::stable_sort(expected, {}, &Item::digit);
        const auto digit_of = [&](std::size_t i) { return items[i].digit; };

        std::vector<Item> moved(count);
        const DigitStarts starts = partition(
            context, count, digit_of, [](std::uint32_t) {},
            [&](std::size_t i, std::uint32_t place) { moved[place] = items[i]; });
        EXPECT_EQ(moved, expected);

        base::ZeroedArray<Item> streamed(count);
        EXPECT_EQ(partition_into(streamed.data(), context, count, digit_of, [&](std::size_t i) { return items[i]; }),
                  starts);
        EXPECT_TRUE(std::equal(expected.begin(), expected.end(), streamed.data()));
        for (std::size_t digit = 0; digit < kDigits; ++digit) {
          for (std::uint32_t place = starts[digit]; place < starts[digit + 1]; ++place)
            EXPECT_EQ(moved[place].digit, digit);
        }
      }
    }
  }
}

}  // namespace
}  // namespace neardup::hamming
