#include "base/zeroed_array.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <new>
#include <span>
#include <utility>

namespace neardup::test {
namespace {

using base::ZeroedArray;

template <class T>
bool is_all_zero(const ZeroedArray<T>& array) {
  const std::span<const T> all = array;
  return std::all_of(all.begin(), all.end(), [](const T& value) { return value == 0; });
}

TEST(ZeroedArray, IsZeroAndWritableAtEverySizeAroundALargePage) {
  constexpr std::size_t kLargePage = (std::size_t{2} << 20) / sizeof(std::uint64_t);
  for (const std::size_t size : {std::size_t{1}, std::size_t{1000}, kLargePage - 1, kLargePage, kLargePage + 1}) {
    ZeroedArray<std::uint64_t> array(size);
    ASSERT_EQ(array.size(), size);
    EXPECT_TRUE(is_all_zero(array)) << size;
    std::fill_n(array.data(), size, ~std::uint64_t{0});
    EXPECT_EQ(array[0] & array[size - 1], ~std::uint64_t{0});
  }
}

TEST(ZeroedArray, IsZeroAgainWhereAnEarlierOneWasWritten) {
  for (const std::size_t size : {std::size_t{5000}, std::size_t{1} << 22}) {
    for (int round = 0; round < 3; ++round) {
      ZeroedArray<char> array(size);
      EXPECT_TRUE(is_all_zero(array)) << size;
      std::fill_n(array.data(), size, 'x');
    }
  }
}

TEST(ZeroedArray, MayBeEmpty) {
  EXPECT_EQ(ZeroedArray<int>().size(), 0u);
  EXPECT_EQ(ZeroedArray<int>(0).size(), 0u);
}

TEST(ZeroedArray, HandsItsMemoryOverWhenMoved) {
  for (const std::size_t size : {std::size_t{10}, std::size_t{1} << 20}) {
    ZeroedArray<std::uint32_t> from(size);
    from[size - 1] = 7;
    ZeroedArray<std::uint32_t> to = std::move(from);
    EXPECT_EQ(to[size - 1], 7u);
    to = {};
    EXPECT_EQ(to.size(), 0u);
  }
}

TEST(ZeroedArray, TakesNoMemoryForWhatNobodyTouches) {
  ZeroedArray<std::uint64_t> array(std::size_t{1} << 31);  // sixteen gigabytes
  array[std::size_t{1} << 30] = 1;
  EXPECT_EQ(array[(std::size_t{1} << 30) - 1], 0u);
}

TEST(ZeroedArray, RefusesMoreThanThereIsAddressSpace) {
  EXPECT_THROW(ZeroedArray<char>(std::size_t{1} << 60), std::bad_alloc);
}

TEST(ZeroedArray, RefusesASizeWhoseBytesCannotBeCounted) {
  EXPECT_THROW(ZeroedArray<std::uint64_t>((std::size_t{1} << 61) + 1), std::bad_alloc);
}

}  // namespace
}  // namespace neardup::test
