// The kernels of Hamming search give the same answers as loops that anyone can check.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "simd/dispatch.h"
#include "simd/kernels.h"

namespace neardup::simd {
namespace {

using HitList = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

class EveryNearKernel : public testing::TestWithParam<const neardup_kernels*> {
 protected:
  // Few bits set, so that many are near.
  std::uint32_t half() {
    std::uint32_t value = 0;
    for (std::uint64_t bits = random_() % 6; bits > 0; --bits) value |= 1u << random_() % 32;
    return value;
  }
  std::uint64_t word() { return std::uint64_t{half()} << 32 | half(); }

  std::mt19937_64 random_{17};
};

HitList list_of(const std::vector<neardup_hit>& hits, std::size_t count) {
  HitList list;
  for (std::size_t i = 0; i < count; ++i) list.emplace_back(hits[i].scan, hits[i].posting);
  return list;
}

TEST_P(EveryNearKernel, FindsTheHalvesThatAreNear) {
  for (unsigned most = 0; most <= 5; ++most) {
    std::vector<std::vector<std::uint32_t>> lists;
    for (const std::size_t size : {0, 1, 2, 7, 8, 9, 15, 16, 17, 31, 100, 255, 256, 257, 600}) {
      lists.emplace_back(size + 15);  // the kernels may read so far
      for (auto& value : lists.back()) value = half();
    }
    std::vector<neardup_half_scan> scans;
    HitList expected;
    std::size_t total = 0;
    for (const auto& list : lists) {
      const std::uint32_t probe = half();
      const auto count = static_cast<std::uint32_t>(list.size() - 15);
      for (std::uint32_t i = 0; i < count; ++i) {
        if (static_cast<unsigned>(std::popcount(list[i] ^ probe)) <= most) {
          expected.emplace_back(static_cast<std::uint32_t>(scans.size()), i);
        }
      }
      scans.push_back({list.data(), count, probe});
      total += count;
    }
    std::vector<neardup_hit> hits(total);
    const std::size_t found = GetParam()->near_halves(scans.data(), scans.size(), most, hits.data());
    ASSERT_EQ(list_of(hits, found), expected) << most;
  }
}

TEST_P(EveryNearKernel, FindsTheSlotsOfLinesThatAreNear) {
  constexpr std::size_t kLines = 200;
  std::vector<std::uint32_t> words(16 * kLines);
  std::vector<neardup_line_scan> scans;
  for (unsigned most = 0; most <= 3; ++most) {
    HitList expected;
    scans.clear();
    for (std::uint32_t line = 0; line < kLines; ++line) {
      std::uint32_t* at = words.data() + 16 * line;
      for (int i = 0; i < 16; ++i) at[i] = half();
      const auto used = static_cast<std::uint32_t>(random_() % 12), more = static_cast<std::uint32_t>(random_() % 2);
      const std::uint32_t probe = half();
      at[15] = used << 28 | more << 27 | (at[15] & 0x7FFFFFF);
      for (std::uint32_t slot = 0; slot < used; ++slot) {
        if (static_cast<unsigned>(std::popcount(at[slot] ^ probe)) <= most) expected.emplace_back(line, slot);
      }
      if (more != 0) expected.emplace_back(line, 15);
      scans.push_back({at, probe});
    }
    std::vector<neardup_hit> hits(12 * kLines);
    const std::size_t found = GetParam()->near_lines(scans.data(), scans.size(), most, hits.data());
    ASSERT_EQ(list_of(hits, found), expected) << most;
  }
}

TEST_P(EveryNearKernel, FindsThePairsThatTheRuleWants) {
  for (int round = 0; round < 40; ++round) {
    std::vector<std::uint32_t> ends;
    std::uint32_t size = 0;
    for (std::uint64_t groups = random_() % 80; groups > 0; --groups) {
      size += static_cast<std::uint32_t>(random_() % (round % 2 == 0 && groups % 7 == 0 ? 60 : 6));
      ends.push_back(size);
    }
    std::vector<std::uint64_t> words(size + 7);
    for (auto& w : words) w = word();
    neardup_pair_rule rule{};
    rule.mask = round % 3 == 0 ? ~std::uint64_t{0} : 0x0000FFFFFFFFFFFF;
    rule.half = 0x0000FFFF00000000;
    rule.most = static_cast<std::uint32_t>(random_() % 9);
    rule.half_least = static_cast<std::uint32_t>(random_() % 2);
    rule.half_most = static_cast<std::uint32_t>(rule.half_least + random_() % 5);
    rule.rest_least = static_cast<std::uint32_t>(random_() % 3);
    HitList expected;
    for (std::size_t g = 0; g < ends.size(); ++g) {
      for (std::uint32_t i = g == 0 ? 0 : ends[g - 1]; i < ends[g]; ++i) {
        for (std::uint32_t j = i + 1; j < ends[g]; ++j) {
          const std::uint64_t different = (words[i] ^ words[j]) & rule.mask;
          const auto in_half = static_cast<std::uint32_t>(std::popcount(different & rule.half));
          const auto in_rest = static_cast<std::uint32_t>(std::popcount(different & ~rule.half));
          if (in_half + in_rest <= rule.most && in_half >= rule.half_least && in_half <= rule.half_most &&
              in_rest >= rule.rest_least) {
            expected.emplace_back(i, j);
          }
        }
      }
    }
    for (const std::size_t room : {68, 69, 1200, 100'000}) {  // at least the largest group
      HitList list;
      neardup_pair_place place{0, 0};
      std::vector<neardup_hit> hits(room);
      do {
        const std::size_t found =
            GetParam()->near_pairs(words.data(), ends.data(), ends.size(), &rule, &place, hits.data(), room);
        ASSERT_LE(found, room);
        for (const auto& hit : list_of(hits, found)) {
          ASSERT_LT(hit.second, size);
          const auto group_of = [&](std::uint32_t at) { return std::upper_bound(ends.begin(), ends.end(), at); };
          if (group_of(hit.first) == group_of(hit.second)) list.push_back(hit);
        }
      } while (place.group < ends.size());
      ASSERT_EQ(list, expected);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Simd, EveryNearKernel, testing::ValuesIn(available().begin(), available().end()),
                         [](const auto& set) { return std::string{set.param->name}; });

}  // namespace
}  // namespace neardup::simd
