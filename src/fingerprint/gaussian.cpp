#include <array>
#include <cstdint>

#include "base/random.h"
#include "fingerprint/gaussian.h"

namespace neardup {
namespace {

// The upper half of 512 equally likely values of a normal distribution with mean square kGaussianUnit^2; the lower half
// is its mirror image. Part of the definition of a fingerprint: never to change.
constexpr std::array<std::int16_t, 256> kQuantiles = {
    10,   30,   50,   70,   90,   110,   131,   151,   171,  191,  211,  231,  251,  271,  291,  312,  332,  352,  372,
    392,  412,  432,  453,  473,  493,   513,   534,   554,  574,  594,  615,  635,  655,  676,  696,  716,  737,  757,
    778,  798,  819,  839,  860,  880,   901,   921,   942,  962,  983,  1004, 1025, 1045, 1066, 1087, 1108, 1128, 1149,
    1170, 1191, 1212, 1233, 1254, 1275,  1296,  1317,  1339, 1360, 1381, 1402, 1424, 1445, 1466, 1488, 1509, 1531, 1552,
    1574, 1595, 1617, 1639, 1661, 1682,  1704,  1726,  1748, 1770, 1792, 1814, 1837, 1859, 1881, 1903, 1926, 1948, 1971,
    1993, 2016, 2039, 2061, 2084, 2107,  2130,  2153,  2176, 2199, 2222, 2246, 2269, 2293, 2316, 2340, 2363, 2387, 2411,
    2435, 2459, 2483, 2507, 2531, 2556,  2580,  2604,  2629, 2654, 2679, 2704, 2729, 2754, 2779, 2804, 2830, 2855, 2881,
    2906, 2932, 2958, 2984, 3011, 3037,  3063,  3090,  3117, 3144, 3171, 3198, 3225, 3253, 3280, 3308, 3336, 3364, 3392,
    3420, 3449, 3477, 3506, 3535, 3565,  3594,  3623,  3653, 3683, 3713, 3744, 3774, 3805, 3836, 3867, 3899, 3930, 3962,
    3994, 4027, 4059, 4092, 4125, 4159,  4193,  4227,  4261, 4296, 4330, 4366, 4401, 4437, 4473, 4510, 4547, 4584, 4622,
    4660, 4698, 4737, 4777, 4816, 4857,  4897,  4939,  4980, 5023, 5065, 5109, 5153, 5197, 5242, 5288, 5334, 5382, 5429,
    5478, 5527, 5578, 5629, 5681, 5734,  5787,  5842,  5898, 5955, 6013, 6073, 6134, 6196, 6259, 6324, 6391, 6460, 6530,
    6602, 6677, 6754, 6833, 6915, 6999,  7087,  7178,  7273, 7372, 7475, 7583, 7697, 7817, 7944, 8080, 8224, 8380, 8549,
    8734, 8938, 9168, 9430, 9738, 10113, 10598, 11301, 12702};

constexpr unsigned kBitsAValue = 9;  // a sign and a place in the table
constexpr unsigned kValuesAWord = 64 / kBitsAValue;
constexpr std::uint64_t kStep = 0x9E3779B97F4A7C15;

constexpr std::array<std::int16_t, 512> signed_quantiles() {
  std::array<std::int16_t, 512> all{};
  for (std::size_t i = 0; i < 256; ++i) {
    all[i] = kQuantiles[i];
    all[256 + i] = static_cast<std::int16_t>(-kQuantiles[i]);
  }
  return all;
}
constexpr std::array<std::int16_t, 512> kSigned = signed_quantiles();

template <typename Add>
inline void for_each_value(Feature f, const Add& add) {
  std::uint64_t state = f;
  for (std::size_t bit = 0; bit < 64;) {
    std::uint64_t word = base::mix64(state += kStep);
    for (unsigned i = 0; i < kValuesAWord && bit < 64; ++i, ++bit, word >>= kBitsAValue) add(bit, kSigned[word & 511]);
  }
}

}  // namespace

SimhashSums gaussian_sums(std::span<const Feature> occurrences) {
  SimhashSums sums{};
  for (const Feature f : occurrences) {
    for_each_value(f, [&](std::size_t bit, std::int64_t value) { sums[bit] += value; });
  }
  return sums;
}

void add_gaussian(Feature feature, std::int64_t weight, SimhashSums& sums) {
  for_each_value(feature, [&](std::size_t bit, std::int64_t value) { sums[bit] += weight * value; });
}

}  // namespace neardup
