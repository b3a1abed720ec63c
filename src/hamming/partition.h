// How are many items brought together by a digit, on all threads and in their order?
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "base/streams.h"
#include "base/system.h"

namespace neardup::hamming {

constexpr unsigned kDigitBits = 11;  // counters and one open cache line a digit fit the second-level cache
constexpr std::size_t kDigits = std::size_t{1} << kDigitBits;
using DigitStarts = std::array<std::uint32_t, kDigits + 1>;

// Where items go that are brought together by digit_of(i) < kDigits and keep their order: threads take consecutive
// stretches of them.
template <class DigitOf>
class Places {
 public:
  Places(const Context& context, std::size_t n, const DigitOf& digit_of)
      : context_(context),
        n_(n),
        next_(std::min<std::size_t>(base::threads(context), n / kDigits + 1)),
        stretch_((n + next_.size() - 1) / next_.size()) {
    each_stretch([&](std::size_t first, std::size_t last, Next& counts) {
      for (std::size_t i = first; i < last; ++i) ++counts[digit_of(i)];
    });
    std::uint32_t sum = 0;
    for (std::size_t digit = 0; digit < kDigits; ++digit) {
      starts_[digit] = sum;
      for (Next& counts : next_) sum += std::exchange(counts[digit], sum);
    }
    starts_[kDigits] = sum;
  }

  // Where each digit's places begin.
  [[nodiscard]] const DigitStarts& starts() const { return starts_; }

  // Runs visit(first, last, next) for each stretch; next[digit]++ is the place of an item.
  using Next = std::array<std::uint32_t, kDigits>;
  template <class Visit>
  void each_stretch(const Visit& visit) {
    base::parallel_for(context_, next_.size(), [&](std::size_t from, std::size_t to) {
      for (std::size_t s = from; s < to; ++s)
        visit(std::min(n_, s * stretch_), std::min(n_, (s + 1) * stretch_), next_[s]);
    });
  }

 private:
  const Context& context_;
  std::size_t n_;
  std::vector<Next> next_;  // by stretch; few items have one only
  std::size_t stretch_;
  DigitStarts starts_{};
};

// Calls move(i, place) for every i below n, so that items with equal digit_of(i) get consecutive places and keep their
// order. Returns where each digit's places begin. Places are spread over more lines than the first-level cache has:
// touch(place) comes some moves earlier, to fetch them.
template <class DigitOf, class Touch, class Move>
DigitStarts partition(const Context& context, std::size_t n, const DigitOf& digit_of, const Touch& touch,
                      const Move& move) {
  Places<DigitOf> places(context, n, digit_of);
  places.each_stretch([&](std::size_t first, std::size_t last, auto& next) {
    std::array<std::uint32_t, 32> some;
    for (std::size_t i = first; i < last; i += some.size()) {
      const std::size_t count = std::min(some.size(), last - i);
      for (std::size_t k = 0; k < count; ++k) {
        some[k] = next[digit_of(i + k)]++;
        touch(some[k]);
      }
      for (std::size_t k = 0; k < count; ++k) move(i + k, some[k]);
    }
  });
  return places.starts();
}

// The same for items made by make(i), which go to `out` in whole cache lines and past the cache: they are many, and it
// is long until one is read. `out` is aligned to 16 bytes.
template <class Item, class DigitOf, class Make>
DigitStarts partition_into(Item* out, const Context& context, std::size_t n, const DigitOf& digit_of,
                           const Make& make) {
  constexpr std::size_t kLine = 64;
  constexpr auto kItems = static_cast<std::uint32_t>(std::lcm(sizeof(Item), kLine) / sizeof(Item));
  struct alignas(kLine) Lines {
    std::array<Item, kItems> items;
  };
  Places<DigitOf> places(context, n, digit_of);
  places.each_stretch([&](std::size_t first, std::size_t last, auto& next) {
    const auto begin = std::make_unique<typename Places<DigitOf>::Next>(next);
    std::vector<Lines> open(kDigits);
    std::array<std::uint32_t, 16> digits;
    for (std::size_t from = first; from < last; from += digits.size()) {
      const std::size_t count = std::min(digits.size(), last - from);
      for (std::size_t k = 0; k < count; ++k) {
        digits[k] = static_cast<std::uint32_t>(digit_of(from + k));
        __builtin_prefetch(&open[digits[k]].items[next[digits[k]] % kItems], 1);
      }
      for (std::size_t k = 0; k < count; ++k) {
        const std::size_t digit = digits[k];
        const std::uint32_t place = next[digit]++;
        open[digit].items[place % kItems] = make(from + k);
        if (place % kItems != kItems - 1) continue;
        const std::uint32_t whole = place - place % kItems;
        if (whole >= (*begin)[digit]) {
          base::stream(open[digit].items.data(), out + whole, sizeof(Lines));
        } else {  // of the first lines a part belongs to others
          std::copy(open[digit].items.begin() + (*begin)[digit] % kItems, open[digit].items.end(),
                    out + (*begin)[digit]);
        }
      }
    }
    for (std::size_t digit = 0; digit < kDigits; ++digit) {
      const std::uint32_t whole = next[digit] - next[digit] % kItems, from = std::max(whole, (*begin)[digit]);
      if (from < next[digit]) {
        std::copy_n(open[digit].items.begin() + from % kItems, next[digit] - from, out + from);
      }
    }
    base::finish_streams();
  });
  return places.starts();
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
