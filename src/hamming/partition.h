// How are many items brought together by a digit, on all threads and in their order?
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "base/system.h"

namespace neardup::hamming {

constexpr unsigned kDigitBits = 11;  // counters and one open cache line a digit fit the second-level cache
constexpr std::size_t kDigits = std::size_t{1} << kDigitBits;
using DigitStarts = std::array<std::uint32_t, kDigits + 1>;

// Calls move(i, place) for every i below n, so that items with equal digit_of(i) < kDigits get consecutive places and
// keep their order. Returns where each digit's places begin. Places are spread over more lines than the first-level
// cache has: touch(place) comes some moves earlier, to fetch them.
template <class DigitOf, class Touch, class Move>
DigitStarts partition(const Context& context, std::size_t n, const DigitOf& digit_of, const Touch& touch,
                      const Move& move) {
  // Threads take consecutive stretches of the items, which keeps the order.
  const std::size_t stretches = std::min<std::size_t>(base::threads(context), n / kDigits + 1);
  const std::size_t stretch = (n + stretches - 1) / stretches;
  std::vector<std::array<std::uint32_t, kDigits>> counters(stretches);
  DigitStarts starts{};
  const auto each = [&](auto visit) {
    base::parallel_for(context, stretches, [&](std::size_t from, std::size_t to) {
      for (std::size_t s = from; s < to; ++s) visit(s * stretch, std::min(n, (s + 1) * stretch), counters[s]);
    });
  };
  each([&](std::size_t first, std::size_t last, auto& counts) {
    for (std::size_t i = first; i < last; ++i) ++counts[digit_of(i)];
  });
  std::uint32_t sum = 0;
  for (std::size_t digit = 0; digit < kDigits; ++digit) {
    starts[digit] = sum;
    for (auto& counts : counters) sum += std::exchange(counts[digit], sum);
  }
  starts[kDigits] = sum;
  each([&](std::size_t first, std::size_t last, auto& next) {
    std::array<std::uint32_t, 32> places;
    for (std::size_t i = first; i < last; i += places.size()) {
      const std::size_t count = std::min(places.size(), last - i);
      for (std::size_t k = 0; k < count; ++k) {
        places[k] = next[digit_of(i + k)]++;
        touch(places[k]);
      }
      for (std::size_t k = 0; k < count; ++k) move(i + k, places[k]);
    }
  });
  return starts;
}

// Runs body(digit) for every digit on the context's threads.
template <class Body>
void each_digit(const Context& context, const Body& body) {
  base::parallel_for(context, kDigits, [&](std::size_t first, std::size_t last) {
    for (std::size_t digit = first; digit < last; ++digit) {
      base::check_stop(context);
      body(digit);
    }
  });
}

}  // namespace neardup::hamming
