// How is a permuted copy of the fingerprints sorted on all threads, with its numbers, and then searched?
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "base/radix_sort.h"
#include "base/system.h"
#include "neardup/context.h"

namespace neardup::hamming {

__extension__ using Code128 = unsigned __int128;

template <class Code>
constexpr unsigned kCodeBits = 8 * sizeof(Code);

template <class Code>
struct Numbered {
  Code code;
  std::uint32_t number;
};

// code_of(i) for i in [0, count), ascending, equal ones by number. They are first spread over buckets by their highest
// bits, so that the rest happens in the cache. Precondition: count < 2^32.
template <class Code, class CodeOf>
std::vector<Numbered<Code>> sorted_codes(std::size_t count, const Context& context, const CodeOf& code_of) {
  constexpr unsigned kBucketBits = 12;
  constexpr std::size_t kBuckets = std::size_t{1} << kBucketBits;
  const auto bucket_of = [](Code code) { return static_cast<std::size_t>(code >> (kCodeBits<Code> - kBucketBits)); };

  // Each part has its own place in each bucket, so that parts are spread at the same time and equal codes stay in
  // order.
  const std::size_t parts = count < kBuckets ? 1 : base::threads(context);
  const auto part_begin = [&](std::size_t part) { return count / parts * part + std::min(part, count % parts); };
  std::vector<std::uint32_t> places(parts * kBuckets);
  const auto each_part = [&](const auto& body) {
    base::parallel_for(context, parts, [&](std::size_t first, std::size_t last) {
      for (std::size_t part = first; part < last; ++part) {
        std::uint32_t* place = &places[part * kBuckets];
        for (std::size_t i = part_begin(part); i < part_begin(part + 1); ++i) body(place, i, code_of(i));
      }
    });
  };
  each_part([&](std::uint32_t* place, std::size_t, Code code) { ++place[bucket_of(code)]; });
  std::vector<std::uint32_t> starts(kBuckets + 1);
  std::uint32_t total = 0;
  for (std::size_t bucket = 0; bucket < kBuckets; ++bucket) {
    starts[bucket] = total;
    for (std::size_t part = 0; part < parts; ++part) {
      std::uint32_t& place = places[part * kBuckets + bucket];
      const std::uint32_t here = place;
      place = total;
      total += here;
    }
  }
  starts[kBuckets] = total;
  std::vector<Numbered<Code>> sorted(count);
  each_part([&](std::uint32_t* place, std::size_t i, Code code) {
    sorted[place[bucket_of(code)]++] = {.code = code, .number = static_cast<std::uint32_t>(i)};
  });
  base::parallel_for(context, kBuckets, [&](std::size_t first, std::size_t last) {
    std::vector<Numbered<Code>> scratch;
    for (std::size_t bucket = first; bucket < last; ++bucket) {
      const auto items = std::span(sorted).subspan(starts[bucket], starts[bucket + 1] - starts[bucket]);
      if (scratch.size() < items.size()) scratch.resize(items.size());
      base::radix_sort<Numbered<Code>>(items, scratch, kCodeBits<Code> - kBucketBits,
                                       [](const Numbered<Code>& item) { return item.code; });
    }
  });
  return sorted;
}

// The place of the first code that is not below the target; codes.size() when there is none. Interpolation search,
// which among uniform codes needs log log n steps; where they are not uniform it gives up soon, and doubling steps from
// where it stands, then halving ones, keep the whole within O(log n).
template <class Code>
std::size_t lower_place(std::span<const Code> codes, Code target) {
  constexpr int kGuesses = 4;
  std::size_t low = 0, high = codes.size();  // everything before low is below the target, nothing from high on is
  if (high == 0 || codes[high - 1] < target) return high;
  if (!(codes[0] < target)) return 0;
  Code low_code = codes[0], high_code = codes[high - 1];
  std::size_t guess = 0;
  for (int step = 0; step < kGuesses && high - low > 8; ++step) {
    const double share = static_cast<double>(target - low_code) / static_cast<double>(high_code - low_code);
    guess = low + std::min(static_cast<std::size_t>(share * static_cast<double>(high - low)), high - low - 1);
    if (codes[guess] < target) {
      low = guess + 1;
      low_code = codes[guess];
    } else {
      high = guess;
      high_code = codes[guess];
    }
  }
  // The last guess is close to one end: look near it first.
  for (std::size_t reach = 1; high - low > 4 * reach; reach *= 2) {
    if (guess < low) {
      if (codes[low + reach] < target) {
        low += reach + 1;
      } else {
        high = low + reach;
        break;
      }
    } else if (codes[high - reach] < target) {
      low = high - reach + 1;
      break;
    } else {
      high -= reach;
    }
  }
  return static_cast<std::size_t>(std::lower_bound(codes.begin() + static_cast<std::ptrdiff_t>(low),
                                                   codes.begin() + static_cast<std::ptrdiff_t>(high), target) -
                                  codes.begin());
}

// The end of the run that begins at `first` and whose codes are at most `most`: in steps that double, since runs are
// short as a rule.
template <class Code>
std::size_t run_end(std::span<const Code> codes, std::size_t first, Code most) {
  std::size_t low = first, step = 8;
  while (low < codes.size() && step < codes.size() - low && !(most < codes[low + step])) {
    low += step + 1;
    step *= 2;
  }
  const std::size_t high = std::min(codes.size(), low + std::min(step, codes.size() - low) + 1);
  return static_cast<std::size_t>(std::upper_bound(codes.begin() + static_cast<std::ptrdiff_t>(low),
                                                   codes.begin() + static_cast<std::ptrdiff_t>(high), most) -
                                  codes.begin());
}

}  // namespace neardup::hamming
